import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { engineIsThere, ensureBaseImage } from '../setup/docker';
import { buildImage, containersOf, isRunning, localHost, reaches, request, setUp } from '../setup/journey';
import { startPrivateEngine, type PrivateEngine } from '../setup/private-engine';

describe.skipIf(!engineIsThere())('a Docker daemon that goes away and comes back', () => {
  let engine: PrivateEngine;
  let berth: ConsoleProcess;

  beforeAll(async () => {
    engine = await startPrivateEngine();
    await ensureBaseImage(engine.docker);
    berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'docker', DOCKER_HOST: engine.address } });
  });

  afterAll(async () => {
    await berth?.dispose();
    await engine?.dispose();
  });

  it('shows that the engine is away, then starts the same workspace again without a second container', async () => {
    const pb = await setUp(berth.url);
    const host = await localHost(pb);
    await pb.collection('hosts').update(host.id, { heartbeat_interval_seconds: 1 });
    const image = await buildImage(pb, host.id, { name: 'engine-base' });
    const workspace = await pb
      .collection('workspaces')
      .create({ name: 'survivor', host: host.id, image: image.id, enabled: true });
    await request(pb, 'workspace', workspace.id, 'start');
    await reaches(pb, { collection: 'workspaces', id: workspace.id, status: 'running' });
    const before = await containersOf(workspace.id, engine.docker);

    await engine.stop();
    await eventually('the host says that its engine is away', async () => {
      const seen = await pb.collection('hosts').getOne(host.id);
      return seen.engine.reachable === false && seen.engine.message !== '';
    });
    await engine.start();

    await eventually('the workspace runs again', async () => {
      const [container] = await containersOf(workspace.id, engine.docker);
      return container !== undefined && (await isRunning(container, engine.docker));
    });
    await reaches(pb, { collection: 'workspaces', id: workspace.id, status: 'running' });
    expect(await containersOf(workspace.id, engine.docker)).toEqual(before);
  });
});
