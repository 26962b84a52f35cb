import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { docker, ENDS_AT_ONCE, engineIsThere, ensureBaseImage } from '../setup/docker';
import { startAgent, type JoinedAgent } from '../setup/joined-agent';
import { buildImage, cleanHost, containersOf, isRunning, localHost, reaches, request, setUp } from '../setup/journey';

describe.skipIf(!engineIsThere())('what someone does to a container by hand', () => {
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
    image = await buildImage(pb, host.id, { name: 'by-hand', dockerfile: ENDS_AT_ONCE });
  });
  afterAll(async () => {
    await agent?.dispose();
    await berth?.dispose();
    if (host) await cleanHost(host.id);
  });

  async function run(name: string, imageId = image.id): Promise<{ id: string; container: string }> {
    const { id } = await pb.collection('workspaces').create({ name, host: host.id, image: imageId });
    await request(pb, 'workspace', id, 'start');
    await reaches(pb, { collection: 'workspaces', id, status: 'running' });
    return { id, container: (await containersOf(id))[0]! };
  }
  const workspace = (id: string) => pb.collection('workspaces').getOne(id);

  it('a rename makes no second container, also not after a restart of the agent, and every act still finds it', async () => {
    const { id, container } = await run('renamed');
    await docker('rename', container, `other-${id}`);
    await agent.kill();
    agent.start();
    await localHost(pb);
    await request(pb, 'workspace', id, 'stop');
    await reaches(pb, { collection: 'workspaces', id, status: 'stopped' });
    await request(pb, 'workspace', id, 'start');
    await reaches(pb, { collection: 'workspaces', id, status: 'running' });
    expect(await containersOf(id)).toEqual([container]);
    await request(pb, 'workspace', id, 'redeploy');
    const anew = await eventually('a new container alone', async () => {
      const [only, ...more] = await containersOf(id);
      return more.length === 0 && only !== container ? only : undefined;
    });
    await reaches(pb, { collection: 'workspaces', id, status: 'running' });
    expect(await isRunning(anew!)).toBe(true);
    await request(pb, 'workspace', id, 'delete');
    await eventually('nothing is left', async () => (await containersOf(id)).length === 0);
  }, 60_000);

  it('a pause is undone in the same container, and what is paused can be stopped and deleted', async () => {
    const { id, container } = await run('paused');
    await docker('pause', container);
    const state = () => docker('inspect', '-f', '{{.State.Status}}', container);
    await eventually('it runs on', async () => (await state()) === 'running');
    await reaches(pb, { collection: 'workspaces', id, status: 'running' });
    expect(await containersOf(id)).toEqual([container]);
    await docker('pause', container);
    await request(pb, 'workspace', id, 'stop');
    await reaches(pb, { collection: 'workspaces', id, status: 'stopped' });
    expect(await containersOf(id)).toEqual([container]);
    await docker('start', container);
    await docker('pause', container);
    await request(pb, 'workspace', id, 'delete');
    await eventually('nothing is left', async () => (await containersOf(id)).length === 0);
  }, 60_000);

  it('a container labelled as another workspace is left alone, told of, and takes nothing over', async () => {
    const [mine, other] = [await run('labelled'), await run('robbed')];
    const from = (label: string) => docker('inspect', '-f', `{{index .Config.Labels "${label}"}}`, other.container);
    const names = (await docker('inspect', '-f', '{{range $k, $v := .Config.Labels}}{{$k}} {{end}}', mine.container))
      .split(' ')
      .filter((label) => label.startsWith('berth.'));
    const labels = await Promise.all(names.map(async (label) => ['--label', `${label}=${await from(label)}`]));
    const stray = await docker('run', '-d', '--name', `stray-${other.id}`, ...labels.flat(), image.imageId);
    const told = await eventually('the page tells of it', async () => {
      const { status, statusMessage } = await workspace(other.id);
      return statusMessage.includes(`stray-${other.id}`) ? { status, statusMessage } : undefined;
    });
    expect(told).toMatchObject({ status: 'running', statusMessage: expect.stringContaining('Remove it') as string });
    expect(await isRunning(other.container)).toBe(true);
    expect((await containersOf(other.id)).toSorted()).toEqual([other.container, stray].toSorted());
    await docker('rm', '-f', stray);
    await eventually('nothing is told any more', async () => (await workspace(other.id)).statusMessage === '');
    expect(await containersOf(mine.id)).toEqual([mine.container]);
  }, 60_000);

  /** An image of its own, its workspace, and the image's names on the engine. */
  async function runOnOwn(name: string) {
    const own = await buildImage(pb, host.id, { name, dockerfile: `${ENDS_AT_ONCE}LABEL own=${name}\n` });
    const names = await docker('inspect', '-f', '{{range .RepoTags}}{{.}} {{end}}', own.imageId);
    return { own, ...(await run(name, own.id)), names: names.trim().split(' ') };
  }

  it('an image removed under a stopped workspace is missed by a new container only, with what to do', async () => {
    const { own, id, container, names } = await runOnOwn('lost');
    await request(pb, 'workspace', id, 'stop');
    await reaches(pb, { collection: 'workspaces', id, status: 'stopped' });
    await docker('rmi', '-f', ...names);
    expect(await docker('images', '-q', names[0]!)).toBe('');
    await request(pb, 'workspace', id, 'start');
    await reaches(pb, { collection: 'workspaces', id, status: 'running' });
    expect(await containersOf(id)).toEqual([container]);
    await docker('rm', '-f', container);
    const failed = await reaches(pb, { collection: 'workspaces', id, status: 'error' });
    expect(failed.statusMessage).toContain('is not on this host. Build it again.');
    expect(await containersOf(id)).toEqual([]);
    await request(pb, 'image', own.id, 'build');
    await reaches(pb, { collection: 'images', id: own.id, status: 'build_finished' });
    await request(pb, 'workspace', id, 'start');
    await reaches(pb, { collection: 'workspaces', id, status: 'running' });
    expect(await containersOf(id)).toHaveLength(1);
  }, 60_000);

  it('the names of an image that a container holds can be taken away, and the next container is made from it', async () => {
    const { id, container, names } = await runOnOwn('nameless');
    await docker('rmi', '-f', ...names);
    await request(pb, 'workspace', id, 'redeploy');
    await eventually('a new container alone', async () => {
      const [only, ...more] = await containersOf(id);
      return more.length === 0 && only !== container;
    });
    await reaches(pb, { collection: 'workspaces', id, status: 'running' });
  }, 60_000);
});
