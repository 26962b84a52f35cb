import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { endSessionById } from '@/lib/auth/sessions';
import { builds } from '@/lib/images/builds';
import { groupMembers } from '@/lib/groups/members';
import { imagePermissions } from '@/lib/images/permissions';
import { images } from '@/lib/images/collection';
import { users } from '@/lib/accounts/collection';
import { workspaces } from '@/lib/workspaces/collection';
import { nowMs, setClock } from '@/lib/clock';
import { serveNode } from '@/lib/http/node-door';
import { dropSingleton } from '@/lib/singleton';
import { readableOutlet } from '@/lib/outlet';
import { realtimeHub } from '@/lib/realtime/hub';
import type { AnyRow, Collection } from '@/lib/records/collection';
import { write } from '@/lib/records/transaction';
import { call, kernel } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { signInPage } from '../setup/page-session';
import { createGroup, createHost, createImage, createPerson, createWorkspace, grantTo } from '../setup/world';

openPrivateDatabase();

interface Client {
  id: string;
  stream: Readable;
}

const SWEEP_MS = 25_000;
const clients: Client[] = [];
let owner: { id: string };
let stranger: { id: string };
let host: AnyRow;
let image: AnyRow;
let workspace: AnyRow;

beforeAll(async () => {
  // The hub's own timer is turned by hand.
  vi.useFakeTimers({ toFake: ['setInterval'] });
  dropSingleton('realtime-hub');
  realtimeHub();
  vi.advanceTimersByTime(1);
  owner = await createPerson();
});
beforeEach(async () => {
  stranger = await createPerson();
  host = await createHost({ created_by: owner.id });
  image = await createImage({ created_by: owner.id, build_on: host.id });
  workspace = await createWorkspace({ created_by: owner.id, host: host.id, image: image.id });
});
afterEach(() => clients.splice(0).forEach(({ stream }) => stream.destroy()));
afterAll(() => {
  realtimeHub().closeAll();
  vi.useRealTimers();
});

function connect(): Client {
  const outlet = readableOutlet();
  const { stream } = outlet;
  const { id } = realtimeHub().connect(outlet);
  const client = { id, stream };
  stream.read();
  clients.push(client);
  return client;
}

const subscribe = (client: Client, as: { id: string } | undefined, subscriptions: string[]) =>
  call('POST', '/api/realtime', { as, body: { clientId: client.id, subscriptions } });

async function listen(as: { id: string } | undefined, ...topics: string[]): Promise<Client> {
  const client = connect();
  expect((await subscribe(client, as, topics)).status).toBe(204);
  return client;
}

interface Heard {
  action: string;
  record: AnyRow;
}

/** What came since the last look. */
function heard({ stream }: Client): Heard[] {
  const text = String(stream.read() ?? '');
  return [...text.matchAll(/^data:(.*)$/gm)].map(([, data]) => JSON.parse(data!) as Heard);
}
const actions = (client: Client) => heard(client).map(({ action }) => action);
const patch = (collection: Collection, row: { id?: unknown }, values: AnyRow = {}) =>
  write((tx) => tx.patch(collection, String(row.id), values as never));
const withOptions = (topic: string, query: object) =>
  `${topic}?options=${encodeURIComponent(JSON.stringify({ query, headers: { 'x-a': '1' } }))}`;

