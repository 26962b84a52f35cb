import { beforeAll, describe, expect, test } from 'vitest';
import { images } from '@/lib/collections/images';
import { users } from '@/lib/collections/users';
import { workspaces } from '@/lib/collections/workspaces';
import { system } from '@/lib/policies/actor';
import { listenToChanges } from '@/lib/records/changes';
import type { AnyRow } from '@/lib/records/collection';
import { createRecord } from '@/lib/records/writer';
import { StoreReader } from '@/lib/records/transaction';
import { open } from '@/lib/secrets';
import { getDb } from '@/db/client';
import { call } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { createHost, createImage, createPerson, createWorkspace, grantTo } from '../setup/world';

openPrivateDatabase();

const who = {} as Record<'guest' | 'admin' | 'owner' | 'stranger' | 'modifier', { id: string }>;
const row = {} as Record<'host' | 'other' | 'image' | 'workspace' | 'hidden', AnyRow>;
const events: string[] = [];

beforeAll(async () => {
  const body = {
    username: 'root',
    email: 'root@example.com',
    password: 'Secret123!',
    passwordConfirm: 'Secret123!',
    isAdmin: true,
  };
  who.admin = (await createRecord(users, system, { body })) as { id: string };
  for (const name of ['owner', 'stranger', 'modifier'] as const) who[name] = await createPerson();
  row.host = await createHost({ name: 'alpha', created_by: who.admin.id });
  row.other = await createHost({ name: 'beta', created_by: who.admin.id });
  await grantTo(who.owner, 'host', { on: row.host, flags: ['canCreateImages', 'canCreateWorkspaces'] });
  row.image = await createImage({ name: 'base', created_by: who.owner.id, build_on: row.host.id });
  row.hidden = await createImage({ name: 'hidden', created_by: who.admin.id, build_on: row.host.id });
  const portMappings = [{ containerPort: 80, protocol: 'tcp', hostPort: '8080-8081', hostIp: '' }];
  row.workspace = await createWorkspace({
    name: 'one',
    created_by: who.owner.id,
    host: row.host.id,
    image: row.image.id,
    portMappings,
  });
  await grantTo(who.modifier, 'workspace', { on: row.workspace, flags: ['modify'] });
  listenToChanges({
    onCommitted: (changes) => changes.forEach(({ collection, action }) => events.push(`${collection} ${action}`)),
  });
});

/** Everything that is stored, to see that a refusal changed nothing. */
function everything(): string {
  const tables = [
    'users',
    'hosts',
    'images',
    'workspaces',
    'workspace_permissions',
    'image_permissions',
    'builds',
    'settings',
  ];
  return JSON.stringify(tables.map((table) => getDb().sqlite.prepare(`SELECT * FROM ${table} ORDER BY id`).all()));
}

interface Scenario {
  name: string;
  as?: keyof typeof who;
  method: string;
  url: () => string;
  body?: () => unknown;
  status: number;
  has?: unknown;
  lacks?: string;
}

const collection = (name: string) => `/api/collections/${name}/records`;
const oneWorkspace = () => `${collection('workspaces')}/${String(row.workspace.id)}`;
const newWorkspace = (overrides: AnyRow) => () => ({
  name: 'two',
  host: row.host.id,
  image: row.image.id,
  ...overrides,
});
const problem = (code: string) => expect.objectContaining({ code });

