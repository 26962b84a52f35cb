import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountById } from '@/lib/auth/accounts';
import { issueToken } from '@/lib/auth/tokens';
import { builds } from '@/lib/images/builds';
import { settings } from '@/lib/settings/collection';
import { users } from '@/lib/accounts/collection';
import { env } from '@/lib/env';
import { hashPassword } from '@/lib/passwords';
import type { AnyRow } from '@/lib/records/collection';
import { StoreReader, write } from '@/lib/records/transaction';
import { updateRecord } from '@/lib/records/writer';
import { api, sendApi } from '../setup/api';
import { authorizationOf } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { listen } from '../setup/listener';
import { signInPage } from '../setup/page-session';
import { codeOf, enableTotp, nextCode, PASSWORD } from '../setup/second-factor';
import { everything } from '../setup/snapshot';
import { SoftwareAuthenticator } from '../setup/software-authenticator';
import { createImage, createUser } from '../setup/world';

openPrivateDatabase();

const SIGN_IN = '/api/collections/users/auth-with-password';
const REFRESH = '/api/collections/users/auth-refresh';
const SETTINGS = '/api/collections/settings/records';
const FACTOR = '/api/second-factor';
let passwordHash: string;
let admin: AnyRow & { id: string };
let ada: AnyRow & { id: string };

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});
beforeEach(async () => {
  admin = await createUser({ isAdmin: true, passwordHash });
  ada = await createUser({ passwordHash });
});
afterEach(() => write((tx) => tx.find(settings, {}).forEach(({ id }) => tx.remove(settings, id))));

const by = (authorization: unknown) => ({ headers: { authorization: String(authorization) } });
const demand = (whose: unknown, as = admin) =>
  api('POST', SETTINGS, { as, body: { key: 'security', value: { requireSecondFactor: whose } } });
const adminToken = () => by(issueToken(accountById(admin.id)!, 'adminAuth', users.id));
const signIn = (body: AnyRow = {}) =>
  api('POST', SIGN_IN, { body: { identity: ada.username, password: PASSWORD, ...body } });
const isKnown = async (authorization: unknown) => (await api('POST', REFRESH, by(authorization))).status === 200;

async function demandOfEveryone(): Promise<void> {
  await enableTotp(admin);
  expect((await demand('everyone')).status).toBe(200);
}

const enrolmentToken = async () => String(((await signIn()).json.data as AnyRow).enrolmentToken);

describe('the setting', () => {
  test.each([
    ['nothing', null],
    ['an unknown word', { requireSecondFactor: 'some' }],
    ['an unknown key', { requireSecondFactor: 'nobody', more: 1 }],
    ['no object', 'everyone'],
  ])('is not %s', async (_, value) => {
    await enableTotp(admin);
    const before = everything();
    const refused = await api('POST', SETTINGS, { as: admin, body: { key: 'security', value } });
    expect(refused).toMatchObject({ status: 400, json: { data: { value: { requireSecondFactor: {} } } } });
    const patched = await api('PATCH', '/api/settings', { ...adminToken(), body: { security: value } });
    expect(patched).toMatchObject({ status: 400, json: { data: { security: { requireSecondFactor: {} } } } });
    expect(everything()).toBe(before);
  });

  test.each(['admins', 'everyone'])('demands one of %s only when the admin who says so has one', async (whose) => {
    const before = everything();
    const problem = { requireSecondFactor: { code: 'validation_own_second_factor' } };
    expect(await demand(whose)).toMatchObject({ status: 400, json: { data: { value: problem } } });
    const body = { security: { requireSecondFactor: whose } };
    const patched = await api('PATCH', '/api/settings', { ...adminToken(), body });
    expect(patched).toMatchObject({ status: 400, json: { data: { security: problem } } });
    expect(everything()).toBe(before);
    expect((await demand('nobody')).status).toBe(200);
    const [row] = new StoreReader().find(settings, { key: 'security' });
    const changed = await api('PATCH', `${SETTINGS}/${row!.id}`, { as: admin, body: { value: body.security } });
    expect(changed).toMatchObject({ status: 400, json: { data: { value: problem } } });
    await enableTotp(admin);
    expect((await api('PATCH', '/api/settings', { ...adminToken(), body })).status).toBe(200);
  });

  test('is an admin’s to write', async () => {
    await enableTotp(ada);
    const before = everything();
    expect((await demand('everyone', ada)).status).toBe(400);
    expect(everything()).toBe(before);
  });
});

