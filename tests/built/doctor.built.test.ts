import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '@/lib/protocol/doctor-streams';
import { AgentProcess } from '../setup/agent-process';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { engineIsThere } from '../setup/docker';
import { setUp } from '../setup/journey';

/** `npm run agent -- doctor`, beside the agent that it looks at. */
describe.skipIf(!engineIsThere())('the doctor of an agent', () => {
  let berth: ConsoleProcess;
  let agent: AgentProcess;
  let settings: Record<string, string>;
  const stateDir = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-doctor-'));

  beforeAll(async () => {
    berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off' } });
    const pb = await setUp(berth.url);
    const body = { name: 'looked-at' };
    const { token } = await pb.send<{ token: string }>('/api/hosts/join-token', { method: 'POST', body });
    settings = { BERTH_CONSOLE_URL: berth.url, BERTH_ENGINE: 'docker', BERTH_AGENT_STATE_DIR: stateDir };
    agent = new AgentProcess({ ...settings, BERTH_JOIN_TOKEN: token, BERTH_HOST_NAME: 'looked-at' });
    await eventually('the host is online', async () => {
      const [host] = await pb.collection('hosts').getFullList();
      return host?.status === 'online' && host.engine?.liveLink;
    });
  }, 60_000);
  afterAll(async () => {
    await agent?.kill('SIGTERM');
    await berth?.dispose();
    fs.rmSync(stateDir, { recursive: true, force: true });
  });

  function run(...flags: string[]) {
    const env = { PATH: process.env.PATH, ...settings } as unknown as NodeJS.ProcessEnv;
    return spawnSync(process.execPath, ['dist/agent.mjs', ...flags], { env, encoding: 'utf8', timeout: 40_000 });
  }

  it('finds a host that is well, and changes nothing', async () => {
    const before = fs.readdirSync(stateDir).sort();
    const { status, stdout, stderr } = run('doctor', '--json');
    const { findings } = JSON.parse(stdout || stderr) as { findings: Finding[] };
    expect(findings.filter((finding) => finding.state === 'failed')).toEqual([]);
    expect(status).toBe(0);
    const ok = findings.filter((finding) => finding.state === 'ok').map((finding) => finding.check);
    expect(ok).toEqual(expect.arrayContaining(['Console', 'Clock', 'WebSocket', 'Host key', 'Engine', 'State folder']));
    expect(fs.readdirSync(stateDir).sort()).toEqual(before);
  });

  it('says in a terminal what to do where the console is away, by its exit code too', async () => {
    await berth.kill('SIGKILL');
    const { status, stdout } = run('doctor');
    expect(status).toBe(1);
    expect(stdout).toMatch(/^FAILED {3}Console +The console does not answer/m);
    expect(stdout).toMatch(/^ +→ Check the address in BERTH_CONSOLE_URL/m);
  });

  it('is a command, and others are none', () => {
    expect(run('doktor')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no command "doktor"') as string,
    });
  });
});
