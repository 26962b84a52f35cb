import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, freePort, startConsole, type ConsoleProcess } from '../setup/console-process';
import { docker, ENDS_AT_ONCE, engineIsThere, ensureBaseImage } from '../setup/docker';
import { buildImage, cleanHost, containersOf, isRunning, localHost, reaches, request, setUp } from '../setup/journey';

/** All that one console has on the engine. */
interface Tenant {
  berth: ConsoleProcess;
  pb: PocketBase;
  host: RecordModel;
  image: RecordModel;
}

describe.skipIf(!engineIsThere())('two consoles that share an engine', () => {
  let one: Tenant;
  let two: Tenant;

  beforeAll(async () => {
    await ensureBaseImage();
    [one, two] = await Promise.all([settle(), settle()]);
  }, 90_000);
  afterAll(async () => {
    for (const tenant of [one, two]) {
      await tenant?.berth.dispose();
      if (tenant) await cleanHost(tenant.host.id);
    }
  });

  /** Both call everything alike. */
  async function settle(): Promise<Tenant> {
    const berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'docker' } });
    const pb = await setUp(berth.url);
    const { id } = await localHost(pb);
    const host = await pb.collection('hosts').update(id, { heartbeat_interval_seconds: 1 });
    return { berth, pb, host, image: await buildImage(pb, id, { name: 'shared', dockerfile: ENDS_AT_ONCE }) };
  }

  function create({ pb, host, image }: Tenant, name: string, portMappings: object[] = []): Promise<RecordModel> {
    return pb.collection('workspaces').create({ name, host: host.id, image: image.id, portMappings });
  }

  async function run(tenant: Tenant, name: string): Promise<{ id: string; container: string }> {
    const { id } = await create(tenant, name);
    await request(tenant.pb, 'workspace', id, 'start');
    await reaches(tenant.pb, { collection: 'workspaces', id, status: 'running' });
    const containers = await containersOf(id);
    expect(containers).toHaveLength(1);
    return { id, container: containers[0]! };
  }

  /** Each once, whatever it is called. */
  const imagesOf = async ({ host }: Tenant) => {
    const ids = await docker('images', '-q', '--no-trunc', '--filter', `label=berth.host=${host.id}`);
    return [...new Set(ids.split('\n').filter(Boolean))].sort();
  };
  const unknownTo = ({ pb, host }: Tenant) => pb.send<{ items: unknown[] }>(`/api/host/${host.id}/unknown`, {});

  it('run workspaces of one name beside each other, and list nothing of the other', async () => {
    const [mine, theirs] = await Promise.all([run(one, 'twin'), run(two, 'twin')]);
    expect(mine.container).not.toBe(theirs.container);
    for (const [tenant, { container }] of [
      [one, mine],
      [two, theirs],
    ] as const) {
      const owner = await docker('inspect', '-f', '{{index .Config.Labels "berth.host"}}', container);
      expect(owner).toBe(tenant.host.id);
      expect((await unknownTo(tenant)).items).toEqual([]);
      expect(await tenant.pb.collection('workspaces').getFullList()).toHaveLength(1);
    }
  });

  it('leave what the other runs alone through stop, redeploy, delete and a restart', async () => {
    const theirs = await run(two, 'kept');
    const since = await docker('inspect', '-f', '{{.State.StartedAt}}', theirs.container);
    const mine = await run(one, 'kept');
    await request(one.pb, 'workspace', mine.id, 'stop');
    await reaches(one.pb, { collection: 'workspaces', id: mine.id, status: 'stopped' });
    await request(one.pb, 'workspace', mine.id, 'redeploy');
    await reaches(one.pb, { collection: 'workspaces', id: mine.id, status: 'running' });
    await one.berth.kill('SIGKILL');
    one.berth = await one.berth.restart();
    await localHost(one.pb);
    await request(one.pb, 'workspace', mine.id, 'delete');
    await eventually('its container is gone', async () => (await containersOf(mine.id)).length === 0);
    expect(await containersOf(theirs.id)).toEqual([theirs.container]);
    expect(await docker('inspect', '-f', '{{.State.StartedAt}}', theirs.container)).toBe(since);
    expect((await two.pb.collection('workspaces').getOne(theirs.id)).status).toBe('running');
  }, 60_000);

  it('want one port: the second is told who stands in the way, and gets it once it is free', async () => {
    const port = await freePort();
    const ports = [{ containerPort: 80, hostPort: port, protocol: 'tcp' }];
    const [mine, theirs] = [await create(one, 'port', ports), await create(two, 'port', ports)];
    await request(one.pb, 'workspace', mine.id, 'start');
    await reaches(one.pb, { collection: 'workspaces', id: mine.id, status: 'running' });
    await request(two.pb, 'workspace', theirs.id, 'start');
    const { statusMessage } = await reaches(two.pb, { collection: 'workspaces', id: theirs.id, status: 'error' });
    expect(statusMessage).toMatch(new RegExp(`${port}.*stop what uses this one`));
    expect(await containersOf(theirs.id)).toEqual([]);
    expect(await isRunning((await containersOf(mine.id))[0]!)).toBe(true);
    await request(one.pb, 'workspace', mine.id, 'stop');
    await reaches(one.pb, { collection: 'workspaces', id: mine.id, status: 'stopped' });
    await request(two.pb, 'workspace', theirs.id, 'start');
    await reaches(two.pb, { collection: 'workspaces', id: theirs.id, status: 'running' });
    expect(await containersOf(theirs.id)).toHaveLength(1);
  }, 60_000);

  it('delete an image of one name and one content, and the other still runs from it', async () => {
    const build = (tenant: Tenant) =>
      buildImage(tenant.pb, tenant.host.id, { name: 'same', dockerfile: `${ENDS_AT_ONCE}LABEL same=1\n` });
    const [mine, theirs] = await Promise.all([build(one), build(two)]);
    const before = await imagesOf(two);
    await request(one.pb, 'image', mine.id, 'delete');
    await eventually('its image is gone', async () => !(await imagesOf(one)).includes(mine.imageId));
    expect(await imagesOf(two)).toEqual(before);
    const { id } = await create({ ...two, image: theirs }, 'on-same');
    await request(two.pb, 'workspace', id, 'start');
    await reaches(two.pb, { collection: 'workspaces', id, status: 'running' });
  }, 60_000);
});
