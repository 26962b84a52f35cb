import { beforeAll, describe, expect, test } from 'vitest';
import { issueToken } from '@/lib/auth/tokens';
import { collections } from '@/lib/api/collections';
import { settings } from '@/lib/settings/collection';
import { users } from '@/lib/accounts/collection';
import { setClock } from '@/lib/clock';
import { hashPassword } from '@/lib/passwords';
import type { AnyRow } from '@/lib/records/collection';
import { StoreReader } from '@/lib/records/transaction';
import { open } from '@/lib/secrets';
import { requestLogs } from '@/lib/stores/request-logs';
import { call } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { readOutbox } from '../setup/outbox';
import { everything } from '../setup/snapshot';
import { createUser } from '../setup/world';

openPrivateDatabase();

const PASSWORD = 'Secret123!';
let admin: AnyRow & { id: string };
let person: AnyRow & { id: string };
let token: string;

beforeAll(async () => {
  const passwordHash = await hashPassword(PASSWORD);
  admin = await createUser({ isAdmin: true, passwordHash, name: 'Root' });
  person = await createUser({ passwordHash });
  const body = { identity: admin.email, password: PASSWORD };
  const { json } = await call('POST', '/api/admins/auth-with-password', { body });
  token = String(json.token);
});

const problem = (code: string) => expect.objectContaining({ code });
const asAdmin = (method: string, path: string, body?: unknown) => call(method, path, { token, body });

const closed: [string, string][] = [
  ['POST', '/api/admins/auth-refresh'],
  ['GET', '/api/admins'],
  ['POST', '/api/admins'],
  ['GET', '/api/admins/abc'],
  ['PATCH', '/api/admins/abc'],
  ['DELETE', '/api/admins/abc'],
  ['GET', '/api/settings'],
  ['PATCH', '/api/settings'],
  ['POST', '/api/settings/test/email'],
  ['GET', '/api/logs'],
  ['GET', '/api/logs/stats'],
  ['GET', '/api/logs/abc'],
  ['GET', '/api/collections'],
  ['GET', '/api/collections/users'],
  ['POST', '/api/collections'],
  ['PUT', '/api/collections/import'],
  ['PATCH', '/api/collections/users'],
  ['DELETE', '/api/collections/users'],
];

test.each(closed)('%s %s opens to the administration token alone and changes nothing', async (method, path) => {
  const before = everything();
  const stored = (id: string) => new StoreReader().get(users, id)!;
  const tokens = ['', 'nonsense', ...[admin, person].map(({ id }) => issueToken(stored(id), 'auth', users.id))];
  tokens.push(
    issueToken(stored(admin.id), 'adminFile', users.id),
    issueToken(stored(person.id), 'adminAuth', users.id),
  );
  for (const each of tokens) {
    const body = method === 'GET' ? undefined : {};
    const { json } = await call(method, path, { token: each, body });
    expect(json).toEqual({
      code: 401,
      message: 'The request requires valid admin authorization token to be set.',
      data: {},
    });
  }
  expect(everything()).toBe(before);
});

