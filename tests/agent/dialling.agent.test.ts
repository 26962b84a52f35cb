import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentConfig, type RunningAgent, startAgent } from '@/agent/agent';
import { createJsonLog } from '@/agent/log';
import { startConnectProxy, type ConnectProxy } from '../setup/connect-proxy';
import { eventually } from '../setup/console-process';
import { FakeConsole } from './fake-console';

let berth: FakeConsole;
let url: string;
let folder: string;
let logged: string;
let agent: RunningAgent | undefined;

beforeEach(async () => {
  berth = new FakeConsole('host1');
  url = await berth.listen();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-agent-'));
  logged = '';
});
afterEach(async () => {
  await agent?.stop();
  agent = undefined;
  await berth.close();
  fs.rmSync(folder, { recursive: true });
});

function configure(extra: Partial<AgentConfig>): AgentConfig {
  const log = createJsonLog('info', (line) => (logged += line));
  return {
    consoleUrl: url,
    hostName: 'test',
    stateDir: path.join(folder, 'state'),
    engine: 'simulated',
    log,
    ...extra,
  };
}

describe('an agent behind a proxy', () => {
  let proxy: ConnectProxy;
  beforeEach(async () => {
    proxy = await startConnectProxy();
  });
  afterEach(() => proxy.close());

  it('sends its calls and its live link through the tunnel', async () => {
    agent = await startAgent(configure({ joinToken: 'token', proxy: { httpProxy: proxy.url } }));
    await berth.until(() => berth.link);
    await berth.until(() => berth.heartbeats.length > 0);
    expect(new Set(proxy.tunnels)).toEqual(new Set([new URL(url).host]));
    expect(proxy.sent()).toContain('POST /api/agent/join');
    expect(proxy.sent()).toContain('POST /api/agent/heartbeat');
    expect(proxy.sent()).toContain('GET /api/agent/link?instance=');
  });

  it('goes around it where NO_PROXY says so', async () => {
    agent = await startAgent(configure({ joinToken: 'token', proxy: { httpProxy: proxy.url, noProxy: '127.0.0.1' } }));
    await berth.until(() => berth.link);
    expect(proxy.tunnels).toEqual([]);
  });
});

describe('a join token in a file', () => {
  it('is waited for, and read again when it is refused', async () => {
    const file = path.join(folder, 'token');
    const starting = startAgent(configure({ joinTokenFile: file }));
    await eventually('it says that it waits', () => logged.includes('There is no join token'));
    fs.writeFileSync(file, 'expired');
    await eventually('it says that it was refused', () => logged.includes('The join token was refused'));
    fs.writeFileSync(file, 'token\n');
    agent = await starting;
    await berth.until(() => berth.link);
  });

  it('leaves quietly while it waits', async () => {
    const leaving = new AbortController();
    const starting = startAgent(configure({ joinTokenFile: path.join(folder, 'none'), signal: leaving.signal }));
    await eventually('it waits', () => logged.includes('There is no join token'));
    leaving.abort();
    await expect(starting).rejects.toThrow('abort');
  });
});

describe('the end of an agent', () => {
  it('is told to the console by the close code, under the name of the process', async () => {
    agent = await startAgent(configure({ joinToken: 'token' }));
    const { socket } = await berth.until(() => berth.link);
    const code = new Promise((resolve) => socket.once('close', resolve));
    // It knows of its own link only when it says so.
    const { instance } = await berth.until(() => berth.heartbeats.find(({ liveLink }) => liveLink));
    await agent.stop();
    expect(await code).toBe(1001);
    expect(berth.linkUrl).toBe(`/api/agent/link?instance=${instance}`);
  });
});