describe('an account without the second factor that it must have', () => {
  test('is nobody at once, by whatever it was known', async () => {
    const session = await signInPage(ada);
    const apiToken = await api('POST', '/api/tokens', {
      as: ada,
      body: { name: 'x', scope: 'full', expiresInDays: null },
    });
    const other = await createUser({ isAdmin: true });
    const otherAdmin = issueToken(accountById(other.id)!, 'adminAuth', users.id);
    const plain = authorizationOf(ada.id).authorization;
    const image = await createImage({ created_by: ada.id, buildNumber: 1 });
    await write((tx) => tx.insert(builds, { image: String(image.id), number: 1, status: 'building' }));
    const log = await sendApi('GET', `/api/image/${String(image.id)}/build-log`, by(session.token));
    const heard = await listen(String(plain), ['users/*']);
    expect((await api('GET', '/api/settings', by(otherAdmin))).status).toBe(200);
    await demandOfEveryone();
    expect(await log.text()).toContain('"reason":"revoked"');
    await updateRecord(users, { kind: 'system' }, { id: ada.id, body: { name: 'unseen' } });
    expect(await heard.names()).not.toContain('unseen');
    heard.close();
    expect([await isKnown(session.token), await isKnown(plain)]).toEqual([false, false]);
    const list = await api('GET', '/api/collections/users/records', by(apiToken.json.token));
    expect([list.status, list.json.totalItems]).toEqual([200, 0]);
    expect((await api('GET', '/api/settings', by(otherAdmin))).status).toBe(401);
    const cookie = { 'sec-fetch-site': 'same-origin', cookie: session.cookie };
    expect((await api('POST', '/api/session/token', { headers: cookie })).status).toBe(401);
    expect((await api('GET', '/api/sessions', { as: admin })).status).toBe(200);
  });

  test('is told to set one up when its password is right, and nothing when it is wrong', async () => {
    await demandOfEveryone();
    expect((await signIn()).json).toEqual({
      code: 400,
      message: 'A second factor has to be set up first.',
      data: {
        enrol: { code: 'validation_second_factor_enrolment', message: expect.any(String) as string },
        enrolmentToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as string,
      },
    });
    const wrong = await signIn({ password: 'Wrong!pass1' });
    expect(wrong.json).toEqual({ code: 400, message: 'Failed to authenticate.', data: {} });
    const second = await createUser({ isAdmin: true, passwordHash });
    const body = { identity: second.email, password: PASSWORD };
    const asAdmin = await api('POST', '/api/admins/auth-with-password', { body });
    expect(asAdmin.json.data).toMatchObject({ enrol: { code: 'validation_second_factor_enrolment' } });
  });

  test('sets an authenticator app up with the token of its sign-in, which then goes on', async () => {
    await demandOfEveryone();
    const token = await enrolmentToken();
    const started = await api('POST', `${FACTOR}/totp`, by(token));
    const secret = String(started.json.secret);
    const wrong = await api('POST', `${FACTOR}/totp/confirm`, { ...by(token), body: { code: '000000' } });
    expect(wrong.status).toBe(400);
    const body = { code: codeOf(secret) };
    const done = await api('POST', `${FACTOR}/totp/confirm`, { ...by(token), body });
    expect(done.json).toMatchObject({ record: { id: ada.id, email: ada.email } });
    expect(done.json.recoveryCodes).toHaveLength(10);
    expect(await isKnown(done.json.token)).toBe(true);
    expect((await api('POST', `${FACTOR}/totp`, by(token))).status).toBe(401);
    expect((await signIn({ code: nextCode(secret) })).status).toBe(200);
  });

  test('sets a passkey up with it', async () => {
    await demandOfEveryone();
    const token = await enrolmentToken();
    const options = (await api('POST', '/api/passkeys/options', by(token))).json as { challenge: string; user: AnyRow };
    const key = new SoftwareAuthenticator({ origin: env().publicUrl, rpId: new URL(env().publicUrl).hostname });
    const response = key.create({ challenge: options.challenge, userHandle: String(options.user.id) });
    const done = await api('POST', '/api/passkeys', { ...by(token), body: { name: 'Key', response } });
    expect(done.json).toMatchObject({ passkey: { name: 'Key' }, record: { id: ada.id } });
    expect(await isKnown(done.json.token)).toBe(true);
    expect((await api('POST', '/api/passkeys/options', by(token))).status).toBe(401);
  });

  test('does nothing else with that token', async () => {
    await demandOfEveryone();
    const token = await enrolmentToken();
    const own = { authorization: token, 'sec-fetch-site': 'same-origin' };
    const before = everything();
    const calls = [
      ['POST', REFRESH, 401],
      ['POST', '/api/session', 401],
      ['GET', FACTOR, 401],
      ['GET', '/api/sessions', 401],
      ['POST', '/api/tokens', 401],
      ['POST', `${FACTOR}/recovery-codes`, 401],
      ['DELETE', `${FACTOR}/totp`, 401],
      ['DELETE', '/api/passkeys/x', 401],
      ['DELETE', '/api/session/everywhere', 401],
      ['GET', '/api/settings', 401],
      ['POST', '/api/files/token', 400],
      ['PATCH', `/api/collections/users/records/${ada.id}`, 404],
    ] as const;
    for (const [method, path, status] of calls) {
      const body = method === 'GET' ? undefined : { name: 'x' };
      expect([path, (await api(method, path, { headers: own, body })).status]).toEqual([path, status]);
    }
    expect((await api('GET', `/api/workspace/x/logs?token=${token}`)).status).toBe(404);
    expect(everything()).toBe(before);
  });

  test('is no one else: others’ tokens do not enrol it, and what is made for something else does not', async () => {
    await demandOfEveryone();
    for (const purpose of ['auth', 'file', 'passwordReset', 'emailChange'] as const) {
      const token = issueToken(accountById(ada.id)!, purpose, users.id);
      expect((await api('POST', `${FACTOR}/totp`, by(token))).status).toBe(401);
    }
  });

  test('has its place in the world back once nobody demands it, and as long as it has a factor', async () => {
    const { secret } = await enableTotp(ada);
    const session = await signInPage(ada);
    await demandOfEveryone();
    expect(await isKnown(session.token)).toBe(true);
    const state = await api('GET', FACTOR, by(session.token));
    expect(state.json).toMatchObject({ enabled: true, isRequired: true });
    const before = everything();
    const remove = () => api('DELETE', `${FACTOR}/totp`, { ...by(session.token), body: { password: PASSWORD } });
    const refused = await remove();
    expect([refused.status, refused.json.message]).toEqual([
      400,
      'A second factor is required here. Set up another one before you remove the last.',
    ]);
    expect(everything()).toBe(before);
    expect((await signIn({ code: nextCode(secret) })).status).toBe(200);
    const body = { security: { requireSecondFactor: 'admins' } };
    expect((await api('PATCH', '/api/settings', { ...adminToken(), body })).status).toBe(200);
    expect((await remove()).status).toBe(204);
    expect(await isKnown(session.token)).toBe(true);
  });

  test('is only an admin where it is demanded of admins', async () => {
    await enableTotp(admin);
    const other = await createUser({ isAdmin: true });
    const [theirs, mine] = [authorizationOf(other.id).authorization, authorizationOf(ada.id).authorization];
    expect((await demand('admins')).status).toBe(200);
    expect([await isKnown(theirs), await isKnown(mine)]).toEqual([false, true]);
  });

  test('is whoever an admin took the factors away from', async () => {
    const { secret } = await enableTotp(ada);
    await demandOfEveryone();
    expect((await api('DELETE', `${FACTOR}?user=${ada.id}`, { as: admin })).status).toBe(204);
    const { json } = await signIn({ code: nextCode(secret) });
    expect(json.data).toMatchObject({ enrol: { code: 'validation_second_factor_enrolment' } });
  });
});
