import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { ENDS_AT_ONCE, engineIsThere, ensureBaseImage } from '../setup/docker';
import { buildImage, containersOf, isRunning, localHost, reaches, request, setUp } from '../setup/journey';
import { startPrivateEngine, type PrivateEngine } from '../setup/private-engine';

describe.skipIf(!engineIsThere())('an engine that is started after the console and its agent', () => {
  let engine: PrivateEngine;
  let berth: ConsoleProcess;

  beforeAll(async () => {
    engine = await startPrivateEngine();
    await ensureBaseImage(engine.docker);
    await engine.stop();
    berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'docker', DOCKER_HOST: engine.address } });
  }, 90_000);
  afterAll(async () => {
    await berth?.dispose();
    await engine?.dispose();
  });

  it('is told to be away, then used by itself for what was asked meanwhile', async () => {
    const pb = await setUp(berth.url);
    const host = await eventually('the host is there, without its engine', async () => {
      const [found] = await pb.collection('hosts').getFullList();
      return found?.status === 'online' && found.engine.reachable === false ? found : undefined;
    });
    expect(host.engine.message).toContain("can't be reached");
    expect(host.statusMessage).toContain("can't be reached");
    const fields = { name: 'early', build_on: host.id, creationType: 'writeDockerfile', dockerfile: ENDS_AT_ONCE };
    const image = await pb.collection('images').create(fields);
    const { id } = await pb.collection('workspaces').create({ name: 'early', host: host.id, image: image.id });
    await request(pb, 'workspace', id, 'start');
    await eventually('the build says what it waits for', async () => {
      return (await pb.collection('images').getOne(image.id)).statusMessage.includes('The build waits for it.');
    });

    await engine.start();
    await localHost(pb);
    await reaches(pb, { collection: 'workspaces', id, status: 'running' });
    const containers = await containersOf(id, engine.docker);
    expect(containers).toHaveLength(1);
    expect(await isRunning(containers[0]!, engine.docker)).toBe(true);
    expect((await pb.collection('hosts').getOne(host.id)).statusMessage).toBe('');
    await buildImage(pb, host.id, { name: 'later' });
  }, 90_000);
});
