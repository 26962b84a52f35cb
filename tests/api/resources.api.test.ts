import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { workspaces } from '@/lib/workspaces/collection';
import { env } from '@/lib/env';
import { StoreReader } from '@/lib/records/transaction';
import { open } from '@/lib/secrets';
import { call, send } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { everything } from '../setup/snapshot';
import { who, row, url, problem, workspace, onHost, id, refusals } from './resource-refusals';
import {
  createDomain,
  createFile,
  createHost,
  createImage,
  createNetwork,
  createPerson,
  createRecommendation,
  createVolume,
  grantTo,
} from '../setup/world';
import { fileProxy } from '../setup/file-proxy';

openPrivateDatabase();

beforeAll(async () => {
  who.admin = await createPerson({ isAdmin: true });
  for (const name of ['owner', 'stranger', 'user'] as const) who[name] = await createPerson();
  const created_by = who.owner.id;
  row.host = await createHost({ name: 'alpha', created_by, reverse_proxy: fileProxy });
  row.far = await createHost({ name: 'far', created_by, reverse_proxy: fileProxy });
  row.off = await createHost({ name: 'off', created_by, enabled: false });
  row.image = await createImage({ name: 'base', created_by, build_on: row.host.id });
  row.volume = await createVolume({ name: 'data', created_by, host: row.host.id });
  row.second = await createVolume({ name: 'more', created_by, host: row.host.id });
  row.farVolume = await createVolume({ name: 'data', created_by, host: row.far.id });
  row.network = await createNetwork({ name: 'net', created_by, host: row.host.id });
  row.domain = await createDomain({ url: 'example.org', created_by, host: row.host.id });
  row.farDomain = await createDomain({ url: 'far.example.org', created_by, host: row.far.id });
  row.file = await createFile({ name: 'notes', created_by });
  row.tip = await createRecommendation({ name: 'tip' });
  await grantTo(who.user, 'host', { on: row.host, flags: ['canCreateWorkspaces', 'canCreateImages', 'view'] });
  await grantTo(who.user, 'image', { on: row.image, flags: ['deploy'] });
  await grantTo(who.user, 'volume', { on: row.second, flags: ['modify'] });
  await grantTo(who.user, 'domain', { on: row.domain, flags: ['modify'] });
});

describe('refuses and changes nothing', () => {
  test.each(refusals)('$name', async ({ as, collection, id: idOf, method = 'POST', body, status = 400, data }) => {
    const before = everything();
    const options = { as: as && who[as], body: body?.() };
    const answer = await call(method, url(collection, idOf?.()), options);
    expect({ status: answer.status, data: answer.json.data }).toEqual({ status, data: data?.() ?? {} });
    expect(everything()).toBe(before);
  });
});

test('volumes and networks wait until their host has made them', async () => {
  for (const name of ['volumes', 'networks']) {
    const body = onHost({ name: 'fresh', status: 'created', created_by: who.stranger.id });
    const { json } = await call('POST', url(name), { as: who.owner, body });
    expect(json).toMatchObject({ name: 'fresh', status: 'pending', statusMessage: '', created_by: who.owner.id });
    expect((await call('DELETE', url(name, json.id), { as: who.owner })).status).toBe(204);
  }
});

