import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builds } from '@/lib/images/builds';
import { hosts } from '@/lib/hosts/collection';
import { images } from '@/lib/images/collection';
import { workspaces } from '@/lib/workspaces/collection';
import { newId } from '@/lib/ids';
import type { AnyRow, Collection } from '@/lib/records/collection';
import { StoreReader, write } from '@/lib/records/transaction';
import { readableOutlet } from '@/lib/outlet';
import { realtimeHub } from '@/lib/realtime/hub';
import { api, sendApi } from '../setup/api';
import { openPrivateDatabase } from '../setup/database';
import { createHost, createImage, createPerson, createUser, createWorkspace, grantTo } from '../setup/world';

openPrivateDatabase();

let owner: { id: string };
let other: { id: string };

beforeAll(async () => {
  owner = await createPerson();
  other = await createPerson({ language: 'de' });
});
afterAll(() => realtimeHub().closeAll());

const statusOf = async (method: string, path: string, body?: unknown) =>
  (await api(method, path, { as: other, body })).status;

const records = (collection: string, id = '') => `/api/collections/${collection}/records${id && `/${id}`}`;

/** Opens a stream and says at once what it answered. */
async function streamStatus(path: string): Promise<number> {
  const abort = new AbortController();
  const response = await sendApi('GET', path, { as: other, signal: abort.signal });
  await response.body?.cancel();
  abort.abort();
  return response.status;
}

/** Whether the other person sees a record: in a list, alone, and in what realtime tells of it; all three must agree. */
async function sees(collection: Collection, row: AnyRow): Promise<boolean> {
  const id = String(row.id);
  const list = await api('GET', `${records(collection.name)}?filter=${encodeURIComponent(`id = "${id}"`)}`, {
    as: other,
  });
  const one = await statusOf('GET', records(collection.name, id));
  const outlet = readableOutlet();
  const client = realtimeHub().connect(outlet);
  outlet.stream.read();
  const subscriptions = [`${collection.name}/*`, `${collection.name}/${id}`];
  expect(await statusOf('POST', '/api/realtime', { clientId: client.id, subscriptions })).toBe(204);
  await write((tx) => tx.patch(collection, id, {} as never));
  const heard = String(outlet.stream.read() ?? '').split('event:').length - 1;
  outlet.stream.destroy();
  const isSeen = one === 200;
  expect([list.json.totalItems, heard]).toEqual(isSeen ? [1, 2] : [0, 0]);
  expect(one).toBe(isSeen ? 200 : 404);
  return isSeen;
}

async function place(): Promise<{ host: AnyRow; image: AnyRow; workspace: AnyRow }> {
  const host = await createHost({ created_by: owner.id });
  const image = await createImage({ created_by: owner.id, build_on: host.id, buildNumber: 1, imageId: 'sha256:1' });
  const build = { image: String(image.id), host: String(host.id), number: 1, status: 'build_finished' };
  await write((tx) => tx.insert(builds, build));
  const workspace = await createWorkspace({ created_by: owner.id, host: host.id, image: image.id });
  return { host, image, workspace };
}

