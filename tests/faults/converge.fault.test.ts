import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { docker, engineIsThere, ensureBaseImage } from '../setup/docker';
import { buildImage, cleanHost, containersOf, isRunning, localHost, reaches, request, setUp } from '../setup/journey';

describe.skipIf(!engineIsThere())('after a fault the host holds what was asked', () => {
  let berth: ConsoleProcess;
  let pb: PocketBase;
  let host: RecordModel;
  let image: RecordModel;

  beforeAll(async () => {
    await ensureBaseImage();
    berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'docker' } });
    pb = await setUp(berth.url);
    host = await localHost(pb);
    image = await buildImage(pb, host.id, { name: 'fault-base' });
  });

  afterAll(async () => {
    await berth.dispose();
    await cleanHost(host.id);
  });

  async function createWorkspace(name: string, extra: object = {}): Promise<RecordModel> {
    return pb.collection('workspaces').create({ name, host: host.id, image: image.id, enabled: true, ...extra });
  }

  it('finishes a deployment that SIGKILL of the console cut off, with one container', async () => {
    for (const delayMs of [0, 30, 120]) {
      const workspace = await createWorkspace(`killed-${delayMs}`);
      await request(pb, 'workspace', workspace.id, 'start');
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      await berth.kill('SIGKILL');
      berth = await berth.restart();
      await reaches(pb, { collection: 'workspaces', id: workspace.id, status: 'running' });
      const containers = await containersOf(workspace.id);
      expect(containers).toHaveLength(1);
      expect(await isRunning(containers[0]!)).toBe(true);
    }
  });

  it('makes a container anew that someone removed by hand', async () => {
    const workspace = await createWorkspace('removed');
    await request(pb, 'workspace', workspace.id, 'start');
    await reaches(pb, { collection: 'workspaces', id: workspace.id, status: 'running' });
    const [before] = await containersOf(workspace.id);
    await docker('rm', '-f', before!);
    const after = await eventually('another container runs', async () => {
      const found = (await containersOf(workspace.id)).filter((id) => id !== before);
      return found.length === 1 && (await isRunning(found[0]!)) ? found[0] : undefined;
    });
    await reaches(pb, { collection: 'workspaces', id: workspace.id, status: 'running' });
    expect(await containersOf(workspace.id)).toEqual([after]);
    const repair = await eventually('the page says who put it right', async () => {
      const newest = await pb
        .collection('deployments')
        .getFirstListItem(`workspace = '${workspace.id}'`, { sort: '-number' });
      return newest.action === 'repair' && newest.status === 'succeeded' ? newest : undefined;
    });
    expect(repair).toMatchObject({ number: 2, created_by: '' });
    expect(repair.steps.map((step: { key: string }) => step.key)).toContain('create');
  });

  it('starts a container again that someone stopped by hand', async () => {
    const workspace = await createWorkspace('stopped');
    await request(pb, 'workspace', workspace.id, 'start');
    await reaches(pb, { collection: 'workspaces', id: workspace.id, status: 'running' });
    const [container] = await containersOf(workspace.id);
    await docker('stop', '-t', '0', container!);
    await eventually('it runs again', () => isRunning(container!));
    await reaches(pb, { collection: 'workspaces', id: workspace.id, status: 'running' });
    expect(await containersOf(workspace.id)).toEqual([container]);
  });

  it('says with what code a workspace ended by itself, and leaves it so', async () => {
    const workspace = await createWorkspace('crashing', { command: 'sh -c "sleep 0.5; exit 7"' });
    await request(pb, 'workspace', workspace.id, 'start');
    const failed = await reaches(pb, { collection: 'workspaces', id: workspace.id, status: 'error' });
    expect(failed.statusMessage).toContain('7');
    await berth.kill('SIGKILL');
    berth = await berth.restart();
    await localHost(pb);
    const [container] = await containersOf(workspace.id);
    expect(await isRunning(container!)).toBe(false);
    expect((await pb.collection('workspaces').getOne(workspace.id)).status).toBe('error');
  });
});