describe('admins', () => {
  test('sign in with the password of their account, and nobody else does', async () => {
    const { json } = await call('POST', '/api/admins/auth-with-password', {
      body: { identity: admin.email, password: PASSWORD },
    });
    expect(json.admin).toMatchObject({ id: admin.id, email: admin.email, avatar: 0 });
    const claims = JSON.parse(Buffer.from(String(json.token).split('.')[1]!, 'base64url').toString()) as AnyRow;
    expect(claims).toEqual({ id: admin.id, type: 'admin', exp: expect.any(Number), at: expect.any(Number) });
    for (const body of [
      { identity: person.email, password: PASSWORD },
      { identity: admin.email, password: 'Wrong123!' },
    ]) {
      const refused = await call('POST', '/api/admins/auth-with-password', { body });
      expect(refused.json).toEqual({ code: 400, message: 'Failed to authenticate.', data: {} });
    }
    const blank = await call('POST', '/api/admins/auth-with-password', { body: {} });
    expect(blank.json.data).toEqual({
      identity: problem('validation_required'),
      password: problem('validation_required'),
    });
    expect((await asAdmin('POST', '/api/admins/auth-refresh')).json.admin).toMatchObject({ id: admin.id });
  });

  test('are listed, made, changed and removed; the last one stays', async () => {
    expect((await asAdmin('GET', '/api/admins')).json).toMatchObject({ totalItems: 1, items: [{ id: admin.id }] });
    const sly = encodeURIComponent(`id != '' // `);
    expect((await asAdmin('GET', `/api/admins?filter=${sly}`)).json.totalItems).toBe(1);
    const broken = encodeURIComponent('1=1) || (1=1');
    expect((await asAdmin('GET', `/api/admins?filter=${broken}`)).status).toBe(400);
    expect((await asAdmin('GET', `/api/admins/${person.id}`)).status).toBe(404);
    const last = await asAdmin('DELETE', `/api/admins/${admin.id}`);
    expect(last.status).toBe(400);
    const body = { email: 'second@example.com', password: PASSWORD, passwordConfirm: PASSWORD };
    const made = await asAdmin('POST', '/api/admins', body);
    expect(made.json).toMatchObject({ email: 'second@example.com' });
    expect((await asAdmin('POST', '/api/admins', body)).json.data).toEqual({
      email: problem('validation_invalid_email'),
    });
    const one = `/api/admins/${String(made.json.id)}`;
    expect((await asAdmin('PATCH', one, { email: 'third@example.com', isAdmin: false })).json.email).toBe(
      'third@example.com',
    );
    expect((await asAdmin('GET', '/api/admins?sort=-created&fields=email')).json.items).toEqual([
      { email: 'third@example.com' },
      { email: admin.email },
    ]);
    expect((await asAdmin('DELETE', one)).status).toBe(204);
    expect((await asAdmin('GET', one)).status).toBe(404);
  });

  test('reset their password by a mail of their own', async () => {
    const known = readOutbox().length;
    const ask = (email: unknown) => call('POST', '/api/admins/request-password-reset', { body: { email } });
    expect((await ask(person.email)).status).toBe(204);
    expect((await ask(admin.email)).status).toBe(204);
    await expect.poll(() => readOutbox().length).toBe(known + 1);
    const passwords = { password: 'Fresh456!', passwordConfirm: 'Fresh456!' };
    const account = new StoreReader().get(users, admin.id)!;
    const foreign = issueToken(account, 'passwordReset', users.id, { email: account.email });
    const confirm = (mailed: string) =>
      call('POST', '/api/admins/confirm-password-reset', { body: { token: mailed, ...passwords } });
    expect((await confirm(foreign)).status).toBe(400);
    expect((await confirm(issueToken(account, 'adminPasswordReset', users.id, { email: account.email }))).status).toBe(
      204,
    );
    expect((await asAdmin('GET', '/api/admins')).status).toBe(401);
    token = issueToken(new StoreReader().get(users, admin.id)!, 'adminAuth', users.id);
  });
});

describe('settings', () => {
  test('are one object with masked secrets that merges what is sent', async () => {
    const sso = { enabled: false, clientId: 'berth', clientSecret: 'hush' };
    const set = await asAdmin('PATCH', '/api/settings', { sso, cache: { lifetime: 60 } });
    expect(set.json).toMatchObject({
      sso: { clientId: 'berth', clientSecret: '******' },
      cache: { lifetime: 60 },
      recordAuthToken: { secret: '******', duration: 1_209_600 },
      meta: { appName: 'Berth' },
    });
    const whole = (await asAdmin('GET', '/api/settings')).json;
    await asAdmin('PATCH', '/api/settings', { ...whole, sso: { ...(whole.sso as object), clientId: 'other' } });
    const value = new StoreReader().find(settings, { key: 'sso' })[0]!.value as typeof sso;
    expect([value.clientId, open(value.clientSecret)]).toEqual(['other', 'hush']);
  });

  test('that the environment decides are refused by name, all or nothing', async () => {
    const before = everything();
    const { json } = await asAdmin('PATCH', '/api/settings', {
      smtp: { enabled: true },
      cache: { lifetime: 1 },
      '1x': 1,
    });
    expect(json.data).toEqual({
      smtp: problem('validation_not_changeable'),
      '1x': problem('validation_invalid_format'),
    });
    expect(everything()).toBe(before);
  });

  test('a test mail is sent, or its form refused', async () => {
    const bad = await asAdmin('POST', '/api/settings/test/email', { email: 'x', template: 'y' });
    expect(bad.json.data).toEqual({
      email: problem('validation_is_email'),
      template: problem('validation_in_invalid'),
    });
    const testMails = () => readOutbox().filter((mail) => mail.includes('TEST_TOKEN'));
    const body = { email: 'a@example.com', template: 'email-change' };
    expect((await asAdmin('POST', '/api/settings/test/email', body)).status).toBe(204);
    expect(testMails()).toHaveLength(1);
  });
});