describe('a workspace of somebody else', () => {
  const unseen = {
    seen: false,
    start: 404,
    disable: 404,
    remove: 404,
    update: 404,
    logs: 404,
    changes: 404,
    drop: 404,
  };
  const seen = { seen: true, start: 403, disable: 403, remove: 403, update: 404, logs: 503, changes: 200, drop: 404 };

  test.each([
    { flags: [], ...unseen },
    { flags: ['view'], ...seen },
    { flags: ['attach'], ...seen },
    { flags: ['deploy'], ...seen, start: 202 },
    { flags: ['modify'], ...seen, disable: 202, update: 200 },
    { flags: ['delete'], ...seen, remove: 202, drop: 204 },
  ])('with $flags', async ({ flags, ...expected }) => {
    const { workspace, host, image } = await place();
    const { workspace: second } = await place();
    // To deploy takes rights on what is deployed, too.
    await grantTo(other, 'host', { on: host, flags: ['canCreateWorkspaces'] });
    await grantTo(other, 'image', { on: image, flags: ['deploy'] });
    for (const on of [workspace, second]) {
      if (flags.length > 0) await grantTo(other, 'workspace', { on, flags });
    }
    const id = String(workspace.id);
    const path = `/api/workspace/${id}`;
    const isSeen = await sees(workspaces, workspace);
    const before = new StoreReader().get(workspaces, id);
    const got = {
      seen: isSeen,
      logs: await streamStatus(`${path}/logs`),
      changes: await statusOf('GET', `${path}/changes`),
      update: await statusOf('PATCH', records('workspaces', id), { description: 'theirs' }),
      disable: await statusOf('POST', `${path}/request`, { action: 'disable' }),
      start: await statusOf('POST', `${path}/request`, { action: 'start' }),
      remove: await statusOf('POST', `${path}/request`, { action: 'delete' }),
      drop: await statusOf('DELETE', records('workspaces', String(second.id))),
    };
    expect(got).toEqual(expected);
    const isDenied = [got.update, got.disable, got.start, got.remove].every((status) => status >= 400);
    if (isDenied) expect(new StoreReader().get(workspaces, id)).toEqual(before);
    if (got.drop === 404) expect(new StoreReader().get(workspaces, String(second.id))).toBeDefined();
  });

  test('its `can` flags say the same', async () => {
    const { workspace } = await place();
    await grantTo(other, 'workspace', { on: workspace, flags: ['attach', 'delete'] });
    const { json } = await api('GET', `${records('workspaces', String(workspace.id))}?can=1`, { as: other });
    expect(json.can).toEqual({ view: true, deploy: false, attach: true, modify: false, delete: true, share: false });
  });

  test('nobody gives themselves more, nor deletes without the host', async () => {
    const { workspace } = await place();
    const grant = await grantTo(other, 'workspace', { on: workspace, flags: ['view', 'delete'] });
    const given = records('workspace_permissions');
    const { workspace: unseen } = await place();
    const third = await createPerson();
    for (const [user, on] of [
      [other, workspace],
      [other, unseen],
      [third, workspace],
    ] as const) {
      expect(await statusOf('POST', given, { user: user.id, workspace: on.id, view: true })).toBe(400);
    }
    expect(await statusOf('PATCH', records('workspace_permissions', String(grant.id)), { deploy: true })).toBe(404);
    expect(await statusOf('DELETE', records('workspace_permissions', String(grant.id)))).toBe(404);
    const force = `/api/workspace/${String(workspace.id)}/request?force=1`;
    expect(await statusOf('POST', force, { action: 'delete' })).toBe(403);
  });
});

describe('an image of somebody else', () => {
  const unseen = { seen: false, build: 404, update: 404, log: 404, remove: 404, use: false };
  const seen = { seen: true, build: 403, update: 404, log: 200, remove: 404, use: false };

  test.each([
    { flags: [], ...unseen },
    { flags: ['view'], ...seen },
    { flags: ['deploy'], ...seen, use: true },
    { flags: ['build'], ...seen, build: 202 },
    { flags: ['modify'], ...seen, update: 200 },
    { flags: ['delete'], ...seen, remove: 204 },
  ])('with $flags', async ({ flags, ...expected }) => {
    const { host, image } = await place();
    const unused = await createImage({ created_by: owner.id, build_on: host.id });
    await grantTo(other, 'host', { on: host, flags: ['canCreateWorkspaces', 'canCreateImages'] });
    for (const on of [image, unused]) if (flags.length > 0) await grantTo(other, 'image', { on, flags });
    const id = String(image.id);
    const isSeen = await sees(images, image);
    const workspace = { name: newId(), host: host.id, image: id };
    const made = await api('POST', records('workspaces'), { as: other, body: workspace });
    if (made.status !== 200) expect(Object.keys(made.json.data as object)).toEqual(['image']);
    expect({
      seen: isSeen,
      use: made.status === 200,
      log: await streamStatus(`/api/image/${id}/build-log?follow=0`),
      update: await statusOf('PATCH', records('images', id), { description: 'theirs' }),
      build: await statusOf('POST', `/api/image/${id}/request`, { action: 'build' }),
      remove: await statusOf('DELETE', records('images', String(unused.id))),
    }).toEqual(expected);
  });
});

