import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** A built console as a process of its own, on its own port and data folder. */
export interface ConsoleProcess {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly pid: number;
  /** Null while it runs, and where a signal ended it. */
  readonly exitCode: number | null;
  /** What it wrote to stdout and stderr. */
  output(): string;
  /** Ends it by the signal and resolves once it is gone. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Starts it again on the same port and data after a kill. */
  restart(env?: Record<string, string>): Promise<ConsoleProcess>;
  /** Ends it and removes its data. */
  dispose(): Promise<void>;
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

interface StartOptions {
  port?: number;
  dataDir?: string;
  env?: Record<string, string>;
}

/** Starts the built console and waits until it is healthy and its pages are served. Throws with its output when it isn't in time. */
export async function startConsole(options: StartOptions = {}): Promise<ConsoleProcess> {
  const port = options.port ?? (await freePort());
  const dataDir = options.dataDir ?? fs.mkdtempSync(path.join(os.tmpdir(), 'berth-console-'));
  let output = '';
  const child: ChildProcess = spawn(process.execPath, ['--enable-source-maps', 'dist/server.mjs'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      BERTH_DATA_DIR: dataDir,
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-200_000);
  };
  child.stdout!.on('data', keep);
  child.stderr!.on('data', keep);
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  await waitUntilHealthy(url, child, () => output);

  const started: ConsoleProcess = {
    url,
    port,
    dataDir,
    pid: child.pid!,
    get exitCode() {
      return child.exitCode;
    },
    output: () => output,
    async kill(signal) {
      child.kill(signal);
      await gone;
    },
    restart: (env) => startConsole({ port, dataDir, env: { ...options.env, ...env } }),
    async dispose() {
      child.kill('SIGTERM');
      await gone;
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return started;
}

async function waitUntilHealthy(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) break;
    const isHealthy = await fetch(`${url}/api/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (isHealthy) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const end = child.exitCode === null ? 'still runs' : `exit ${child.exitCode}`;
  child.kill('SIGKILL');
  throw new Error(`The console did not become healthy (${end}). Its output:\n${output()}`);
}

/** Polls until `read` gives something other than undefined or false; throws with `what` after the limit. */
export async function eventually<T>(
  what: string,
  read: () => Promise<T | undefined | false> | T | undefined | false,
  limitMs = 20_000,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  let last: unknown;
  for (;;) {
    try {
      const value = await read();
      if (value !== undefined && value !== false) return value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) {
      const why = last instanceof Error ? `: ${last.message}` : '';
      throw new Error(`Not within ${limitMs} ms: ${what}${why}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
