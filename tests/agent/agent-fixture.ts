import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type AgentConfig, type RunningAgent, startAgent } from '@/agent/agent';
import type { Engine } from '@/agent/engines/engine';
import { createJsonLog } from '@/agent/log';
import { FakeConsole } from './fake-console';

export interface Fixture {
  console: FakeConsole;
  url: string;
  stateDir: string;
  agent: RunningAgent;
  /** Stops the agent and starts another on the same state folder. */
  restartAgent(engine: Engine): Promise<void>;
  close(): Promise<void>;
}

const lines: string[] = [];
export const quietLog = createJsonLog(process.env.AGENT_TEST_LOG ? 'debug' : 'silent', (line) => {
  lines.push(line);
  process.stderr.write(line);
});

/** A console and a joined agent with a live link. */
export async function createFixture(
  engine: Engine,
  hostId = 'host1',
  settings: Partial<AgentConfig> = {},
): Promise<Fixture> {
  const stateDir = await mkdtemp(path.join(tmpdir(), 'berth-agent-'));
  const console = new FakeConsole(hostId);
  const url = await console.listen();
  const config = (used: Engine): AgentConfig => {
    return {
      consoleUrl: url,
      joinToken: 'token',
      hostName: 'test',
      stateDir,
      engine: used,
      log: quietLog,
      ...settings,
    };
  };
  const fixture: Fixture = {
    console,
    url,
    stateDir,
    agent: await startAgent(config(engine)),
    restartAgent: async (next) => {
      await fixture.agent.stop();
      console.link = undefined;
      fixture.agent = await startAgent(config(next));
      await console.until(() => console.link);
    },
    close: async () => {
      await fixture.agent.stop();
      await console.close();
      await rm(stateDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
  await console.until(() => console.link);
  return fixture;
}