describe('a host of somebody else', () => {
  const unseen = { seen: false, workspace: ['host'], image: ['build_on'] };
  const seen = { ...unseen, seen: true };

  test.each([
    { flags: [], ...unseen },
    { flags: ['view'], ...seen },
    { flags: ['canCreateWorkspaces'], ...seen, workspace: [] },
    { flags: ['canCreateImages'], ...seen, image: [] },
    { flags: ['canCreateBindMounts'], ...seen },
    { flags: ['canCreateNetworks'], ...seen },
    { flags: ['canCreateVolumeMounts'], ...seen },
  ])('with $flags', async ({ flags, ...expected }) => {
    const { host } = await place();
    const own = await createImage({ created_by: other.id, build_on: host.id });
    if (flags.length > 0) await grantTo(other, 'host', { on: host, flags });
    const wrongFields = async (collection: string, body: unknown) =>
      Object.keys(
        ((await api('POST', records(collection), { as: other, body })).json.data as object | undefined) ?? {},
      );
    const name = newId();
    expect({
      seen: await sees(hosts, host),
      workspace: await wrongFields('workspaces', { name, host: host.id, image: own.id }),
      image: await wrongFields('images', { name, build_on: host.id, baseImage: 'busybox' }),
    }).toEqual(expected);
    const id = String(host.id);
    expect(await statusOf('PATCH', records('hosts', id), { enabled: false })).toBe(404);
    expect(await statusOf('DELETE', records('hosts', id))).toBe(404);
    expect(await statusOf('POST', '/api/hosts/join-token', { name: 'mine' })).toBe(403);
    expect(await statusOf('GET', records('settings'))).toBe(200);
    expect((await api('GET', records('settings'), { as: other })).json.totalItems).toBe(0);
  });
});

describe('other people', () => {
  const shown = ['avatar', 'collectionId', 'collectionName', 'created', 'emailVisibility', 'id', 'name', 'updated'];

  test('are seen by name, without e-mail, role and language', async () => {
    const boss = await createUser({ isAdmin: true, language: 'fr', username: 'boss' });
    const { json } = await api('GET', records('users', boss.id), { as: other });
    expect(Object.keys(json).sort()).toEqual([...shown, 'username', 'verified']);
    const own = await api('GET', records('users', other.id), { as: other });
    expect(own.json).toMatchObject({ isAdmin: false, language: 'de', email: expect.any(String) as string });
    const asAdmin = await api('GET', records('users', other.id), { as: boss });
    expect(asAdmin.json).toMatchObject({ isAdmin: false, language: 'de', email: expect.any(String) as string });
    const { workspace } = await place();
    await write((tx) => tx.patch(workspaces, String(workspace.id), { created_by: boss.id }));
    await grantTo(other, 'workspace', { on: workspace, flags: ['view'] });
    const expanded = await api('GET', `${records('workspaces', String(workspace.id))}?expand=created_by`, {
      as: other,
    });
    const { created_by: creator } = expanded.json.expand as Record<string, AnyRow>;
    expect(Object.keys(creator!).sort()).toEqual([...shown, 'username', 'verified']);
  });

  test.each(['isAdmin = true', "language = 'fr'", "email ~ '@'", 'isAdmin != false', "language ~ 'f'"])(
    'can not be found out by the filter %s',
    async (filter) => {
      const query = `?filter=${encodeURIComponent(`(${filter}) && username = 'boss'`)}`;
      const found = await api('GET', `${records('users')}${query}`, { as: other });
      expect([found.status, found.json.totalItems]).toEqual([200, 0]);
      const related = `?filter=${encodeURIComponent(filter.replace(/^(\w+)/, 'created_by.$1'))}`;
      const through = await api('GET', `${records('workspaces')}${related}`, { as: other });
      expect([through.status, through.json.totalItems]).toEqual([200, 0]);
    },
  );

  test('can not be told apart by a sort', async () => {
    const order = async (sort: string) => {
      const { json } = await api('GET', `${records('users')}?sort=${sort}&filter=id!='${other.id}'`, { as: other });
      return (json.items as AnyRow[]).map(({ id }) => id);
    };
    expect(await order('-isAdmin')).toEqual(await order('isAdmin'));
    expect(await order('-language')).toEqual(await order('language'));
  });

  test('can not be changed, made or removed', async () => {
    expect(await statusOf('PATCH', records('users', owner.id), { name: 'x' })).toBe(404);
    expect(await statusOf('DELETE', records('users', owner.id))).toBe(404);
    const made = { username: 'third', password: 'Berth!pass1', passwordConfirm: 'Berth!pass1' };
    expect(await statusOf('POST', records('users'), made)).toBe(400);
    expect(await statusOf('PATCH', records('users', other.id), { isAdmin: true })).toBe(400);
  });
});
