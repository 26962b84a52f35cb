import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { workspacePermissions } from '@/lib/workspaces/permissions';
import { workspaces } from '@/lib/workspaces/collection';
import { users } from '@/lib/accounts/collection';
import { collections } from '@/lib/api/collections';
import { newId } from '@/lib/ids';
import { readableOutlet } from '@/lib/outlet';
import { realtimeHub } from '@/lib/realtime/hub';
import { deleteRecord } from '@/lib/records/remover';
import type * as statements from '@/lib/records/statements';
import { updateRecord } from '@/lib/records/writer';
import { write } from '@/lib/records/transaction';
import type { Actor } from '@/lib/policies/actor';
import { call, send } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { createHost, createImage, createPerson, createWorkspace, grantTo } from '../setup/world';

const counted = vi.hoisted(() => ({ statements: 0 }));
vi.mock('@/lib/records/statements', async (original) => {
  const actual = await original<typeof statements>();
  return {
    ...actual,
    prepare(sql: string) {
      counted.statements += 1;
      return actual.prepare(sql);
    },
  };
});

openPrivateDatabase();

interface Listener {
  id: string;
  /** Events since the last look: name and data. */
  take(): Promise<{ event: string; data: { action: string; record: Record<string, unknown> } }[]>;
  close(): void;
}

const open: Listener[] = [];

