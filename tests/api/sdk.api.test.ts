import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventSource } from 'eventsource';
import PocketBase, { type RecordModel } from 'pocketbase';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueToken } from '@/lib/auth/tokens';
import { users } from '@/lib/collections/users';
import { serveNode } from '@/lib/http/node-door';
import { realtimeHub } from '@/lib/realtime/hub';
import { StoreReader } from '@/lib/records/transaction';
import { kernel } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { createHost, createImage, createPerson } from '../setup/world';

openPrivateDatabase();

let server: Server;
let pb: PocketBase;
let host: Record<string, unknown>;
let image: Record<string, unknown>;

beforeAll(async () => {
  Object.assign(globalThis, { EventSource });
  server = createServer((request, response) => void serveNode(kernel, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  pb = new PocketBase(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  pb.autoCancellation(false);
  const { id } = await createPerson({ isAdmin: true });
  host = await createHost({ name: "it's" });
  image = await createImage({ build_on: host.id });
  const user = new StoreReader().get(users, id)!;
  pb.authStore.save(issueToken(user, 'auth', users.id), {
    id,
    collectionId: users.id,
    collectionName: 'users',
  } as RecordModel);
});

afterAll(async () => {
  realtimeHub().closeAll();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('the published client lists, reads, writes and listens', async () => {
  const workspaces = pb.collection('workspaces');
  const heard: string[] = [];
  const stop = await workspaces.subscribe('*', ({ action, record }) => heard.push(`${action} ${String(record.name)}`), {
    expand: 'host',
  });
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
  await stop();
});

test('the published client uploads and names files', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const [workspace] = await pb.collection('workspaces').getFullList();
  const updated = await pb
    .collection('workspaces')
    .update(workspace!.id, { icon: new File([png], 'icon.png'), arguments: ['x'] });
  expect(updated.arguments).toEqual(['x']);
  const response = await fetch(pb.files.getUrl(updated, String(updated.icon), { thumb: '100x100' }));
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
});