const refused: Scenario[] = [
  {
    name: 'an unknown collection',
    method: 'GET',
    url: () => collection('nope'),
    status: 404,
    has: { code: 404, message: "The requested resource wasn't found.", data: {} },
  },
  {
    name: 'a page that is no number',
    as: 'owner',
    method: 'GET',
    url: () => `${collection('hosts')}?page=x`,
    status: 400,
    has: { message: 'Something went wrong while processing your request.', data: {} },
  },
  {
    name: 'a filter on a hidden column',
    as: 'admin',
    method: 'GET',
    url: () => `${collection('users')}?filter=tokenKey~'a'`,
    status: 400,
  },
  {
    name: 'a filter with @request',
    as: 'admin',
    method: 'GET',
    url: () => `${collection('users')}?filter=${encodeURIComponent("@request.auth.id != ''")}`,
    status: 403,
    has: { message: 'Only admins can filter by @request.' },
  },
  {
    name: 'a query string that is too long',
    as: 'owner',
    method: 'GET',
    url: () => `${collection('hosts')}?filter=${'a'.repeat(2100)}`,
    status: 400,
    has: { message: 'Query string is too large.' },
  },
  { name: 'a record that may not be seen', as: 'stranger', method: 'GET', url: oneWorkspace, status: 404 },
  {
    name: 'a change by a stranger',
    as: 'stranger',
    method: 'PATCH',
    url: oneWorkspace,
    body: () => ({ name: 'x' }),
    status: 404,
  },
  { name: 'a change by a guest', method: 'PATCH', url: oneWorkspace, body: () => ({ name: 'x' }), status: 404 },
  { name: 'a delete by one who may only modify', as: 'modifier', method: 'DELETE', url: oneWorkspace, status: 404 },
  {
    name: 'a host made over the API',
    as: 'admin',
    method: 'POST',
    url: () => collection('hosts'),
    body: () => ({ name: 'x' }),
    status: 403,
    has: { message: 'Only admins can perform this action.' },
  },
  {
    name: 'a build made over the API',
    as: 'admin',
    method: 'POST',
    url: () => collection('builds'),
    body: () => ({}),
    status: 403,
  },
  {
    name: 'a user made by a non-admin',
    as: 'owner',
    method: 'POST',
    url: () => collection('users'),
    body: () => ({ username: 'newbie', password: 'Secret123!', passwordConfirm: 'Secret123!' }),
    status: 400,
    has: { message: 'Failed to create record.', data: {} },
  },
  {
    name: 'a workspace without a name',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspaces'),
    body: newWorkspace({ name: '' }),
    status: 400,
    has: {
      message: 'Failed to create record.',
      data: { name: { code: 'validation_required', message: 'Missing required value.' } },
    },
  },
  {
    name: 'all wrong fields at once',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspaces'),
    body: () => ({ name: '', image: 'x' }),
    status: 400,
    has: {
      data: {
        name: problem('validation_required'),
        host: problem('validation_required'),
        image: problem('validation_missing_rel_records'),
      },
    },
  },
  {
    name: 'a workspace on a host that may not be used',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspaces'),
    body: () => ({ name: 'two', host: row.other.id, image: row.image.id }),
    status: 400,
    has: { data: { host: problem('validation_missing_rel_records'), image: problem('validation_wrong_host') } },
  },
  {
    name: 'a workspace with an image that may not be used',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspaces'),
    body: () => ({ name: 'two', host: row.host.id, image: row.hidden.id }),
    status: 400,
    has: { data: { image: problem('validation_missing_rel_records') } },
  },
  {
    name: 'a name that is taken on the host',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspaces'),
    body: newWorkspace({ name: 'one' }),
    status: 400,
    has: {
      data: {
        name: { code: 'validation_not_unique', message: 'Value must be unique.' },
        host: problem('validation_not_unique'),
      },
    },
  },
  {
    name: 'a host port that is taken',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspaces'),
    body: newWorkspace({ portMappings: [{ containerPort: 1, hostPort: 8081 }] }),
    status: 400,
    has: {
      data: {
        portMappings: {
          0: { hostPort: { code: 'validation_port_taken', message: 'Host port 8081 is taken on alpha by one.' } },
        },
      },
    },
  },
  {
    name: 'ranges of unequal length',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspaces'),
    body: newWorkspace({ portMappings: [{ containerPort: '1-3', hostPort: '10-11' }] }),
    status: 400,
    has: { data: { portMappings: { 0: { hostPort: expect.anything() as unknown } } } },
  },
  {
    name: 'an unknown key inside a JSON field',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspaces'),
    body: newWorkspace({ environmentVariables: [{ name: 'A', value: 'b', hidden: true }] }),
    status: 400,
    has: {
      data: {
        environmentVariables: {
          0: { hidden: { code: 'validation_unknown_field', message: 'Unknown field "hidden".' } },
        },
      },
    },
  },
  {
    name: 'a variable named twice',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspaces'),
    body: newWorkspace({
      environmentVariables: [
        { name: 'A', value: '' },
        { name: 'A', value: '' },
      ],
    }),
    status: 400,
    has: { data: { environmentVariables: { 1: { name: problem('validation_duplicate') } } } },
  },
  {
    name: 'an id of the wrong length',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspaces'),
    body: newWorkspace({ id: 'short' }),
    status: 400,
    has: { data: { id: { code: 'validation_length_invalid', message: 'The length must be exactly 15.' } } },
  },
  {
    name: 'an id that is taken',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspaces'),
    body: () => ({ ...newWorkspace({})(), id: row.workspace.id }),
    status: 400,
    has: { data: { id: problem('validation_invalid_id') } },
  },
  {
    name: 'another id on update',
    as: 'owner',
    method: 'PATCH',
    url: oneWorkspace,
    body: () => ({ id: 'aaaaaaaaaaaaaaa' }),
    status: 400,
    has: { data: { id: problem('validation_in_invalid') } },
  },
  {
    name: 'an image without a parseable Dockerfile',
    as: 'owner',
    method: 'POST',
    url: () => collection('images'),
    body: () => ({
      name: 'x',
      build_on: row.host.id,
      creationType: 'writeDockerfile',
      dockerfile: 'FROM scratch\nRUM ls',
    }),
    status: 400,
    has: {
      data: { dockerfile: { code: 'validation_invalid_dockerfile', message: 'Line 2: unknown instruction RUM.' } },
    },
  },
  {
    name: 'a pulled image with a bad name',
    as: 'owner',
    method: 'POST',
    url: () => collection('images'),
    body: () => ({ name: 'x', build_on: row.host.id, creationType: 'pullAnImage', dockerImageName: 'UPPER' }),
    status: 400,
    has: { data: { dockerImageName: { code: 'validation_invalid_format', message: 'Invalid Docker image name!' } } },
  },
  {
    name: 'an image in use deleted',
    as: 'owner',
    method: 'DELETE',
    url: () => `${collection('images')}/${String(row.image.id)}`,
    status: 400,
    has: {
      message:
        'Failed to delete record. Make sure that the record is not part of a required relation reference. Used by the workspace one.',
      data: {},
    },
  },
  {
    name: 'a host in use deleted',
    as: 'admin',
    method: 'DELETE',
    url: () => `${collection('hosts')}/${String(row.host.id)}`,
    status: 400,
  },
  {
    name: 'the last admin deleted',
    as: 'admin',
    method: 'DELETE',
    url: () => `${collection('users')}/${who.admin.id}`,
    status: 400,
  },
  {
    name: 'the last admin demoted',
    as: 'admin',
    method: 'PATCH',
    url: () => `${collection('users')}/${who.admin.id}`,
    body: () => ({ isAdmin: false }),
    status: 400,
    has: { data: { isAdmin: problem('validation_last_admin') } },
  },
  {
    name: 'a promotion of oneself',
    as: 'owner',
    method: 'PATCH',
    url: () => `${collection('users')}/${who.owner.id}`,
    body: () => ({ isAdmin: true }),
    status: 400,
    has: { data: { isAdmin: problem('validation_in_invalid') } },
  },
  {
    name: 'a new password without the old one',
    as: 'owner',
    method: 'PATCH',
    url: () => `${collection('users')}/${who.owner.id}`,
    body: () => ({ password: 'Secret124!', passwordConfirm: 'Secret124!' }),
    status: 400,
    has: { data: { oldPassword: problem('validation_invalid_old_password') } },
  },
  {
    name: 'a weak password',
    as: 'admin',
    method: 'PATCH',
    url: () => `${collection('users')}/${who.owner.id}`,
    body: () => ({ password: 'secretsecret', passwordConfirm: 'x' }),
    status: 400,
    has: {
      data: { password: problem('validation_weak_password'), passwordConfirm: problem('validation_values_mismatch') },
    },
  },
  {
    name: 'a changed e-mail by its owner',
    as: 'owner',
    method: 'PATCH',
    url: () => `${collection('users')}/${who.owner.id}`,
    body: () => ({ email: 'new@example.com' }),
    status: 400,
    has: { data: { email: problem('validation_in_invalid') } },
  },
  {
    name: 'a taken username in another case',
    as: 'admin',
    method: 'POST',
    url: () => collection('users'),
    body: () => ({
      username: 'ROOT',
      email: 'ROOT@example.com',
      password: 'Secret123!',
      passwordConfirm: 'Secret123!',
    }),
    status: 400,
    has: { data: { username: problem('validation_invalid_username'), email: problem('validation_invalid_email') } },
  },
  {
    name: 'a permission given by a stranger',
    as: 'stranger',
    method: 'POST',
    url: () => collection('workspace_permissions'),
    body: () => ({ user: who.stranger.id, workspace: row.workspace.id, modify: true }),
    status: 400,
    has: { message: 'Failed to create record.', data: {} },
  },
  {
    name: 'a permission given twice',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspace_permissions'),
    body: () => ({ user: who.modifier.id, workspace: row.workspace.id, view: true }),
    status: 400,
    has: {
      message: 'Selected user already has permission to this workspace.',
      data: { user: problem('validation_not_unique'), workspace: problem('validation_not_unique') },
    },
  },
  {
    name: 'settings read by a user',
    as: 'owner',
    method: 'POST',
    url: () => collection('settings'),
    body: () => ({ key: 'x' }),
    status: 400,
  },
];

