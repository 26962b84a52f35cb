import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type PocketBase from 'pocketbase';
import { AgentProcess } from './agent-process';

/** An agent of its own for the engine of this machine, over several lives of its process. */
export interface JoinedAgent {
  /** What it wrote, over all its lives. */
  output(): string;
  /** Of the process that runs now. */
  readonly pid: number;
  stop(): Promise<void>;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
  start(): void;
  /** Ends it and removes its state. */
  dispose(): Promise<void>;
}

/** Starts an agent that joins as `name` for the Docker engine of this machine. */
export async function startAgent(
  url: string,
  { pb, name, env = {} }: { pb: PocketBase; name: string; env?: Record<string, string> },
): Promise<JoinedAgent> {
  const stateDir = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-agent-'));
  const { token } = await pb.send<{ token: string }>('/api/hosts/join-token', { method: 'POST', body: { name } });
  const lives: AgentProcess[] = [];
  const agent: JoinedAgent = {
    get pid() {
      return lives.at(-1)?.pid ?? 0;
    },
    output: () => lives.map((life) => life.output).join(''),
    start() {
      lives.push(
        new AgentProcess({
          LOG_LEVEL: 'debug',
          BERTH_ENGINE: 'docker',
          BERTH_CONSOLE_URL: url,
          BERTH_JOIN_TOKEN: token,
          BERTH_HOST_NAME: name,
          BERTH_AGENT_STATE_DIR: stateDir,
          ...env,
        }),
      );
    },
    async stop() {
      await lives.at(-1)?.kill('SIGTERM');
    },
    async kill() {
      await lives.at(-1)?.kill('SIGKILL');
    },
    async dispose() {
      await agent.stop();
      fs.rmSync(stateDir, { recursive: true, force: true });
    },
  };
  agent.start();
  return agent;
}
