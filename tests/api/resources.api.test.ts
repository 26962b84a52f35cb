import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { workspaces } from '@/lib/collections/workspaces';
import { env } from '@/lib/env';
import type { AnyRow } from '@/lib/records/collection';
import { StoreReader } from '@/lib/records/transaction';
import { open } from '@/lib/secrets';
import { call, send } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { everything } from '../setup/snapshot';
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

openPrivateDatabase();

const who = {} as Record<'guest' | 'admin' | 'owner' | 'stranger' | 'user', { id: string }>;
const row = {} as Record<string, AnyRow>;
const url = (name: string, id?: unknown) => `/api/collections/${name}/records${id ? `/${String(id)}` : ''}`;

beforeAll(async () => {
  who.admin = await createPerson({ isAdmin: true });
  for (const name of ['owner', 'stranger', 'user'] as const) who[name] = await createPerson();
  const created_by = who.owner.id;
  row.host = await createHost({ name: 'alpha', created_by });
  row.far = await createHost({ name: 'far', created_by });
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

const problem = (code: string, message?: string) => expect.objectContaining({ code, ...(message && { message }) });
const missing = problem('validation_missing_rel_records');

interface Refusal {
  name: string;
  as?: keyof typeof who;
  collection: string;
  id?: () => unknown;
  method?: string;
  body?: () => AnyRow;
  status?: number;
  data?: () => AnyRow;
}

const workspace = (values: AnyRow) => ({ name: 'w', host: row.host!.id, image: row.image!.id, ...values });
const onHost = (values: AnyRow) => ({ name: 'v', host: row.host!.id, ...values });
const id = (name: string) => String(row[name]!.id);

const refusals: Refusal[] = [
  {
    name: 'a guest lists nothing to write',
    collection: 'volumes',
    body: () => onHost({}),
    data: () => ({ host: missing }),
  },
  {
    name: 'a volume on a host that is not seen',
    as: 'stranger',
    collection: 'volumes',
    body: () => onHost({}),
    data: () => ({ host: missing }),
  },
  {
    name: 'a volume without canCreateVolumeMounts',
    as: 'user',
    collection: 'volumes',
    body: () => onHost({}),
    data: () => ({ host: problem('validation_not_allowed') }),
  },
  {
    name: 'a bind mount without canCreateBindMounts',
    as: 'user',
    collection: 'volumes',
    body: () => onHost({ path_on_host: '/srv' }),
    data: () => ({ host: problem('validation_not_allowed') }),
  },
  {
    name: 'a bind mount of a relative path',
    as: 'owner',
    collection: 'volumes',
    body: () => onHost({ path_on_host: '../etc' }),
    data: () => ({ path_on_host: problem('validation_invalid_path') }),
  },
  {
    name: 'a volume on a host that is off',
    as: 'owner',
    collection: 'volumes',
    body: () => onHost({ host: row.off!.id }),
    data: () => ({ host: problem('validation_disabled') }),
  },
  {
    name: 'a volume name twice on a host',
    as: 'owner',
    collection: 'volumes',
    body: () => onHost({ name: 'data' }),
    data: () => ({ name: problem('validation_not_unique'), host: problem('validation_not_unique') }),
  },
  {
    name: 'a volume without name and host',
    as: 'owner',
    collection: 'volumes',
    body: () => ({}),
    data: () => ({ name: problem('validation_required'), host: problem('validation_required') }),
  },
  {
    name: 'a volume moved to another host',
    as: 'owner',
    collection: 'volumes',
    method: 'PATCH',
    id: () => row.volume!.id,
    body: () => ({ host: row.far!.id }),
    data: () => ({ host: problem('validation_in_invalid') }),
  },
  {
    name: 'a volume changed by a stranger',
    as: 'stranger',
    collection: 'volumes',
    method: 'PATCH',
    id: () => row.volume!.id,
    status: 404,
  },
  {
    name: 'a volume removed by one who may modify',
    as: 'user',
    collection: 'volumes',
    method: 'DELETE',
    id: () => row.second!.id,
    status: 404,
  },
  {
    name: 'a network without canCreateNetworks',
    as: 'user',
    collection: 'networks',
    body: () => onHost({}),
    data: () => ({ host: problem('validation_not_allowed') }),
  },
  {
    name: 'a network name twice on a host',
    as: 'owner',
    collection: 'networks',
    body: () => onHost({ name: 'net' }),
    data: () => ({ name: problem('validation_not_unique'), host: problem('validation_not_unique') }),
  },
  {
    name: 'a domain by a user',
    as: 'owner',
    collection: 'domains',
    body: () => ({ url: 'new.example.org' }),
    data: () => ({}),
  },
  {
    name: 'a domain that is an address',
    as: 'admin',
    collection: 'domains',
    body: () => ({ url: 'https://example.org/' }),
    data: () => ({ url: problem('validation_invalid_domain') }),
  },
  {
    name: 'a domain twice, in other letters',
    as: 'admin',
    collection: 'domains',
    body: () => ({ url: 'EXAMPLE.org' }),
    data: () => ({ url: problem('validation_not_unique') }),
  },
  {
    name: 'an external file without an address',
    as: 'user',
    collection: 'files',
    body: () => ({ name: 'x', type: 'external' }),
    data: () => ({ url: problem('validation_required') }),
  },
  {
    name: 'an external file that is no web address',
    as: 'user',
    collection: 'files',
    body: () => ({ name: 'x', type: 'external', url: 'file:///etc/passwd' }),
    data: () => ({ url: problem('validation_invalid_url') }),
  },
  {
    name: 'an upload without a file',
    as: 'user',
    collection: 'files',
    body: () => ({ name: 'x', type: 'upload' }),
    data: () => ({ file: problem('validation_required', 'Please upload a file.') }),
  },
  {
    name: 'a file name twice',
    as: 'user',
    collection: 'files',
    body: () => ({ name: 'notes', type: 'external', url: 'https://example.org/b' }),
    data: () => ({ name: problem('validation_not_unique') }),
  },
  {
    name: 'a recommendation by a user',
    as: 'user',
    collection: 'recommendations',
    body: () => ({ name: 'x', kind: 'image' }),
    data: () => ({}),
  },
  {
    name: 'a recommendation of an unknown kind',
    as: 'admin',
    collection: 'recommendations',
    body: () => ({ name: 'x', kind: 'host' }),
    data: () => ({ kind: problem('validation_invalid_value') }),
  },
  {
    name: 'a grant by one who owns nothing',
    as: 'stranger',
    collection: 'volume_permissions',
    body: () => ({ user: who.stranger.id, volume: id('volume'), attach: true }),
    data: () => ({}),
  },
  {
    name: 'a grant twice',
    as: 'owner',
    collection: 'volume_permissions',
    body: () => ({ user: who.user.id, volume: id('second'), attach: true }),
    data: () => ({ user: problem('validation_not_unique'), volume: problem('validation_not_unique') }),
  },
  {
    name: 'a volume that may not be attached, one that is not seen, one without a path',
    as: 'user',
    collection: 'workspaces',
    body: () => workspace({ volumes: [id('second')] }),
    data: () => ({
      volumes: problem('validation_not_allowed'),
      volumePaths: { [id('second')]: { path: problem('validation_required') } },
    }),
  },
  {
    name: 'a volume and a network that are not seen',
    as: 'user',
    collection: 'workspaces',
    body: () =>
      workspace({
        volumes: [id('volume')],
        networks: [id('network')],
        volumePaths: { [id('volume')]: { path: '/data' } },
      }),
    data: () => ({ volumes: missing, networks: missing }),
  },
  {
    name: 'a domain that may not be used',
    as: 'user',
    collection: 'workspaces',
    body: () => workspace({ externalUrls: [{ scheme: 'https', subdomain: 'a', domain: id('domain'), port: 80 }] }),
    data: () => ({ externalUrls: { 0: { domain: problem('validation_not_allowed') } } }),
  },
  {
    name: 'two volumes at one path',
    as: 'owner',
    collection: 'workspaces',
    body: () =>
      workspace({
        volumes: [id('volume'), id('second')],
        volumePaths: { [id('volume')]: { path: '/data' }, [id('second')]: { path: '/data/' } },
      }),
    data: () => ({
      volumePaths: { [id('second')]: { path: problem('validation_duplicate', 'Duplicate path on workspace.') } },
    }),
  },
  {
    name: 'a volume and a domain of another host',
    as: 'owner',
    collection: 'workspaces',
    body: () =>
      workspace({
        volumes: [id('farVolume')],
        volumePaths: { [id('farVolume')]: { path: '/data' } },
        externalUrls: [{ scheme: 'https', domain: id('farDomain'), port: 80 }],
      }),
    data: () => ({
      volumes: problem('validation_wrong_host'),
      externalUrls: { 0: { domain: problem('validation_wrong_host') } },
    }),
  },
  {
    name: 'paths of volumes that are not there, relative ones, unknown keys',
    as: 'owner',
    collection: 'workspaces',
    body: () => workspace({ volumePaths: { abc: { path: 'data', mode: 'rw' } } }),
    data: () => ({
      volumePaths: { abc: { path: problem('validation_invalid_value'), mode: problem('validation_unknown_field') } },
    }),
  },
  {
    name: 'a port that is none',
    as: 'owner',
    collection: 'workspaces',
    body: () => workspace({ externalUrls: [{ scheme: 'https', domain: id('domain'), port: 0 }] }),
    data: () => ({
      externalUrls: { 0: { port: problem('validation_invalid_value', 'Port must be between 1 and 65535') } },
    }),
  },
  {
    name: 'an address without scheme, domain and port',
    as: 'owner',
    collection: 'workspaces',
    body: () => workspace({ externalUrls: [{}] }),
    data: () => ({
      externalUrls: {
        0: {
          scheme: problem('validation_invalid_value'),
          domain: problem('validation_invalid_value'),
          port: problem('validation_invalid_value'),
        },
      },
    }),
  },
  {
    name: 'an address twice, and one with nobody to let in',
    as: 'owner',
    collection: 'workspaces',
    body: () =>
      workspace({
        externalUrls: [
          { scheme: 'https', subdomain: 'a', domain: id('domain'), port: 80 },
          { scheme: 'https', subdomain: 'a', domain: id('domain'), port: 81 },
          { scheme: 'https', subdomain: 'b', domain: id('domain'), port: 80, authentication: 'basic' },
        ],
      }),
    data: () => ({
      externalUrls: { 1: { subdomain: problem('validation_duplicate') }, 2: { users: problem('validation_required') } },
    }),
  },
  {
    name: 'a recommendation that does not exist',
    as: 'owner',
    collection: 'workspaces',
    body: () => workspace({ applied_recommendations: ['aaaaaaaaaaaaaaa'] }),
    data: () => ({ applied_recommendations: missing }),
  },
  {
    name: 'an image with a file that is not seen',
    as: 'user',
    collection: 'images',
    body: () => ({ name: 'i', build_on: row.host!.id, baseImage: 'ubuntu:24.04', files: [id('file')] }),
    data: () => ({ files: missing }),
  },
  {
    name: 'an image with more than 99 files',
    as: 'owner',
    collection: 'images',
    body: () => ({
      name: 'i',
      build_on: row.host!.id,
      baseImage: 'ubuntu:24.04',
      files: Array.from({ length: 100 }, (_, index) => String(index).padStart(15, 'f')),
    }),
    data: () => ({ files: problem('validation_too_many_values') }),
  },
  {
    name: 'paths of files that the image has not',
    as: 'owner',
    collection: 'images',
    body: () => ({ name: 'i', build_on: row.host!.id, baseImage: 'ubuntu:24.04', filePaths: { abc: '/a' } }),
    data: () => ({ filePaths: { abc: problem('validation_invalid_value') } }),
  },
];

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
  expect(open(stored.externalUrls![0]!.users[0]!.password)).toBe('hush');
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