describe('refuses', () => {
  test.each(refused)('$name', async ({ as, method, url, body, status, has }) => {
    const before = everything();
    events.length = 0;
    const answer = await call(method, url(), { as: as && who[as], body: body?.() });
    expect([answer.status, answer.text]).toEqual([status, answer.text]);
    expect(Object.keys(answer.json).sort()).toEqual(['code', 'data', 'message']);
    if (has) expect(answer.json).toMatchObject(has);
    expect(everything()).toBe(before);
    expect(events).toEqual([]);
  });

  test.each(['{"a":', '[]', '"x"'])('the body %s', async (body) => {
    const { send } = await import('../setup/call');
    const response = await send(collection('workspaces'), {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect([response.status, ((await response.json()) as AnyRow).message]).toEqual([
      400,
      'Failed to load the submitted data due to invalid formatting.',
    ]);
  });
});

describe('answers', () => {
  test('a guest sees an empty list', async () => {
    const { json } = await call('GET', collection('workspaces'));
    expect(json).toEqual({ page: 1, perPage: 30, totalItems: 0, totalPages: 0, items: [] });
  });

  test('effective paging, fields, and skipTotal', async () => {
    const { json } = await call(
      'GET',
      `${collection('Workspaces')}?perPage=1000&page=-1&skipTotal=1&fields=id,expand.host.name&expand=host`,
      { as: who.owner },
    );
    expect(json).toEqual({
      page: 1,
      perPage: 500,
      totalItems: -1,
      totalPages: -1,
      items: [{ id: row.workspace.id, expand: { host: { name: 'alpha' } } }],
    });
  });

  test('relations that may not be viewed stay ids', async () => {
    const { json } = await call('GET', `${oneWorkspace()}?expand=host,image,created_by&can=1`, { as: who.modifier });
    expect(json).toMatchObject({ host: row.host.id, can: { view: true, modify: true, delete: false, deploy: false } });
    expect(Object.keys(json.expand as AnyRow)).toEqual(['created_by']);
  });

  test('relations that may not be viewed can not be probed by filters', async () => {
    const url = `${collection('workspaces')}?filter=${encodeURIComponent("host.name ~ 'alpha'")}`;
    expect((await call('GET', url, { as: who.modifier })).json.totalItems).toBe(0);
    expect((await call('GET', url, { as: who.owner })).json.totalItems).toBe(1);
  });

  test('hidden e-mails are absent and can not be probed or sorted by', async () => {
    const list = await call('GET', `${collection('users')}?sort=email`, { as: who.owner });
    const items = list.json.items as AnyRow[];
    expect(items.filter((item) => 'email' in item).map(({ id }) => id)).toEqual([who.owner.id]);
    expect(items.some((item) => 'passwordHash' in item || 'tokenKey' in item)).toBe(false);
    const probe = `${collection('users')}?filter=${encodeURIComponent("email ~ 'root'")}`;
    expect((await call('GET', probe, { as: who.owner })).json.totalItems).toBe(0);
    expect((await call('GET', probe, { as: who.admin })).json.totalItems).toBe(1);
  });

  test('a workspace with what the console writes ignored and secrets kept', async () => {
    const body = {
      name: 'three',
      host: row.host.id,
      image: row.image.id,
      status: 'running',
      created_by: who.admin.id,
      generation: 9,
      environmentVariables: [{ name: 'KEY', value: 'hush', secret: true }],
    };
    const made = await call('POST', collection('workspaces'), { as: who.owner, body });
    expect(made.json).toMatchObject({
      status: 'stopped',
      generation: 0,
      created_by: who.owner.id,
      environmentVariables: [{ name: 'KEY', value: '', secret: true }],
    });
    const id = String(made.json.id);
    const url = `${collection('workspaces')}/${id}`;
    await call('PATCH', url, { as: who.owner, body: { ...made.json, description: 'sent back whole' } });
    const stored = new StoreReader().get(workspaces, id)!;
    expect(stored.description).toBe('sent back whole');
    expect(stored.environmentVariables![0]!.value).not.toContain('hush');
    expect(open(stored.environmentVariables![0]!.value)).toBe('hush');
    events.length = 0;
    expect((await call('DELETE', url, { as: who.owner })).status).toBe(204);
    expect(events).toEqual(['workspaces delete']);
  });

  test('numbers with modifiers', async () => {
    const answer = await call('PATCH', oneWorkspace(), {
      as: who.modifier,
      body: { cpuLimit: 1, 'cpuLimit+': 4, 'cpuLimit-': '2' },
    });
    expect(answer.json.cpuLimit).toBe(3);
    expect((await call('PATCH', oneWorkspace(), { as: who.owner, body: { 'cpuLimit-': 3 } })).json.cpuLimit).toBe(0);
  });

  test('a built image with its defaults', async () => {
    const body = { name: 'Gpu Tools', build_on: row.host.id, baseImage: 'ubuntu:24.04' };
    const { json } = await call('POST', collection('images'), { as: who.owner, body });
    expect(json).toMatchObject({
      repository: 'berth/gpu-tools',
      tag: 'latest',
      enabled: true,
      creationType: 'generateDockerfile',
      status: 'build_pending',
    });
    const again = await call('POST', collection('images'), { as: who.owner, body });
    expect(again.json.data).toMatchObject({
      repository: problem('validation_not_unique'),
      tag: problem('validation_not_unique'),
      build_on: problem('validation_not_unique'),
    });
  });

  test('a password change ends all tokens, and a delete moves belongings', async () => {
    const body = {
      username: 'leaver',
      email: 'leaver@example.com',
      password: 'Secret123!',
      passwordConfirm: 'Secret123!',
    };
    const made = await call('POST', collection('users'), { as: who.admin, body });
    const leaver = { id: String(made.json.id) };
    const before = new StoreReader().get(users, leaver.id)!;
    const change = { oldPassword: 'Secret123!', password: 'Other1234!', passwordConfirm: 'Other1234!' };
    const answer = await call('PATCH', `${collection('users')}/${leaver.id}`, { as: leaver, body: change });
    expect(answer.json).toMatchObject({ email: 'leaver@example.com' });
    expect(new StoreReader().get(users, leaver.id)!.tokenKey).not.toBe(before.tokenKey);
    const image = await createImage({ created_by: leaver.id, build_on: row.host.id });
    await grantTo(leaver, 'image', { on: row.hidden, flags: ['view'] });
    expect((await call('DELETE', `${collection('users')}/${leaver.id}`, { as: who.admin })).status).toBe(204);
    expect(new StoreReader().get(images, String(image.id))!.created_by).toBe(who.admin.id);
    expect(getDb().sqlite.prepare('SELECT COUNT(*) n FROM image_permissions').get()).toEqual({ n: 0 });
  });
});
