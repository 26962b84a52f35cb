import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentProcess } from '../setup/agent-process';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { buildImage, reaches, request, setUp } from '../setup/journey';

/** The steps build on each other: one host from its arrival to its removal. */
describe('an agent that runs alone', () => {
  const stateDir = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-agent-'));
  const started: AgentProcess[] = [];
  let berth: ConsoleProcess;
  let pb: PocketBase;
  let agent: AgentProcess;
  let hostId: string;

  beforeAll(async () => {
    berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off' } });
    pb = await setUp(berth.url);
  });

  afterAll(async () => {
    for (const each of started) await each.kill('SIGKILL');
    await berth?.dispose();
    fs.rmSync(stateDir, { recursive: true, force: true });
  });

  function startAgent(env: Record<string, string> = {}): AgentProcess {
    const process = new AgentProcess({ BERTH_CONSOLE_URL: berth.url, BERTH_AGENT_STATE_DIR: stateDir, ...env });
    started.push(process);
    return process;
  }

  const readHost = (): Promise<RecordModel> => pb.collection('hosts').getOne(hostId);

  /** Resolves with the milliseconds until the host has been heard of and has a live link again. */
  async function untilLinked(sinceMs: number): Promise<number> {
    await eventually('the host is online with a live link', async () => {
      const host = await readHost();
      const heardMs = Date.parse(String(host.lastHeartbeat).replace(' ', 'T'));
      return host.status === 'online' && host.engine.liveLink && heardMs >= sinceMs;
    });
    return Date.now() - sinceMs;
  }

  it('joins by a token from the Hosts page and runs a workspace', async () => {
    const { token } = await pb.send('/api/hosts/join-token', { method: 'POST', body: { name: 'lab' } });
    agent = startAgent({ BERTH_JOIN_TOKEN: token, BERTH_HOST_NAME: 'lab' });
    const host = await eventually('the host is online', async () => {
      const found = await pb.collection('hosts').getFirstListItem('name = "lab"');
      return found.status === 'online' ? found : undefined;
    });
    hostId = host.id;
    await pb.collection('hosts').update(hostId, { heartbeat_interval_seconds: 1 });
    const image = await buildImage(pb, hostId, { name: 'alone', dockerfile: 'FROM scratch\n' });
    const workspace = await pb
      .collection('workspaces')
      .create({ name: 'alone', host: hostId, image: image.id, enabled: true });
    await request(pb, 'workspace', workspace.id, 'start');
    await reaches(pb, { collection: 'workspaces', id: workspace.id, status: 'running' });
  });

  it('refuses a second process of the same host while the first lives', async () => {
    const second = startAgent();
    await eventually('it says why', () => second.output.includes('Another agent with this host'));
    await second.kill('SIGTERM');
    expect(second.exitCode).toBe(0);
    expect((await readHost()).engine.liveLink).toBe(true);
  });

  it('is back at once after a restart in good order, without waiting to be missed', async () => {
    await agent.kill('SIGTERM');
    expect(agent.exitCode).toBe(0);
    expect(agent.output).toContain('The agent stops');
    const sinceMs = Date.now();
    agent = startAgent();
    expect(await untilLinked(sinceMs)).toBeLessThan(5000);
    expect(agent.output).not.toContain('Another agent');
  });

  it('takes over from a process that was killed', async () => {
    await agent.kill('SIGKILL');
    const sinceMs = Date.now();
    agent = startAgent();
    expect(await untilLinked(sinceMs)).toBeLessThan(5000);
  });

  it('is refused once its host was removed, and says so', async () => {
    for (const kind of ['workspaces', 'images']) {
      for (const { id } of await pb.collection(kind).getFullList()) await remove(kind, id);
    }
    await pb.collection('hosts').delete(hostId);
    await eventually('it says so', () => agent.output.includes("The console doesn't know this host"));
    expect(agent.exitCode).toBeNull();
  });

  async function remove(kind: string, id: string): Promise<void> {
    if (kind === 'images') return void (await pb.collection(kind).delete(id));
    await request(pb, 'workspace', id, 'delete');
    await eventually('the workspace is gone', async () => (await pb.collection(kind).getFullList()).length === 0);
  }
});