describe('logs', () => {
  test('tell who asked what, without tokens, and are filtered, sorted and counted by the hour', async () => {
    await call('GET', '/api/collections/users/records?token=hush&page=x', { as: person });
    await call('GET', '/api/health');
    const filter = encodeURIComponent(`data.auth = 'authRecord' && level > 0`);
    const { json } = await asAdmin('GET', `/api/logs?filter=${filter}&sort=-rowid`);
    const [first] = json.items as AnyRow[];
    expect(Object.keys(first!).sort()).toEqual(['created', 'data', 'id', 'level', 'message', 'updated']);
    expect(first).toMatchObject({
      level: 8,
      message: 'GET /api/collections/users/records?token=***&page=x',
      data: {
        type: 'request',
        method: 'GET',
        status: 400,
        auth: 'authRecord',
        error: expect.stringContaining('went wrong'),
      },
    });
    expect((await asAdmin('GET', `/api/logs/${String(first!.id)}`)).json).toEqual(first);
    const quiet = encodeURIComponent(`message ~ 'health' || message ~ '/api/logs'`);
    expect((await asAdmin('GET', `/api/logs?filter=${quiet}`)).json.totalItems).toBe(0);
    const stats = (await asAdmin('GET', `/api/logs/stats?filter=${filter}`)).json as unknown as AnyRow[];
    expect(stats).toEqual([{ total: json.totalItems, date: expect.stringMatching(/^[\d-]{10} \d\d:00:00\.000Z$/) }]);
    expect((await asAdmin('GET', '/api/logs?filter=nope=1')).status).toBe(400);
    expect((await asAdmin('GET', '/api/logs/nope')).status).toBe(404);
  });

  test('go after five days', async () => {
    const reset = setClock(() => Date.now() + 6 * 86_400_000);
    requestLogs().sweep();
    reset();
    expect((await asAdmin('GET', '/api/logs')).json.totalItems).toBe(0);
  });
});

describe('collections', () => {
  test('are described, filtered and sorted', async () => {
    const page = (await asAdmin('GET', '/api/collections?perPage=500&sort=name')).json;
    expect((page.items as AnyRow[]).map(({ name }) => name)).toEqual(collections.map(({ name }) => name).sort());
    const auth = (await asAdmin('GET', `/api/collections?filter=${encodeURIComponent("type = 'auth'")}`)).json;
    expect(auth).toMatchObject({ totalItems: 1, items: [{ name: 'users', id: users.id }] });
    expect((await asAdmin('GET', '/api/collections/workspaces')).json).toMatchObject({
      type: 'base',
      schema: expect.arrayContaining([
        expect.objectContaining({ name: 'volumes', type: 'relation' }),
        expect.objectContaining({ name: 'host', required: true }),
      ]),
      listRule: expect.stringContaining('workspace_permissions_via_workspace.user ?= @request.auth.id'),
    });
    expect((await asAdmin('GET', '/api/collections/hosts')).json.createRule).toBeNull();
    expect((await asAdmin('GET', '/api/collections/nope')).status).toBe(404);
  });

  test.each([
    ['POST', ''],
    ['PUT', '/import'],
    ['PATCH', '/users'],
    ['DELETE', '/users'],
  ])('are not changed by %s %s', async (method, path) => {
    const { json } = await asAdmin(method, `/api/collections${path}`, {});
    expect(json).toMatchObject({ code: 400, message: expect.stringContaining('can not be changed over the API') });
  });
});