describe('rights are asked for at every event', () => {
  test('a grant given and taken away, also on what hangs on it', async () => {
    const client = await listen(stranger, 'images/*', 'builds/*', `images/${String(image.id)}`);
    const build = await write((tx) => tx.insert(builds, { image: String(image.id), number: 1 } as never));
    const touch = async () => {
      await patch(images, image);
      await patch(builds, build as AnyRow);
      return actions(client).length;
    };
    expect(await touch()).toBe(0);
    const grant = await grantTo(stranger, 'image', { on: image, flags: ['view'] });
    heard(client);
    expect(await touch()).toBe(3);
    await patch(imagePermissions, grant, { view: false });
    expect(await touch()).toBe(0);
    await write((tx) => tx.remove(imagePermissions, String(grant.id)));
    expect(await touch()).toBe(0);
  });

  test('a group joined and left, and what it holds', async () => {
    const group = await createGroup([await createPerson()]);
    const onGroup = await grantTo({ group }, 'image', { on: image, flags: ['view'] });
    const client = await listen(stranger, 'images/*', 'image_permissions/*', 'group_members/*', 'groups/*');
    const other = await listen(await createPerson(), 'images/*', 'image_permissions/*', 'group_members/*');
    const touched = async () => {
      await patch(images, image);
      return actions(client);
    };
    expect(await touched()).toEqual([]);
    const membership = await write((tx) =>
      tx.insert(groupMembers, { group: String(group.id), user: stranger.id, source: 'manual' }),
    );
    expect(heard(client)).toMatchObject([{ action: 'create', record: { id: membership.id, user: stranger.id } }]);
    expect(await touched()).toEqual(['update']);
    await write((tx) => tx.remove(groupMembers, membership.id));
    expect(heard(client)).toMatchObject([{ action: 'delete', record: { id: membership.id } }]);
    expect(await touched()).toEqual([]);
    await write((tx) => tx.insert(groupMembers, { group: String(group.id), user: stranger.id, source: 'manual' }));
    heard(client);
    const admin = await createPerson({ isAdmin: true });
    expect((await call('DELETE', `/api/collections/groups/records/${String(group.id)}`, { as: admin })).status).toBe(
      204,
    );
    const deleted = heard(client).map(({ action, record }) => [action, record.collectionName, record.id]);
    expect(deleted).toContainEqual(['delete', 'image_permissions', onGroup.id]);
    expect(deleted).toContainEqual(['delete', 'groups', group.id]);
    expect(deleted.filter(([, name]) => name === 'group_members')).toHaveLength(2);
    expect(await touched()).toEqual([]);
    expect(heard(other)).toEqual([]);
  });

  test('an admin who is one no longer', async () => {
    const admin = await createPerson({ isAdmin: true });
    const client = await listen(admin, 'workspaces/*');
    await patch(workspaces, workspace);
    expect(actions(client)).toEqual(['update']);
    await patch(users, admin, { isAdmin: false });
    await patch(workspaces, workspace);
    expect(actions(client)).toEqual([]);
    await patch(users, admin, { isAdmin: true });
    await patch(workspaces, workspace);
    expect(actions(client)).toEqual(['update']);
  });

  test('a record that changes hands', async () => {
    const [old, next] = [await listen(owner, 'workspaces/*'), await listen(stranger, 'workspaces/*')];
    await patch(workspaces, workspace, { created_by: stranger.id });
    expect([actions(old), actions(next)]).toEqual([[], ['update']]);
  });

  test('an account that is deleted', async () => {
    const client = await listen(stranger, 'recommendations/*', 'users/*');
    await write((tx) => tx.remove(users, stranger.id));
    heard(client);
    await patch(users, owner);
    expect(actions(client)).toEqual([]);
  });
});

describe('options of a topic', () => {
  test('a filter lets a record through while it matches; one that stops matching goes quiet', async () => {
    const client = await listen(owner, withOptions('workspaces/*', { filter: "name = 'wanted'" }));
    for (const name of ['other', 'wanted', 'wanted', 'other', 'wanted']) await patch(workspaces, workspace, { name });
    expect(heard(client).map(({ action, record }) => [action, record.name])).toEqual([
      ['update', 'wanted'],
      ['update', 'wanted'],
      ['update', 'wanted'],
    ]);
    await write((tx) => tx.remove(workspaces, String(workspace.id)));
    expect(heard(client)).toMatchObject([{ action: 'delete', record: { id: workspace.id, name: 'wanted' } }]);
  });

  test('a deletion outside the filter, or unseen, is not told', async () => {
    const filtered = await listen(owner, withOptions('workspaces/*', { filter: "name = 'wanted'" }));
    const unseen = await listen(stranger, 'workspaces/*', `workspaces/${String(workspace.id)}`);
    await write((tx) => tx.remove(workspaces, String(workspace.id)));
    expect([heard(filtered), heard(unseen)]).toEqual([[], []]);
  });

  test.each([
    'nope = 1',
    '(',
    "@request.auth.id != ''",
    '@collection.users.id = 1',
    "tokenKey != ''",
    `${'('.repeat(900)}`,
  ])('a filter that is none never matches: %s', async (filter) => {
    const client = await listen(owner, withOptions('workspaces/*', { filter }), 'workspaces/*');
    await patch(workspaces, workspace);
    expect(actions(client)).toEqual(['update']);
  });

  test('an expansion shows what the listener may see, fields pick from it', async () => {
    const options = { expand: 'host,image', fields: 'id,expand.host.id,expand.image.name' };
    const mine = await listen(owner, withOptions('workspaces/*', options));
    const theirs = await listen(stranger, withOptions('workspaces/*', options));
    await grantTo(stranger, 'workspace', { on: workspace, flags: ['view'] });
    await patch(workspaces, workspace);
    const { id } = workspace;
    expect(heard(mine)).toEqual([
      { action: 'update', record: { id, expand: { host: { id: host.id }, image: { name: image.name } } } },
    ]);
    const [told] = heard(theirs);
    expect(told!.record).toEqual({ id });
  });

  test.each(['options=%', 'options=[]', 'options={"query":1}', 'options={"query":{"fields":7}}', 'x'])(
    'that can not be read count as none: %s',
    async (search) => {
      const client = await listen(owner, `workspaces/*?${search}`);
      await patch(workspaces, workspace);
      expect(heard(client)).toMatchObject([{ action: 'update', record: { id: workspace.id } }]);
    },
  );
});

