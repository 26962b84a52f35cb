import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { BASE_IMAGE, docker, ENDS_AT_ONCE, engineIsThere, ensureBaseImage } from '../setup/docker';
import { startAgent, type JoinedAgent } from '../setup/joined-agent';
import { buildImage, cleanHost, containersOf, isRunning, localHost, reaches, request, setUp } from '../setup/journey';
import { type PrivateRegistry, registryIsThere, startRegistry } from '../setup/registry';
import { startTcpCutter, type TcpCutter } from '../setup/tcp-cutter';

/** Waits for the word to end it, so that a stop of it takes until Docker kills it. */
const SLOW_TO_END = `FROM ${BASE_IMAGE}\nCMD ["sleep", "3600"]\n`;
const LAYER_MB = 24;

describe.skipIf(!engineIsThere())('an agent that is killed in the middle', () => {
  let berth: ConsoleProcess;
  let agent: JoinedAgent;
  let pb: PocketBase;
  let host: RecordModel;
  let image: RecordModel;

  beforeAll(async () => {
    await ensureBaseImage();
    berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off' } });
    pb = await setUp(berth.url);
    agent = await startAgent(berth.url, { pb, name: 'local' });
    host = await localHost(pb);
    host = await pb.collection('hosts').update(host.id, { heartbeat_interval_seconds: 1 });
    image = await buildImage(pb, host.id, { name: 'killed', dockerfile: ENDS_AT_ONCE });
  });
  afterAll(async () => {
    await agent?.dispose();
    await berth?.dispose();
    if (host) await cleanHost(host.id);
  });

  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const namesOf = (imageId: string) => docker('images', '-q', '--filter', `reference=berth/${imageId}:*`);
  const build = (imageId: string) =>
    pb.collection('builds').getFirstListItem(`image = "${imageId}"`, { sort: '-number' });

  async function crash(): Promise<void> {
    await agent.kill();
    agent.start();
  }

  async function deploy(name: string, imageId = image.id): Promise<string> {
    const { id } = await pb.collection('workspaces').create({ name, host: host.id, image: imageId });
    await request(pb, 'workspace', id, 'start');
    return id;
  }

  async function expectOne(id: string, status: 'running' | 'stopped'): Promise<void> {
    await reaches(pb, { collection: 'workspaces', id, status });
    const containers = await containersOf(id);
    expect(containers).toHaveLength(1);
    expect(await isRunning(containers[0]!)).toBe(status === 'running');
    const open = await pb
      .collection('deployments')
      .getFullList({ filter: `workspace = "${id}" && status = "pending"` });
    expect(open).toEqual([]);
  }

  it('of a build says that it was cut off, leaves nothing of it, and builds again when asked', async () => {
    const dockerfile = `${ENDS_AT_ONCE}RUN sleep 2; echo ${host.id}\n`;
    const fields = { name: 'cut-off', build_on: host.id, creationType: 'writeDockerfile', dockerfile };
    const { id } = await pb.collection('images').create(fields);
    const waiting = await deploy('waits', id);
    await reaches(pb, { collection: 'images', id, status: 'building' });
    await wait(700);
    await crash();
    const failed = await reaches(pb, { collection: 'images', id, status: 'error' });
    expect(failed.statusMessage).toBe('The agent restarted during the build; build again');
    expect(await build(id)).toMatchObject({ status: 'error', number: 1 });
    const told = await reaches(pb, { collection: 'workspaces', id: waiting, status: 'error' });
    expect(told.statusMessage).toBe('Image cut-off failed to build');
    await wait(2500);
    expect(await namesOf(id)).toBe('');
    await request(pb, 'image', id, 'build');
    await reaches(pb, { collection: 'images', id, status: 'build_finished' });
    await request(pb, 'workspace', waiting, 'start');
    await expectOne(waiting, 'running');
  }, 60_000);

  it('of a create and of a start goes on with one container', async () => {
    const ids: string[] = [];
    for (const delayMs of [0, 40, 80, 120, 200, 300]) {
      ids.push(await deploy(`made-${delayMs}`));
      await wait(delayMs);
      await crash();
      await localHost(pb);
    }
    for (const id of ids) await expectOne(id, 'running');
  }, 90_000);

  it('of a stop, and of a delete, ends what it began', async () => {
    const slow = await buildImage(pb, host.id, { name: 'slow', dockerfile: SLOW_TO_END });
    const [stopped, deleted] = [await deploy('stopped', slow.id), await deploy('deleted', slow.id)];
    for (const id of [stopped, deleted]) await reaches(pb, { collection: 'workspaces', id, status: 'running' });
    await request(pb, 'workspace', stopped, 'stop');
    await request(pb, 'workspace', deleted, 'delete');
    await wait(500);
    await crash();
    await expectOne(stopped, 'stopped');
    await eventually('the deleted one is gone', async () => (await containersOf(deleted)).length === 0);
    await eventually('and its record', async () => {
      return (await pb.collection('workspaces').getFullList({ filter: `id = "${deleted}"` })).length === 0;
    });
  }, 60_000);

  describe.skipIf(!registryIsThere())('of a pull from a slow registry', () => {
    let registry: PrivateRegistry;
    let network: TcpCutter;
    let reference: string;

    beforeAll(async () => {
      registry = await startRegistry();
      network = await startTcpCutter(Number(registry.address.split(':')[1]));
      const name = `berth-test/big-${host.id}:1`;
      const container = await docker(
        'create',
        BASE_IMAGE,
        'dd',
        'if=/dev/urandom',
        'of=/big',
        'bs=1M',
        `count=${LAYER_MB}`,
      );
      await docker('start', '-a', container);
      await docker('commit', '-c', 'CMD ["sleep","3600"]', container, name);
      await docker('rm', container);
      const pushed = await registry.push(name, 'team/big:1');
      await docker('rmi', name);
      reference = pushed.replace(registry.address, new URL(network.url).host);
    }, 60_000);
    afterAll(async () => {
      await network?.close();
      await registry?.dispose();
    });

    it('pulls again, says so if it can not, and the workspace runs once', async () => {
      const { username, password } = registry;
      const account = { serveraddress: new URL(network.url).host, username, password };
      await pb.collection('hosts').update(host.id, { registry_auths: [account] });
      const fields = { name: 'pulled', build_on: host.id, creationType: 'pullAnImage', dockerImageName: reference };
      const { id } = await pb.collection('images').create(fields);
      network.slowDown(LAYER_MB / 6);
      const workspace = await deploy('pulls', id);
      await reaches(pb, { collection: 'images', id, status: 'building' });
      await wait(1500);
      expect((await build(id)).status).toBe('building');
      await crash();
      network.slowDown(0);
      // The new agent is taken once the old one is missed, and pulls all of it anew.
      await reaches(pb, { collection: 'images', id, status: 'build_finished', limitMs: 60_000 });
      await expectOne(workspace, 'running');
      expect(await docker('images', '-q', '--filter', `reference=${reference}`)).toBe('');
    }, 120_000);
  });
});
