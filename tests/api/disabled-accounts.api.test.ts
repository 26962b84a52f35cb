import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountOfSession, sessionOfCookies, startSession } from '@/lib/auth/sessions';
import { issueToken } from '@/lib/auth/tokens';
import { users } from '@/lib/accounts/collection';
import { hashPassword } from '@/lib/passwords';
import type { AnyRow } from '@/lib/records/collection';
import { StoreReader } from '@/lib/records/transaction';
import { call, send } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { readOutbox } from '../setup/outbox';
import { everything } from '../setup/snapshot';
import { createUser } from '../setup/world';

openPrivateDatabase();

const PASSWORD = 'Secret123!';
const RECORDS = '/api/collections/users/records';
type User = AnyRow & { id: string };
let passwordHash: string;
let admin: User;
let person: User;

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
  admin = await createUser({ passwordHash, isAdmin: true });
});

beforeEach(async () => {
  person = await createUser({ passwordHash });
});

const stored = (id: string) => new StoreReader().get(users, id)!;
const change = (id: string, body: AnyRow, as: User = admin) => call('PATCH', `${RECORDS}/${id}`, { as, body });
const disable = (id: string) => change(id, { enabled: false });
const tokenOf = (id: string, purpose: Parameters<typeof issueToken>[1] = 'auth') =>
  issueToken(stored(id), purpose, users.id);
const signIn = (user: User, password = PASSWORD) =>
  call('POST', '/api/collections/users/auth-with-password', { body: { identity: user.email, password } });

describe('disabling an account', () => {
  test('ends its tokens and sessions, and lets it come back only once it is enabled', async () => {
    const token = tokenOf(person.id);
    const cookie = (await startSession(person.id, { address: '', userAgent: '', isSecure: false })).setCookie[0]!.split(
      ';',
    )[0]!;
    expect(await sessionOfCookies(cookie)).toBeDefined();
    const sessionId = cookie.split('=')[1]!;
    expect(await accountOfSession(sessionId)).toMatchObject({ id: person.id });
    expect((await disable(person.id)).json).toMatchObject({ enabled: false });
    expect(await accountOfSession(sessionId)).toBeUndefined();
    expect((await call('GET', RECORDS, { token })).json.totalItems).toBe(0);
    expect((await call('POST', '/api/collections/users/auth-refresh', { token })).status).toBe(401);
    expect((await call('POST', '/api/files/token', { token })).status).toBe(400);
    expect(await sessionOfCookies(cookie)).toBeUndefined();
    expect((await change(person.id, { enabled: true })).status).toBe(200);
    expect(await sessionOfCookies(cookie)).toBeUndefined();
    expect((await call('POST', '/api/collections/users/auth-refresh', { token })).status).toBe(401);
    expect((await signIn(person)).status).toBe(200);
  });

  test('answers a sign-in as a wrong password does', async () => {
    await disable(person.id);
    const refused = await signIn(person);
    expect(refused).toEqual(await signIn(person, 'wrong'));
    expect(refused.json).toEqual({ code: 400, message: 'Failed to authenticate.', data: {} });
  });

  test('refuses also a token that is signed with the new key', async () => {
    await disable(person.id);
    const token = tokenOf(person.id);
    expect((await call('POST', '/api/collections/users/auth-refresh', { token })).status).toBe(401);
    const download = await send(`/api/workspace/x/logs/download?token=${tokenOf(person.id, 'file')}`);
    expect(download.status).toBe(404);
  });

  test('closes the administration to an admin', async () => {
    const other = await createUser({ passwordHash, isAdmin: true });
    const token = tokenOf(other.id, 'adminAuth');
    expect((await call('GET', '/api/admins', { token })).status).toBe(200);
    await disable(other.id);
    expect((await call('GET', '/api/admins', { token })).status).toBe(401);
    expect((await call('GET', '/api/admins', { token: tokenOf(other.id, 'adminAuth') })).status).toBe(401);
    const body = { identity: other.email, password: PASSWORD };
    expect((await call('POST', '/api/admins/auth-with-password', { body })).status).toBe(400);
  });

  test('sends it no mail, and makes mails on their way worth nothing', async () => {
    const reset = tokenOf(person.id, 'passwordReset');
    await disable(person.id);
    const sent = readOutbox().length;
    const ask = (path: string, body: AnyRow) => call('POST', `/api/collections/users/${path}`, { body });
    expect((await ask('request-password-reset', { email: person.email })).status).toBe(204);
    expect((await ask('request-verification', { email: person.email })).status).toBe(204);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(readOutbox()).toHaveLength(sent);
    const passwords = { password: 'Other123!', passwordConfirm: 'Other123!' };
    for (const token of [reset, tokenOf(person.id, 'passwordReset')]) {
      const before = everything();
      expect((await ask('confirm-password-reset', { token, ...passwords })).status).toBe(400);
      expect(everything()).toBe(before);
    }
  });

  test('makes its open streams a guest’s', async () => {
    let heard = '';
    const reader = (await send('/api/realtime')).body!.getReader();
    const reading = (async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        heard += new TextDecoder().decode(part.value);
      }
    })();
    await expect.poll(() => heard).toContain('clientId');
    const { clientId } = JSON.parse(/data:(.*)/.exec(heard)![1]!) as { clientId: string };
    const body = { clientId, subscriptions: ['users/*'] };
    expect((await call('POST', '/api/realtime', { token: tokenOf(person.id), body })).status).toBe(204);
    await change(admin.id, { name: 'Heard' });
    await expect.poll(() => heard).toContain('"Heard"');
    await disable(person.id);
    await change(admin.id, { name: 'Unheard' });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(heard).not.toContain('Unheard');
    await reader.cancel();
    await reading;
  });
});

