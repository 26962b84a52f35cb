import http from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const ENGINE_SOCKET = '/var/run/docker.sock';

/** Stands before this machine's Docker engine and keeps back what a test wants to have no answer. */
export interface EngineProxy {
  /** For DOCKER_HOST. */
  readonly address: string;
  /** Calls whose `METHOD path` matches get no answer from here on, and never reach the engine. */
  hang(calls: RegExp): void;
  /** The same, but the answer begins: there is a status, and then nothing. */
  mute(calls: RegExp): void;
  /** Passes each call on so much later from here on. */
  slowDown(ms: number): void;
  /** From here on everything is passed on; what was kept back is dropped. */
  release(): void;
  /** `METHOD path` of everything that was kept back. */
  readonly kept: string[];
  dispose(): Promise<void>;
}

export async function startEngineProxy(): Promise<EngineProxy> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'berth-proxy-'));
  const socketPath = path.join(folder, 'docker.sock');
  const kept: string[] = [];
  const waiting = new Set<http.ServerResponse>();
  let hanging: RegExp | undefined;
  let isMute = false;
  let delayMs = 0;

  const server = http.createServer((request, response) => {
    const call = `${request.method} ${request.url}`;
    if (hanging?.test(call)) {
      kept.push(call);
      waiting.add(response);
      if (isMute) response.writeHead(200).flushHeaders();
      return;
    }
    const { method, url, headers } = request;
    const onward = http.request({ socketPath: ENGINE_SOCKET, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    setTimeout(() => request.pipe(onward), delayMs);
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));

  return {
    address: `unix://${socketPath}`,
    kept,
    hang(calls) {
      hanging = calls;
      isMute = false;
    },
    mute(calls) {
      hanging = calls;
      isMute = true;
    },
    slowDown: (ms) => (delayMs = ms),
    release() {
      hanging = undefined;
      for (const response of waiting) response.destroy();
      waiting.clear();
    },
    async dispose() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