describe('who listens', () => {
  test('a guest becomes someone, a newer token goes on, nobody else comes in', async () => {
    const client = await listen(undefined, 'workspaces/*');
    await patch(workspaces, workspace);
    expect(actions(client)).toEqual([]);
    expect((await subscribe(client, owner, ['workspaces/*'])).status).toBe(204);
    expect((await subscribe(client, owner, ['workspaces/*'])).status).toBe(204);
    for (const other of [stranger, undefined]) {
      expect((await subscribe(client, other, ['users/*'])).status).toBe(403);
    }
    await patch(workspaces, workspace);
    expect(actions(client)).toEqual(['update']);
  });

  test('a new password makes a guest, who may sign in on the same stream', async () => {
    const client = await listen(owner, 'workspaces/*');
    await patch(users, owner, { tokenKey: 'k'.repeat(50) });
    await patch(workspaces, workspace);
    expect(actions(client)).toEqual([]);
    expect((await subscribe(client, owner, ['workspaces/*'])).status).toBe(204);
    await patch(workspaces, workspace);
    expect(actions(client)).toEqual(['update']);
  });

  test('a session that is ended closes the stream it listens by, and no other', async () => {
    const [here, there] = [await signInPage(owner), await signInPage(owner)];
    const [ended, kept] = [connect(), connect()];
    for (const [client, { token }] of [
      [ended, here],
      [kept, there],
    ] as const) {
      const body = { clientId: client.id, subscriptions: ['workspaces/*'] };
      expect((await call('POST', '/api/realtime', { token, body })).status).toBe(204);
    }
    const closed = new Promise((resolve) => ended.stream.once('end', resolve));
    expect(await write((tx) => endSessionById(tx, owner.id, here.id))).toBe(true);
    await patch(workspaces, workspace);
    ended.stream.resume();
    await closed;
    expect(actions(kept)).toEqual(['update']);
    expect((await subscribe(ended, owner, [])).status).toBe(404);
  });
});

test('a thousand topics are heard, one more is refused and leaves them as they were', async () => {
  const others = Array.from({ length: 999 }, (_, index) => `workspaces/${String(index).padStart(15, 'x')}`);
  const client = await listen(owner, ...others, 'workspaces/*');
  const refused = await subscribe(client, owner, [...others, 'a', 'b']);
  expect(refused.json.data).toMatchObject({ subscriptions: { code: 'validation_length_too_long' } });
  await patch(workspaces, workspace);
  expect(actions(client)).toEqual(['update']);
});

test('a stream that says nothing for five minutes ends; any message begins them anew', async () => {
  const start = nowMs();
  let passedMs = 0;
  const restore = setClock(() => start + passedMs);
  const [silent, busy] = [await listen(owner), await listen(owner, 'workspaces/*')];
  const pass = (ms: number) => {
    passedMs += ms;
    vi.advanceTimersByTime(SWEEP_MS);
  };
  pass(200_000);
  await patch(workspaces, workspace);
  pass(99_000);
  expect([silent, busy].map(({ stream }) => String(stream.read()).includes(':\n\n'))).toEqual([true, true]);
  const ended = new Promise((resolve) => silent.stream.once('end', resolve));
  pass(2000);
  silent.stream.resume();
  await ended;
  expect(busy.stream.readableEnded).toBe(false);
  expect((await subscribe(silent, owner, [])).status).toBe(404);
  expect((await subscribe(busy, owner, [])).status).toBe(204);
  restore();
});

test('a reader that does not read is dropped, and what waited for it goes', async () => {
  const server = http.createServer((request, response) => void serveNode(kernel, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const before = realtimeHub().size;
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET /api/realtime HTTP/1.1\r\nhost: x\r\n\r\n');
  const first = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
  socket.pause();
  const id = /id:(\w{40})/.exec(first.toString())?.[1];
  const description = 'd'.repeat(2000);
  const topics = ['workspaces/*', `workspaces/${String(workspace.id)}`, `${workspaces.id}/*`, 'workspaces'];
  expect(
    (await call('POST', '/api/realtime', { as: owner, body: { clientId: id, subscriptions: topics } })).status,
  ).toBe(204);
  const memory = process.memoryUsage().rss;
  let writes = 0;
  while (realtimeHub().size > before && writes < 4000) {
    for (let count = 0; count < 50; count += 1) await patch(workspaces, workspace, { description });
    writes += 50;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(realtimeHub().size).toBe(before);
  expect(writes).toBeGreaterThan(50);
  expect((process.memoryUsage().rss - memory) / 2 ** 20).toBeLessThan(150);
  socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
