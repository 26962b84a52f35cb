import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type PocketBase from 'pocketbase';

const root = path.resolve(import.meta.dirname, '../..');

/** The built agent as a process of its own, as a host runs it. */
export interface AgentProcess {
  /** What it wrote, over all its lives. */
  output(): string;
  stop(): Promise<void>;
  start(): void;
  /** Ends it and removes its state. */
  dispose(): Promise<void>;
}

/** Starts an agent that joins as `name` for the engine of this machine. */
export async function startAgent(url: string, { pb, name }: { pb: PocketBase; name: string }): Promise<AgentProcess> {
  const stateDir = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-agent-'));
  const { token } = await pb.send<{ token: string }>('/api/hosts/join-token', { method: 'POST', body: { name } });
  let output = '';
  let child: ChildProcess | undefined;
  let gone: Promise<void> = Promise.resolve();
  const agent: AgentProcess = {
    output: () => output,
    start() {
      const started = spawn(process.execPath, ['--enable-source-maps', 'dist/agent.mjs'], {
        cwd: root,
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          NODE_ENV: 'production',
          LOG_LEVEL: 'debug',
          BERTH_CONSOLE_URL: url,
          BERTH_JOIN_TOKEN: token,
          BERTH_HOST_NAME: name,
          BERTH_AGENT_STATE_DIR: stateDir,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const keep = (chunk: Buffer): void => void (output += chunk.toString());
      started.stdout.on('data', keep);
      started.stderr.on('data', keep);
      gone = new Promise((resolve) => started.once('exit', () => resolve()));
      child = started;
    },
    async stop() {
      child?.kill('SIGTERM');
      await gone;
    },
    async dispose() {
      await agent.stop();
      fs.rmSync(stateDir, { recursive: true, force: true });
    },
  };
  agent.start();
  return agent;
}
