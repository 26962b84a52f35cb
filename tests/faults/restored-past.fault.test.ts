import PocketBase, { type RecordModel } from 'pocketbase';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { BASE_IMAGE, ENDS_AT_ONCE, engineIsThere, ensureBaseImage } from '../setup/docker';
import {
  admin,
  buildImage,
  cleanHost,
  containersOf,
  isRunning,
  localHost,
  PASSWORD,
  reaches,
  request,
  setUp,
} from '../setup/journey';

describe.skipIf(!engineIsThere())('a console that was restored from a backup', () => {
  let berth: ConsoleProcess;
  let pb: PocketBase;
  let host: RecordModel;

  beforeAll(async () => {
    await ensureBaseImage();
    berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'docker' } });
    pb = await setUp(berth.url);
    host = await localHost(pb);
  });

  afterAll(async () => {
    await berth?.dispose();
    if (host) await cleanHost(host.id);
  });

  const unknown = async () => {
    const { items } = await pb.send<{ items: { id: string; isRunning: boolean }[] }>(
      `/api/host/${host.id}/unknown`,
      {},
    );
    return items;
  };
  const act = (id: string, what: 'adopt' | 'remove', body?: object) =>
    pb.send(`/api/host/${host.id}/unknown/${id}/${what}`, { method: 'POST', body });

  it('lists containers made since, to be adopted or removed, and closes a build that was under way', async () => {
    const image = await buildImage(pb, host.id, { name: 'restored-base', dockerfile: ENDS_AT_ONCE });
    const dockerfile = `FROM ${BASE_IMAGE}\nRUN sleep 60\n`;
    const values = { name: 'half-built', build_on: host.id, creationType: 'writeDockerfile', dockerfile };
    const half = await pb.collection('images').create(values);
    await request(pb, 'image', half.id, 'build');
    await reaches(pb, { collection: 'images', id: half.id, status: 'building' });
    const owner = new PocketBase(berth.url);
    await owner.admins.authWithPassword(admin.email, PASSWORD);
    await owner.backups.create('before.zip');
    await request(pb, 'image', half.id, 'cancelBuild');

    const make = async (name: string) => {
      const { id } = await pb.collection('workspaces').create({ name, host: host.id, image: image.id });
      await request(pb, 'workspace', id, 'start');
      await reaches(pb, { collection: 'workspaces', id, status: 'running' });
      return id;
    };
    const [kept, dropped] = [await make('kept'), await make('dropped')];
    await owner.backups.restore('before.zip');

    const listed = await eventually('the host tells what is not known', async () => {
      const items = await unknown();
      return items.length === 2 ? items : undefined;
    });
    expect(listed.map(({ id }) => id).sort()).toEqual([kept, dropped].sort());
    expect(listed.every((each) => each.isRunning)).toBe(true);
    const closed = await pb.collection('images').getOne(half.id);
    expect(closed).toMatchObject({ status: 'error', statusMessage: expect.stringContaining('restored') as string });
    expect(await pb.collection('builds').getFullList({ filter: 'status = "building"' })).toEqual([]);

    await act(dropped, 'remove');
    await eventually('the container is gone', async () => (await containersOf(dropped)).length === 0);
    const [before] = await containersOf(kept);
    expect(await isRunning(before!)).toBe(true);
    const adopted = await act(kept, 'adopt', { name: 'kept', image: image.id });
    expect(adopted).toMatchObject({ id: kept, host: host.id, name: 'kept' });
    await request(pb, 'workspace', kept, 'start');
    await reaches(pb, { collection: 'workspaces', id: kept, status: 'running' });
    await eventually('one container is left', async () => (await containersOf(kept)).length === 1);
    await eventually('nothing is unknown', async () => (await unknown()).length === 0);
  }, 120_000);
});
