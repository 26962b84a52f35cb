import PocketBase, { type RecordModel } from 'pocketbase';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setUp } from '../setup/journey';
import { clientOf, joinHost, type SdkTarget } from '../setup/sdk-target';

/** What the published client does with records, files and events. One text, run against every target. */
export function describeSdkRecords(open: () => Promise<SdkTarget>): void {
  let target: SdkTarget;
  let pb: PocketBase;
  let host: RecordModel;
  let image: RecordModel;

  beforeAll(async () => {
    target = await open();
    pb = await setUp(target.url);
    host = await joinHost(target, pb, "it's");
    const dockerfile = 'FROM scratch\n';
    image = await pb
      .collection('images')
      .create({ name: 'base', build_on: host.id, creationType: 'writeDockerfile', dockerfile });
  });
  afterAll(() => target.close());

  test('the published client lists, reads, writes and listens', async () => {
    const workspaces = pb.collection('workspaces');
    const heard: string[] = [];
    const hosts: unknown[] = [];
    const stop = await workspaces.subscribe(
      '*',
      ({ action, record }) => {
        heard.push(`${action} ${String(record.name)}`);
        hosts.push(record.expand?.host);
      },
      { expand: 'host' },
    );
    const made = await workspaces.create({ name: 'one', host: host.id, image: image.id, arguments: ['a'] });
    for (const name of ['two', 'three']) await workspaces.create({ name, host: host.id, image: image.id });
    expect(await workspaces.getFullList({ batch: 2, sort: '-name', fields: 'name' })).toEqual([
      { name: 'two' },
      { name: 'three' },
      { name: 'one' },
    ]);
    const found = await workspaces.getFirstListItem(
      pb.filter('host.name = {:name} && name ~ {:part}', { name: "it's", part: 'thr' }),
    );
    expect(found.name).toBe('three');
    await expect(workspaces.getFirstListItem("name = 'none'")).rejects.toMatchObject({ status: 404 });
    const form = new FormData();
    form.set('description', '007');
    form.append('@jsonPayload', JSON.stringify({ arguments: ['b', 'c'] }));
    expect(await workspaces.update(made.id, form)).toMatchObject({ description: '007', arguments: ['b', 'c'] });
    expect(await workspaces.getOne(made.id, { expand: 'host,image' })).toMatchObject({
      expand: { host: { name: "it's" } },
    });
    expect(await workspaces.delete(made.id)).toBe(true);
    await expect(workspaces.getOne(made.id)).rejects.toMatchObject({ status: 404, response: { code: 404, data: {} } });
    await expect.poll(() => heard).toEqual(['create one', 'create two', 'create three', 'update one', 'delete one']);
    expect(hosts).toEqual(heard.map(() => expect.objectContaining({ name: "it's" }) as unknown));
    await stop();
  });

  test('a listener hears what its filter lets through, in the fields it asked for, until it stops', async () => {
    const tips = pb.collection('recommendations');
    const heard: unknown[] = [];
    const query = { filter: "kind = 'image'", fields: 'name' };
    const stop = await tips.subscribe('*', ({ action, record }) => heard.push([action, record]), query);
    await tips.create({ kind: 'workspace', name: 'not heard' });
    const made = await tips.create({ kind: 'image', name: 'heard' });
    await tips.update(made.id, { name: 'renamed' });
    await tips.update(made.id, { kind: 'workspace' });
    await tips.delete(made.id);
    const last = await tips.create({ kind: 'image', name: 'last' });
    await expect.poll(() => heard.length).toBe(3);
    expect(heard).toEqual([
      ['create', { name: 'heard' }],
      ['update', { name: 'renamed' }],
      ['create', { name: 'last' }],
    ]);
    await stop();
    await tips.delete(last.id);
    expect(heard).toHaveLength(3);
  });

  test('a client that lost its stream comes back with all its topics', async () => {
    const tips = pb.collection('recommendations');
    const heard: unknown[] = [];
    const connects: string[] = [];
    await pb.realtime.subscribe('PB_CONNECT', () => connects.push(pb.realtime.clientId));
    await tips.subscribe('*', ({ record }) => heard.push(record.name));
    await expect.poll(() => connects.length).toBe(1);
    // What a lost connection looks like to the client.
    (pb.realtime as unknown as { eventSource: EventSource }).eventSource.onerror!(new Event('error'));
    await expect.poll(() => connects.length, { timeout: 5000 }).toBe(2);
    expect(connects[0]).not.toBe(connects[1]);
    await expect.poll(() => pb.realtime.isConnected).toBe(true);
    const made = await tips.create({ kind: 'image', name: 'after' });
    await expect.poll(() => heard).toEqual(['after']);
    await tips.delete(made.id);
    await pb.realtime.unsubscribe();
  });

  test('a full list runs over pages of 500', async () => {
    const tips = pb.collection('recommendations');
    const names = Array.from({ length: 505 }, (_, index) => `full ${String(index).padStart(3, '0')}`);
    for (let at = 0; at < names.length; at += 101) {
      await Promise.all(names.slice(at, at + 101).map((name) => tips.create({ kind: 'image', name })));
    }
    const options = { filter: "name ~ 'full %'", sort: 'name', fields: 'id,name' };
    for (const batch of [undefined, 200, 1000]) {
      const all = await tips.getFullList({ ...options, ...(batch && { batch }) });
      expect(all.map(({ name }) => name as string)).toEqual(names);
    }
    const page = await tips.getList(2, 1000, options);
    expect([page.page, page.perPage, page.totalItems, page.totalPages, page.items.length]).toEqual([2, 500, 505, 2, 5]);
  });

  test.each([
    "it's",
    '"quoted"',
    'C:\\temp',
    "x\\' || id != null //",
    'a && b',
    '%',
    'ünï©ode 🐳',
    'two\nlines',
    '0',
    'true',
    'null',
  ])('a placeholder keeps %j a value', async (name) => {
    const tips = pb.collection('recommendations');
    const made = await tips.create({ kind: 'workspace', name });
    const found = await tips.getFullList({ filter: pb.filter('name = {:name}', { name }) });
    expect(found.map(({ id }) => id)).toEqual([made.id]);
    await tips.delete(made.id);
  });

  test('placeholders of other kinds', async () => {
    const tips = pb.collection('recommendations');
    const made = await tips.create({ kind: 'workspace', name: 'kinds', enabled: true });
    const created = new Date(made.created);
    const raw = 'name = {:name} && enabled = {:yes} && created = {:created} && server = {:none} && {:one} = 1';
    const filter = pb.filter(raw, { name: 'kinds', yes: true, created, none: null, one: 1 });
    expect((await tips.getFirstListItem(filter)).id).toBe(made.id);
    await tips.delete(made.id);
  });

  describe('files', () => {
    test('are uploaded, named, scaled and dropped', async () => {
      const picture = await sharp({ create: { width: 640, height: 320, channels: 3, background: 'teal' } })
        .png()
        .toBuffer();
      const [workspace] = await pb.collection('workspaces').getFullList();
      const icon = new File([new Uint8Array(picture)], 'My Icon.png');
      const updated = await pb.collection('workspaces').update(workspace!.id, { icon, arguments: ['x'] });
      expect(updated.arguments).toEqual(['x']);
      expect(updated.icon).toMatch(/^my_icon_\w{10}\.png$/);
      const url = pb.files.getUrl(updated, String(updated.icon), { thumb: '100x100' });
      const opened = await Promise.all([fetch(url), fetch(url), fetch(url)]);
      for (const response of opened) {
        expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
        const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
        expect([width, height]).toEqual([100, 100]);
      }
      const whole = await fetch(pb.files.getUrl(updated, String(updated.icon)));
      expect(Buffer.from(await whole.arrayBuffer()).equals(picture)).toBe(true);
      await pb.collection('workspaces').update(workspace!.id, { icon: null });
      expect((await fetch(url)).status).toBe(404);
    });

    test('that are protected open to a file token alone', async () => {
      const file = await pb.collection('files').create({ name: 'notes', file: new File(['hello'], 'notes.txt') });
      const open = (token: string) => fetch(pb.files.getUrl(file, String(file.file), { token, download: true }));
      const opened = await open(await pb.files.getToken());
      expect([opened.status, await opened.text()]).toEqual([200, 'hello']);
      expect(opened.headers.get('content-disposition')).toBe(`attachment; filename=${String(file.file)}`);
      for (const token of ['', 'x', pb.authStore.token]) expect((await open(token)).status).toBe(403);
      await expect(clientOf(target).files.getToken()).rejects.toMatchObject({ status: 400 });
    });
  });

  test('a request cancels the one before it, unless it is told not to', async () => {
    const own = new PocketBase(target.url);
    own.authStore.save(pb.authStore.token, pb.authStore.model);
    const hosts = own.collection('hosts');
    const [first, second] = await Promise.allSettled([hosts.getList(), hosts.getList()]);
    expect(first).toMatchObject({ status: 'rejected', reason: { isAbort: true, status: 0 } });
    expect(second.status).toBe('fulfilled');
    const both = [hosts.getList(1, 1, { requestKey: null }), hosts.getList(1, 1, { requestKey: null })];
    expect((await Promise.all(both)).map(({ items }) => items.length)).toEqual([1, 1]);
    const filters = ["name = 'it\\'s'", "name != ''"].map((filter) => hosts.getFirstListItem(filter));
    expect((await Promise.all(filters)).map(({ id }) => id)).toEqual([host.id, host.id]);
  });
}