test('a workspace holds volumes, networks, addresses and recommendations, and they hold it', async () => {
  const body = workspace({
    volumes: [id('volume')],
    volumePaths: { [id('volume')]: { path: '/data' } },
    networks: [id('network')],
    applied_recommendations: [id('tip')],
    externalUrls: [
      {
        scheme: 'https',
        subdomain: 'a',
        domain: id('domain'),
        port: 8080,
        authentication: 'basic',
        users: [{ username: 'mara', password: 'hush' }],
      },
    ],
  });
  const expand = 'volumes,networks,applied_recommendations';
  const made = await call('POST', `${url('workspaces')}?expand=${expand}`, { as: who.owner, body });
  expect(made.json).toMatchObject({
    volumes: [id('volume')],
    volumePaths: { [id('volume')]: { path: '/data', readOnly: false } },
    externalUrls: [{ users: [{ username: 'mara', password: '' }] }],
    expand: { volumes: [{ name: 'data' }], networks: [{ name: 'net' }], applied_recommendations: [{ name: 'tip' }] },
  });
  const one = url('workspaces', made.json.id);
  await call('PATCH', one, { as: who.owner, body: { externalUrls: made.json.externalUrls } });
  const stored = new StoreReader().get(workspaces, String(made.json.id))!;
  expect(open(stored.externalUrls![0]!.users[0]!.password)).toMatch(/^bcrypt:\$2b\$10\$/);
  for (const [collection, name] of [
    ['volumes', 'volume'],
    ['networks', 'network'],
    ['domains', 'domain'],
  ] as const) {
    const blocked = await call('DELETE', url(collection, id(name)), { as: who.admin });
    expect([blocked.status, blocked.json.message]).toEqual([400, expect.stringContaining('Used by the workspace w.')]);
  }
  const filter = encodeURIComponent("workspaces_via_volumes.name ?= 'w'");
  const { json } = await call('GET', `${url('volumes')}?filter=${filter}`, { as: who.owner });
  expect(json.items).toMatchObject([{ name: 'data' }]);
  const emptied = await call('PATCH', one, { as: who.owner, body: { 'volumes-': id('volume') } });
  expect(emptied.json).toMatchObject({ volumes: [], volumePaths: {} });
});

test('a file keeps its upload behind a token, and stays while an image uses it', async () => {
  const form = new FormData();
  form.set('name', 'script');
  form.set('content_type', 'image/png');
  form.set('file', new File(['echo hello'], '../../etc/My Script.sh'));
  const { json } = await call('POST', url('files'), { as: who.owner, body: form });
  expect(json).toMatchObject({ type: 'upload', size: 10, content_type: 'text/plain', url: '' });
  expect(json.file).toMatch(/^my_script_\w{10}\.sh$/);
  const address = `/api/files/files/${String(json.id)}/${String(json.file)}`;
  expect((await send(address)).status).toBe(403);
  expect((await send(address, { as: who.owner })).status).toBe(403);
  const tokenOf = async (as: { id: string }) => (await call('POST', '/api/files/token', { as })).json.token as string;
  expect((await send(`${address}?token=${await tokenOf(who.stranger)}`)).status).toBe(403);
  const opened = await send(`${address}?token=${await tokenOf(who.owner)}`);
  expect([opened.status, await opened.text()]).toEqual([200, 'echo hello']);
  const image = { name: 'i', build_on: row.host!.id, baseImage: 'ubuntu:24.04', files: [json.id] };
  const made = await call('POST', `${url('images')}?expand=files`, { as: who.owner, body: image });
  expect(made.json).toMatchObject({ expand: { files: [{ name: 'script' }] }, filePaths: {} });
  const blocked = await call('DELETE', url('files', json.id), { as: who.owner });
  expect([blocked.status, blocked.json.message]).toEqual([400, expect.stringContaining('Used by the image i.')]);
  await call('PATCH', url('images', made.json.id), { as: who.owner, body: { files: [] } });
  expect((await call('DELETE', url('files', json.id), { as: who.owner })).status).toBe(204);
  const folder = path.join(env().dataDir, 'storage/berthfiles00001', String(json.id));
  await expect.poll(() => fs.existsSync(folder)).toBe(false);
});

test('a domain is written in lower case; deleting its host frees it', async () => {
  const host = await createHost({ created_by: who.owner.id });
  const body = { url: 'Apps.Example.com', host: host.id };
  const { json } = await call('POST', url('domains'), { as: who.admin, body });
  expect(json).toMatchObject({ url: 'apps.example.com', host: host.id });
  await call('DELETE', url('hosts', host.id), { as: who.admin });
  expect((await call('GET', url('domains', json.id), { as: who.admin })).json).toMatchObject({ host: '' });
});

test('a recommendation keeps its versions and may be known by its id on a server once', async () => {
  const server = 'https://tips.example.org/index.json';
  const body = {
    kind: 'workspace',
    name: 'shm',
    server,
    serverId: 'shm',
    versions: [{ version: '1', apply: { shmSize: 1 } }],
  };
  const { json } = await call('POST', url('recommendations'), { as: who.admin, body });
  expect(json).toMatchObject({ enabled: true, versions: [{ version: '1', match: {}, deprecated: false }] });
  const again = await call('POST', url('recommendations'), { as: who.admin, body });
  expect(again.json.data).toEqual({
    server: problem('validation_not_unique'),
    serverId: problem('validation_not_unique'),
  });
});

