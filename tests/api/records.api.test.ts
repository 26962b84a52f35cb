import { beforeAll, describe, expect, test } from 'vitest';
import { images } from '@/lib/images/collection';
import { users } from '@/lib/accounts/collection';
import { workspaces } from '@/lib/workspaces/collection';
import { system } from '@/lib/policies/actor';
import { listenToChanges } from '@/lib/records/changes';
import type { AnyRow } from '@/lib/records/collection';
import { createRecord } from '@/lib/records/writer';
import { StoreReader } from '@/lib/records/transaction';
import { open } from '@/lib/secrets';
import { getDb } from '@/db/database';
import { call } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { collection, oneWorkspace, problem, refused, row, who } from './record-refusals';
import { createHost, createImage, createPerson, createWorkspace, grantTo } from '../setup/world';

openPrivateDatabase();

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
      as: who.owner,
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
    expect(events).toEqual(['workspaces delete', 'audit create']);
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