async function connect(): Promise<Listener> {
  const abort = new AbortController();
  const response = await send('/api/realtime', { signal: abort.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  let text = '';
  const reader = response.body!.getReader();
  void (async () => {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (done) return;
      text += Buffer.from(value as Uint8Array).toString();
    }
  })();
  await expect.poll(() => text).toContain('\n\n');
  const id = /^id:(\w{40})\nevent:PB_CONNECT\ndata:\{"clientId":"\1"\}\n\n$/.exec(text)![1]!;
  text = '';
  const listener = {
    id,
    async take() {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const frames = text.split('\n\n').filter((frame) => frame !== '' && !frame.startsWith(':'));
      text = '';
      return frames.map((frame) => {
        const [, idLine, event, data] = /^id:(.*)\nevent:(.*)\ndata:(.*)$/.exec(frame)!;
        expect(idLine).toBe(id);
        return { event: event!, data: JSON.parse(data!) as { action: string; record: Record<string, unknown> } };
      });
    },
    close: () => abort.abort(),
  };
  open.push(listener);
  return listener;
}

function subscribe(listener: Listener, as: { id: string } | undefined, subscriptions: string[]) {
  return call('POST', '/api/realtime', { as, body: { clientId: listener.id, subscriptions } });
}

const root: Actor = { kind: 'system' };
let owner: { id: string };
let stranger: { id: string };
let workspaceId = '';

beforeAll(async () => {
  owner = await createPerson();
  stranger = await createPerson();
});
beforeEach(async () => {
  const host = await createHost();
  const image = await createImage({ build_on: host.id });
  workspaceId = String((await createWorkspace({ created_by: owner.id, host: host.id, image: image.id })).id);
});
afterAll(() => open.forEach((listener) => listener.close()));

const rename = (name: string) => updateRecord(workspaces, root, { id: workspaceId, body: { name } });

test('tells those who may see a record, under the name they asked by', async () => {
  const [mine, theirs] = [await connect(), await connect()];
  const withOptions = `workspaces/*?options=${encodeURIComponent(JSON.stringify({ query: { fields: 'name,expand.host.id', expand: 'host', filter: "name = 'renamed'" } }))}`;
  expect(
    (
      await subscribe(mine, owner, [
        'workspaces/*',
        `${workspaces.id}/${workspaceId}`,
        withOptions,
        'Workspaces/*',
        'a\nb',
      ])
    ).status,
  ).toBe(204);
  await subscribe(theirs, stranger, ['workspaces/*']);
  await rename('renamed');
  const events = await mine.take();
  expect(events.map(({ event }) => event)).toEqual(['workspaces/*', withOptions, `${workspaces.id}/${workspaceId}`]);
  expect(events[0]!.data).toMatchObject({
    action: 'update',
    record: { id: workspaceId, name: 'renamed', environmentVariables: [] },
  });
  expect(events[1]!.data.record).toEqual({ name: 'renamed' });
  expect(await theirs.take()).toEqual([]);
  await subscribe(mine, owner, []);
  await rename('silent');
  expect(await mine.take()).toEqual([]);
});

test('a change is heard under each form of its topic, by collection name and by id', async () => {
  const listener = await connect();
  const forms = [workspaces.name, workspaces.id].flatMap((name) => [name, `${name}/*`, `${name}/${workspaceId}`]);
  await subscribe(listener, owner, forms);
  await rename('in every form');
  expect((await listener.take()).map(({ event }) => event).sort()).toEqual(forms.sort());
});

test.each(collections.map((collection) => [collection.name, collection] as const))(
  'a change of %s is told to whom may see it',
  async (_, collection) => {
    const listener = realtimeHub().connect(readableOutlet());
    const told: string[] = [];
    listener.send = (name) => void told.push(name);
    // Notices are for the person alone whom they tell.
    const isPersonal = collection.name === 'time_notices';
    const actor: Actor = isPersonal ? { kind: 'user', id: owner.id, isAdmin: false } : root;
    realtimeHub().subscribe(listener.id, { actor, names: [`${collection.name}/*`] });
    const empty = Object.fromEntries(collection.map.columns.map(({ key, defaultValue }) => [key, defaultValue]));
    const row = { ...empty, id: newId(), tokenKey: newId(), ...(isPersonal && { user: owner.id }) };
    await write((tx) => tx.insert(collection as never, row as never));
    expect(told).toEqual([`${collection.name}/*`]);
    listener.close();
  },
);

test('a grant counts at once, and its holder hears of the deletion', async () => {
  const listener = await connect();
  await subscribe(listener, stranger, ['workspaces/*']);
  const grant = await grantTo(stranger, 'workspace', { on: { id: workspaceId }, flags: ['attach'] });
  await rename('seen');
  expect(await listener.take()).toHaveLength(1);
  await write((tx) => tx.remove(workspacePermissions, String(grant.id)));
  await rename('unseen');
  expect(await listener.take()).toEqual([]);
  await grantTo(stranger, 'workspace', { on: { id: workspaceId }, flags: ['view'] });
  await deleteRecord(workspaces, root, workspaceId);
  expect((await listener.take()).map(({ data }) => [data.action, data.record.id])).toEqual([['delete', workspaceId]]);
});

test('a refused or undone write says nothing', async () => {
  const listener = await connect();
  await subscribe(listener, owner, ['workspaces/*']);
  await expect(updateRecord(workspaces, root, { id: workspaceId, body: { name: '' } })).rejects.toThrow();
  await expect(
    write((tx) => {
      tx.remove(workspaces, workspaceId);
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  expect(await listener.take()).toEqual([]);
});

test('keeps to one identity, and falls back to a guest when its key changes', async () => {
  const listener = await connect();
  expect((await subscribe(listener, undefined, ['workspaces/*'])).status).toBe(204);
  await subscribe(listener, owner, ['workspaces/*']);
  for (const other of [stranger, undefined]) {
    const answer = await subscribe(listener, other, []);
    expect([answer.status, answer.json.message]).toEqual([
      403,
      "The current and the previous request authorization don't match.",
    ]);
  }
  await write((tx) => tx.patch(users, owner.id, { tokenKey: 'k'.repeat(50) }));
  await rename('quiet');
  expect(await listener.take()).toEqual([]);
});

test('refuses what is no subscription', async () => {
  const listener = await connect();
  expect((await subscribe({ ...listener, id: 'nope' }, owner, [])).json).toMatchObject({
    code: 404,
    message: 'Missing or invalid client id.',
  });
  expect((await subscribe({ ...listener, id: '' }, owner, [])).json.data).toMatchObject({
    clientId: { code: 'validation_required' },
  });
  expect((await subscribe(listener, owner, ['x', 'y'.repeat(2501)])).json.data).toMatchObject({
    subscriptions: { 1: expect.anything() as unknown },
  });
  expect((await subscribe(listener, owner, Array.from({ length: 1001 }, String))).status).toBe(400);
});

test('keeps little of guests, of whom there may be any number', async () => {
  const listener = await connect();
  const topics = (count: number) => Array.from({ length: count }, (_, at) => `${at}/${'x'.repeat(1000)}`);
  expect((await subscribe(listener, undefined, topics(17))).json.data).toMatchObject({
    subscriptions: { code: 'validation_length_too_long' },
  });
  expect((await subscribe(listener, undefined, topics(15))).status).toBe(204);
  expect((await subscribe(listener, owner, topics(500))).status).toBe(204);
});

test('forgets clients that go and drops those that do not read', async () => {
  const before = realtimeHub().size;
  const listener = await connect();
  listener.close();
  await expect.poll(() => realtimeHub().size).toBe(before);
  const slow = realtimeHub().connect(readableOutlet());
  for (let count = 0; count < 20; count += 1) slow.send('x', 'y'.repeat(100_000));
  await expect.poll(() => realtimeHub().size).toBe(before);
});

test('one change costs one load of grants, however many listen', async () => {
  const clients = Array.from({ length: 2000 }, () => realtimeHub().connect(readableOutlet()));
  for (const [index, client] of clients.entries()) {
    client.actor = { kind: 'user', id: `someone${index}`, isAdmin: false };
    realtimeHub().subscribe(client.id, { actor: client.actor, names: ['workspaces/*'] });
  }
  counted.statements = 0;
  const start = performance.now();
  await rename('to many');
  expect(performance.now() - start).toBeLessThan(500);
  expect(counted.statements).toBeLessThan(25);
  for (const client of clients) client.close();
});