test('a login permission is given once per address', async () => {
  const made = await call('POST', url('workspaces'), { as: who.owner, body: workspace({ name: 'login' }) });
  const body = { user: who.user.id, workspace: made.json.id, url: 'https://a.example.org' };
  expect((await call('POST', url('workspace_login_permissions'), { as: who.owner, body })).status).toBe(200);
  const again = await call('POST', url('workspace_login_permissions'), { as: who.owner, body });
  expect(again.json).toMatchObject({ code: 400, message: 'Selected user already has permission to this workspace.' });
  const other = { ...body, url: 'https://b.example.org' };
  expect((await call('POST', url('workspace_login_permissions'), { as: who.owner, body: other })).status).toBe(200);
  expect((await call('GET', url('workspace_login_permissions'), { as: who.user })).json.totalItems).toBe(2);
});

describe('login permissions come and go', () => {
  const internal = (subdomain: string) => ({
    scheme: 'https',
    subdomain,
    domain: row.domain!.id,
    port: 80,
    authentication: 'internal',
  });
  const loginsOf = async (workspaceId: unknown) => {
    const path = `${url('workspace_login_permissions')}?filter=${encodeURIComponent(`workspace="${String(workspaceId)}"`)}`;
    const { json } = await call('GET', path, { as: who.admin });
    return (json.items as { user: string; url: string }[]).map((item) => [item.user, item.url]).sort();
  };
  const change = (id: unknown, body: object) => call('PATCH', url('workspaces', String(id)), { as: who.admin, body });

  test('with the permission on the workspace, and with the address', async () => {
    const urls = [internal('lab'), { ...internal('open'), authentication: 'none' }];
    const body = workspace({ name: 'follows', externalUrls: urls });
    const { json: made } = await call('POST', url('workspaces'), { as: who.admin, body });
    expect(await loginsOf(made.id)).toEqual([]);
    const grant = { user: who.user.id, workspace: made.id, view: true };
    const given = await call('POST', url('workspace_permissions'), { as: who.admin, body: grant });
    expect(await loginsOf(made.id)).toEqual([[who.user.id, 'https://lab.example.org']]);
    await change(made.id, { externalUrls: [internal('lab'), internal('two')] });
    expect(await loginsOf(made.id)).toEqual([
      [who.user.id, 'https://lab.example.org'],
      [who.user.id, 'https://two.example.org'],
    ]);
    await change(made.id, { externalUrls: [internal('two')] });
    expect(await loginsOf(made.id)).toEqual([[who.user.id, 'https://two.example.org']]);
    await call('DELETE', url('workspace_permissions', String(given.json.id)), { as: who.admin });
    expect(await loginsOf(made.id)).toEqual([]);
  });
});

describe('host ports', () => {
  const ports = [{ containerPort: 80, hostPort: 18_080 }];
  const create = (as: typeof who.owner, body: object) =>
    call('POST', url('workspaces'), { as, body: workspace({ portMappings: ports, ...body }) });
  const taken = (by: string) => ({
    portMappings: {
      0: { hostPort: { code: 'validation_port_taken', message: `Host port 18080 is taken on alpha by ${by}.` } },
    },
  });

  test('are told as taken, by name only to whoever may see who has them', async () => {
    expect((await create(who.owner, { name: 'holder' })).status).toBe(200);
    expect((await create(who.owner, { name: 'second' })).json.data).toEqual(taken('holder'));
    expect((await create(who.user, { name: 'third' })).json.data).toEqual(taken('another workspace'));
  });

  test('are looked at when a template becomes a workspace', async () => {
    const made = await create(who.owner, { name: 'pattern', template: true });
    expect(made.status).toBe(200);
    const body = { template: false };
    const change = await call('PATCH', url('workspaces', String(made.json.id)), { as: who.owner, body });
    expect([change.status, change.json.data]).toEqual([400, taken('holder')]);
  });
});