describe('who may disable whom', () => {
  const refusals: [string, () => Promise<{ status: number; json: AnyRow }>, string][] = [
    ['an ordinary person nobody', () => change(person.id, { enabled: false }, person), 'validation_in_invalid'],
    ['an admin not themselves', () => change(admin.id, { enabled: false }), 'validation_own_account'],
  ];

  test.each(refusals)('%s', async (_, refuse, code) => {
    await createUser({ isAdmin: true });
    const before = everything();
    const answer = await refuse();
    expect(answer.status).toBe(400);
    expect(answer.json.data).toEqual({ enabled: expect.objectContaining({ code }) });
    expect(everything()).toBe(before);
  });

  test('nobody the last enabled admin, who can be neither demoted nor deleted either', async () => {
    for (const { id } of new StoreReader().find(users, { isAdmin: true })) {
      if (id !== admin.id) await disable(id);
    }
    const token = tokenOf(admin.id, 'adminAuth');
    const before = everything();
    const demoted = await change(admin.id, { isAdmin: false });
    expect(demoted.json.data).toEqual({ isAdmin: expect.objectContaining({ code: 'validation_last_admin' }) });
    const deleted = await call('DELETE', `${RECORDS}/${admin.id}`, { token });
    expect(deleted.status).toBe(400);
    expect((await change(admin.id, { enabled: false })).status).toBe(400);
    expect(everything()).toBe(before);
  });

  test('people may send back what they see of themselves', async () => {
    expect((await change(person.id, { enabled: true, name: 'Ada' }, person)).json).toMatchObject({ name: 'Ada' });
  });
});

describe('the field enabled', () => {
  test('is set unless said otherwise when an account is created', async () => {
    const create = (body: AnyRow) =>
      call('POST', RECORDS, { as: admin, body: { password: PASSWORD, passwordConfirm: PASSWORD, ...body } });
    expect((await create({})).json).toMatchObject({ enabled: true });
    expect((await create({ enabled: false })).json).toMatchObject({ enabled: false });
  });

  test('is seen and filtered by admins and on one’s own record only', async () => {
    const other = await createUser({ enabled: false });
    expect((await call('GET', `${RECORDS}/${other.id}`, { as: person })).json).not.toHaveProperty('enabled');
    expect((await call('GET', `${RECORDS}/${person.id}`, { as: person })).json).toMatchObject({ enabled: true });
    const filter = encodeURIComponent(`enabled = false && id = '${other.id}'`);
    expect((await call('GET', `${RECORDS}?filter=${filter}`, { as: person })).json.totalItems).toBe(0);
    expect((await call('GET', `${RECORDS}?filter=${filter}`, { as: admin })).json.totalItems).toBe(1);
  });

  test('does not hide an account from those who manage it', async () => {
    const other = await createUser({ enabled: false, isAdmin: true });
    const token = tokenOf(admin.id, 'adminAuth');
    expect((await call('GET', `/api/admins/${other.id}`, { token })).status).toBe(200);
    expect((await call('GET', `${RECORDS}/${other.id}/external-auths`, { as: admin })).status).toBe(200);
  });
});
