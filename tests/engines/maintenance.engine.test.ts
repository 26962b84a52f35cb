import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleProcess, eventually, startConsole } from '../setup/console-process';
import { BASE_IMAGE, docker, engineIsThere } from '../setup/docker';
import { startAgent, type JoinedAgent } from '../setup/joined-agent';
import { buildImage, cleanHost, containersOf, isRunning, localHost, reaches, request, setUp } from '../setup/journey';

/** A host in maintenance: its real containers stop and come back, whatever happens to the console meanwhile. */
describe.skipIf(!engineIsThere())('the maintenance of a host on Docker', () => {
  let berth: ConsoleProcess;
  let agent: JoinedAgent;
  let pb: PocketBase;
  let hostId: string;
  let imageId: string;

  beforeAll(async () => {
    berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off' } });
    pb = await setUp(berth.url);
    agent = await startAgent(berth.url, { pb, name: 'local' });
    hostId = (await localHost(pb)).id;
    const dockerfile = `FROM ${BASE_IMAGE}\nSTOPSIGNAL SIGKILL\nCMD ["sleep", "3600"]\n`;
    imageId = (await buildImage(pb, hostId, { name: 'maintained', dockerfile })).id;
  }, 180_000);
  afterAll(async () => {
    await agent?.dispose();
    await berth?.dispose();
    if (hostId) await cleanHost(hostId);
  }, 60_000);

  async function runs(name: string): Promise<RecordModel> {
    const { id } = await pb.collection('workspaces').create({ name, host: hostId, image: imageId });
    await request(pb, 'workspace', id, 'start');
    return reaches(pb, { collection: 'workspaces', id, status: 'running', limitMs: 60_000 });
  }
  async function isUp(id: string): Promise<boolean> {
    const [containerId] = await containersOf(id);
    return containerId !== undefined && (await isRunning(containerId));
  }
  const ask = <T>(call: string, body: object) => pb.send<T>(`/api/host/${hostId}/${call}`, { method: 'POST', body });

  it('stops containers and starts them again, over a kill of the console, and leaves what was stopped by hand', async () => {
    const names = ['one', 'two', 'three', 'four'];
    const ups = await Promise.all(names.map(runs));
    const byHand = await runs('by-hand');
    await request(pb, 'workspace', byHand.id, 'stop');
    await reaches(pb, { collection: 'workspaces', id: byHand.id, status: 'stopped', limitMs: 60_000 });

    const state = await ask<{ stopped: number }>('maintenance', { reason: 'New disks', stopWorkspaces: true });
    expect(state.stopped).toBe(ups.length);
    // Committed, and not done yet.
    await berth.kill('SIGKILL');
    for (const { id } of ups) expect(await isUp(id)).toBe(true);
    berth = await berth.restart();
    for (const { id } of ups) {
      await reaches(pb, { collection: 'workspaces', id, status: 'stopped', limitMs: 60_000 });
      await eventually('its container is down', async () => !(await isUp(id)), 30_000);
    }
    await expect(request(pb, 'workspace', byHand.id, 'start')).rejects.toMatchObject({
      status: 400,
      response: { data: { host: { message: 'Host local is in maintenance (New disks).' } } },
    });

    await ask('end-maintenance', { startWorkspaces: true });
    for (const { id } of ups) {
      await reaches(pb, { collection: 'workspaces', id, status: 'running', limitMs: 60_000 });
      expect(await isUp(id)).toBe(true);
    }
    expect(await isUp(byHand.id)).toBe(false);
    expect((await pb.collection('workspaces').getOne(byHand.id)).status).toBe('stopped');
  }, 300_000);

  it('keeps what runs as it is: a container that is killed comes back by its policy', async () => {
    const { id } = await pb
      .collection('workspaces')
      .create({ name: 'steady', host: hostId, image: imageId, autoStart: true });
    await request(pb, 'workspace', id, 'start');
    await reaches(pb, { collection: 'workspaces', id, status: 'running', limitMs: 60_000 });
    await ask('maintenance', { reason: 'A look', stopWorkspaces: false });
    const [containerId] = await containersOf(id);
    process.kill(Number(await docker('inspect', '-f', '{{.State.Pid}}', containerId!)), 'SIGKILL');
    await eventually('it runs again', () => isUp(id), 60_000);
    await ask('end-maintenance', { startWorkspaces: false });
  }, 120_000);
});
