import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import PocketBase from 'pocketbase';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getDb } from '@/db/database';
import { actorOfAuthorization } from '@/lib/auth/actor';
import { accountById } from '@/lib/auth/accounts';
import { issueToken } from '@/lib/auth/tokens';
import { settings } from '@/lib/settings/collection';
import { users } from '@/lib/accounts/collection';
import { externalAuths } from '@/lib/accounts/external-auths';
import { setClock } from '@/lib/clock';
import { serveNode } from '@/lib/http/node-door';
import { hashPassword } from '@/lib/passwords';
import type { AnyRow } from '@/lib/records/collection';
import { write } from '@/lib/records/transaction';
import { api } from '../setup/api';
import { authorizationOf, kernel } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { startOidcServer, type OidcServer } from '../setup/oidc-server';
import { signInPage } from '../setup/page-session';
import { codeOf, enableTotp, nextCode, PASSWORD, wait } from '../setup/second-factor';
import { everything } from '../setup/snapshot';
import { createUser } from '../setup/world';

openPrivateDatabase();

const SIGN_IN = '/api/collections/users/auth-with-password';
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
afterAll(() => {
  setClock(Date.now)();
});

const signIn = (body: AnyRow = {}, path = SIGN_IN) =>
  api('POST', path, { body: { identity: ada.username, password: PASSWORD, ...body } });
const problemOf = (json: AnyRow, field: string) => (json.data as Record<string, { code: string }>)[field]?.code;
const stateOf = async (user: { id: string }) => (await api('GET', FACTOR, { as: user })).json;

test('the second factor ends tokens that the password alone gave, and stays ended when it is switched off', async () => {
  const stolen = String((await signIn()).json.token);
  const isOpen = (token: string) => actorOfAuthorization(token).kind === 'user';
  wait(2);
  const page = await signInPage(ada, {}, String((await signIn()).json.token));
  wait(2);
  const { secret } = await enableTotp(ada, page.token);
  expect([isOpen(stolen), isOpen(page.token)]).toEqual([false, true]);
  const headers = { authorization: page.token };
  const off = await api('DELETE', `${FACTOR}/totp`, { headers, body: { code: nextCode(secret) } });
  expect([off.status, isOpen(stolen)]).toEqual([204, false]);
});

test('a client without a session goes on with a new token when it switches the second factor on', async () => {
  const own = String((await signIn()).json.token);
  const headers = { authorization: own };
  const started = await api('POST', `${FACTOR}/totp`, { headers, body: { password: PASSWORD } });
  wait(2);
  const body = { code: codeOf(String(started.json.secret)) };
  const { json } = await api('POST', `${FACTOR}/totp/confirm`, { headers, body });
  expect(actorOfAuthorization(own).kind).toBe('guest');
  expect(actorOfAuthorization(String(json.token))).toMatchObject({ kind: 'user', id: ada.id });
});

describe('an authenticator app', () => {
  test('is set up with the password, counts once a code confirmed it, and brings recovery codes', async () => {
    const none = { enabled: false, totp: null, passkeys: [], recoveryCodesLeft: 0, isRequired: false };
    expect(await stateOf(ada)).toEqual({ ...none, needsPassword: true });
    const started = await api('POST', `${FACTOR}/totp`, { as: ada, body: { password: PASSWORD } });
    const { secret, uri } = started.json as { secret: string; uri: string };
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toBe(
      `otpauth://totp/Berth:${String(ada.username)}?issuer=Berth&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
    expect(await stateOf(ada)).toMatchObject(none);
    expect((await signIn()).status).toBe(200);
    const confirmed = await api('POST', `${FACTOR}/totp/confirm`, { as: ada, body: { code: codeOf(secret) } });
    const codes = confirmed.json.recoveryCodes as string[];
    expect([confirmed.status, new Set(codes).size]).toEqual([200, 10]);
    for (const code of codes) expect(code).toMatch(/^[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}$/);
    const since = expect.stringMatching(/Z$/) as string;
    expect(await stateOf(ada)).toMatchObject({ enabled: true, totp: { since }, recoveryCodesLeft: 10 });
    const kept = JSON.stringify(getDb().sqlite.prepare('SELECT * FROM totp_secrets, recovery_codes').all());
    expect(kept).toContain('sealed:v1:');
    for (const told of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) {
      expect(kept).not.toContain(told);
    }
  });

  test.each([
    ['without a password', {}, 'password', 'validation_required'],
    ['with a wrong one', { password: 'Wrong!pass1' }, 'password', 'validation_invalid_password'],
    ['with something else', { password: 12 }, undefined, undefined],
  ])('is not begun %s', async (_, body, field, code) => {
    const session = await signInPage(ada);
    const before = everything();
    const { status, json } = await api('POST', `${FACTOR}/totp`, { headers: { authorization: session.token }, body });
    expect([status, field && problemOf(json, field)]).toEqual([400, code]);
    expect(everything()).toBe(before);
  });

  test('is not confirmed by a wrong code, nor before it was begun, and not begun twice', async () => {
    const confirm = (code: string) => api('POST', `${FACTOR}/totp/confirm`, { as: ada, body: { code } });
    expect((await confirm('123456')).status).toBe(400);
    await api('POST', `${FACTOR}/totp`, { as: ada, body: { password: PASSWORD } });
    const before = everything();
    for (const code of ['', '12345', 'abcdef', '0000000']) expect((await confirm(code)).status).toBe(400);
    expect(everything()).toBe(before);
    await enableTotp(ada);
    const again = await api('POST', `${FACTOR}/totp`, { as: ada, body: { password: PASSWORD } });
    expect([again.status, again.json.message]).toEqual([
      400,
      'An authenticator app is set up already. Remove it first.',
    ]);
  });

  test('ends other sessions when it comes and when it goes, and this one goes on', async () => {
    const [here, there] = [await signInPage(ada), await signInPage(ada)];
    const headers = { authorization: here.token };
    const isAlive = async ({ token }: { token: string }) =>
      (await api('GET', '/api/sessions', { headers: { authorization: token } })).status === 200;
    const { secret } = await enableTotp(ada, here.token);
    expect([await isAlive(here), await isAlive(there)]).toEqual([true, false]);
    const another = await signInPage(ada);
    const removed = await api('DELETE', `${FACTOR}/totp`, { headers, body: { code: nextCode(secret) } });
    expect(removed.status).toBe(204);
    expect([await isAlive(here), await isAlive(another)]).toEqual([true, false]);
    expect(await stateOf(ada)).toMatchObject({ enabled: false, totp: null, recoveryCodesLeft: 0 });
    expect((await signIn()).status).toBe(200);
  });

  test('is removed by the password or a code, and by nothing less', async () => {
    const { secret } = await enableTotp(ada);
    const remove = (body: AnyRow) => api('DELETE', `${FACTOR}/totp`, { as: ada, body });
    const before = everything();
    for (const body of [{}, { password: 'Wrong!pass1' }, { code: '000000' }, { code: codeOf(secret) }]) {
      expect((await remove(body)).status).toBe(400);
    }
    expect(everything()).toBe(before);
    expect((await remove({ password: PASSWORD })).status).toBe(204);
    expect((await remove({ password: PASSWORD })).status).toBe(404);
  });

  test('of an account of a provider is begun after a fresh sign-in, with no password', async () => {
    await write((tx) => tx.insert(externalAuths, { recordId: ada.id, provider: 'oidc', providerId: `p-${ada.id}` }));
    const { token } = (await signIn()).json as { token: string };
    const session = await signInPage(ada, {}, token);
    const begin = (authorization: string) => api('POST', `${FACTOR}/totp`, { headers: { authorization } });
    const state = await api('GET', FACTOR, { headers: { authorization: session.token } });
    expect(state.json.needsPassword).toBe(false);
    expect((await begin((await signInPage(ada)).token)).status).toBe(400);
    expect((await begin((await signInPage(ada, {}, token)).token)).status).toBe(400);
    expect((await begin(session.token)).status).toBe(200);
    wait(601);
    expect((await begin(session.token)).status).toBe(400);
  });
});

describe('signing in by password', () => {
  test('takes a code as well, and each code once', async () => {
    const { secret } = await enableTotp(ada);
    const without = await signIn();
    expect(without).toEqual({
      status: 400,
      json: {
        code: 400,
        message: 'A second factor is needed.',
        data: {
          code: {
            code: 'validation_second_factor_required',
            message: 'Enter the code of your authenticator app.',
          },
          pendingToken: expect.stringMatching(/^\w{40}$/) as string,
          factors: ['totp', 'recoveryCode'],
        },
      },
    });
    expect(problemOf((await signIn({ code: codeOf(secret) })).json, 'code')).toBe('validation_second_factor_invalid');
    const code = nextCode(secret);
    expect((await signIn({ code })).json.record).toMatchObject({ id: ada.id });
    expect(problemOf((await signIn({ code })).json, 'code')).toBe('validation_second_factor_invalid');
  });

  test('takes codes of the step before and after, not of one further off, and none twice by going back', async () => {
    const { secret } = await enableTotp(ada);
    wait(120);
    expect((await signIn({ code: codeOf(secret, -2) })).status).toBe(400);
    expect((await signIn({ code: codeOf(secret, 2) })).status).toBe(400);
    expect((await signIn({ code: codeOf(secret, -1) })).status).toBe(200);
    expect((await signIn({ code: ` ${codeOf(secret, 1).slice(0, 3)} ${codeOf(secret, 1).slice(3)}` })).status).toBe(
      200,
    );
    expect((await signIn({ code: codeOf(secret) })).status).toBe(400);
  });

  test('with a wrong password tells nothing of the factor, code or not', async () => {
    const { secret } = await enableTotp(ada);
    const code = nextCode(secret);
    for (const body of [{ password: 'Wrong!pass1' }, { password: 'Wrong!pass1', code }]) {
      expect(await signIn(body)).toEqual({
        status: 400,
        json: { code: 400, message: 'Failed to authenticate.', data: {} },
      });
    }
    expect((await signIn({ code })).status).toBe(200);
  });

  test('as an administrator takes a code too', async () => {
    const { secret } = await enableTotp(admin);
    const path = '/api/admins/auth-with-password';
    const identity = admin.email;
    expect(problemOf((await signIn({ identity }, path)).json, 'code')).toBe('validation_second_factor_required');
    expect((await signIn({ identity, code: nextCode(secret) }, path)).json.admin).toMatchObject({ id: admin.id });
  });

  test('five wrong codes close it for five minutes, for right ones too, and for that account only', async () => {
    const { secret } = await enableTotp(ada);
    const other = await createUser({ passwordHash });
    const theirs = await enableTotp(other);
    for (let count = 0; count < 5; count += 1) expect((await signIn({ code: '000000' })).status).toBe(400);
    const failures = getDb().sqlite.prepare("SELECT 1 FROM audit WHERE record = ? AND outcome = 'failure'").all(ada.id);
    expect(failures).toHaveLength(5);
    const { status, json } = await signIn({ code: nextCode(secret) });
    expect([status, json.message]).toEqual([
      429,
      expect.stringMatching(
        /^Quota exceeded\. Maximum allowed: 5 requests per 5 minutes\. Please try again in \d+ seconds\.$/,
      ) as string,
    ]);
    const identity = other.username;
    expect((await signIn({ identity, code: nextCode(theirs.secret) })).status).toBe(200);
    wait(301);
    expect((await signIn({ code: codeOf(secret) })).status).toBe(200);
  });

  test('wrong codes that come at once are counted, however many', async () => {
    await enableTotp(ada);
    const answers = await Promise.all(Array.from({ length: 12 }, () => signIn({ code: '000000' })));
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
  });

  test('is finished with the pending token, once, unless the password changed meanwhile', async () => {
    const { secret } = await enableTotp(ada);
    const begin = async () => String(((await signIn()).json.data as AnyRow).pendingToken);
    const finish = (body: AnyRow) => api('POST', `${FACTOR}/finish`, { body });
    const pendingToken = await begin();
    expect(problemOf((await finish({ pendingToken })).json, 'code')).toBe('validation_second_factor_required');
    expect(problemOf((await finish({ pendingToken, code: '000000' })).json, 'code')).toBe(
      'validation_second_factor_invalid',
    );
    const done = await finish({ pendingToken, code: nextCode(secret) });
    expect([done.status, done.json.record]).toMatchObject([200, { id: ada.id, email: ada.email }]);
    const again = await finish({ pendingToken, code: nextCode(secret) });
    expect(problemOf(again.json, 'pendingToken')).toBe('validation_invalid_token');
    const late = await begin();
    wait(301);
    expect((await finish({ pendingToken: late, code: codeOf(secret) })).status).toBe(400);
    const stale = await begin();
    await write((tx) => tx.patch(users, ada.id, { tokenKey: 'another' }));
    expect((await finish({ pendingToken: stale, code: nextCode(secret) })).status).toBe(400);
    expect((await finish({ pendingToken: ['x'], code: {} })).status).toBe(400);
  });

  test('goes on to need a code after a password reset, which signs nobody in', async () => {
    const { secret } = await enableTotp(ada);
    const token = issueToken(accountById(ada.id)!, 'passwordReset', users.id, { email: String(ada.email) });
    const body = { token, password: 'Other!pass2', passwordConfirm: 'Other!pass2' };
    expect((await api('POST', '/api/collections/users/confirm-password-reset', { body })).json).toEqual({});
    expect(problemOf((await signIn({ password: 'Other!pass2' })).json, 'code')).toBe(
      'validation_second_factor_required',
    );
    expect((await signIn({ password: 'Other!pass2', code: nextCode(secret) })).status).toBe(200);
  });

  test('is done by the published client with the code in its body', async () => {
    const { secret } = await enableTotp(ada);
    const server = createServer((request, response) => void serveNode(kernel, request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const pb = new PocketBase(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const accounts = pb.collection('users');
    await expect(accounts.authWithPassword(String(ada.username), PASSWORD)).rejects.toMatchObject({
      status: 400,
      response: { data: { code: { code: 'validation_second_factor_required' } } },
    });
    // Options replace the client's own body, so all of it is sent.
    const body = { identity: ada.username, password: PASSWORD, code: nextCode(secret) };
    const { record } = await accounts.authWithPassword(String(ada.username), PASSWORD, { body });
    expect([record.id, pb.authStore.isValid]).toEqual([ada.id, true]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('recovery codes', () => {
  test('each sign in once, however they are typed, also when two come at once', async () => {
    const { recoveryCodes } = await enableTotp(ada);
    const [first, second] = recoveryCodes as [string, string];
    expect((await signIn({ code: ` ${first.toUpperCase().replaceAll('-', ' ')} ` })).status).toBe(200);
    expect((await signIn({ code: first })).status).toBe(400);
    const race = await Promise.all([signIn({ code: second }), signIn({ code: second })]);
    expect(race.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await stateOf(ada)).toMatchObject({ recoveryCodesLeft: 8 });
  });

  test('open their own account only', async () => {
    const { recoveryCodes } = await enableTotp(ada);
    await enableTotp(admin);
    expect((await signIn({ identity: admin.username, code: recoveryCodes[0] })).status).toBe(400);
    expect((await signIn({ code: recoveryCodes[0] })).status).toBe(200);
  });

  test('are replaced with the password, and the old ones are over', async () => {
    const renew = (body: AnyRow) => api('POST', `${FACTOR}/recovery-codes`, { as: ada, body });
    expect((await renew({ password: PASSWORD })).status).toBe(400);
    const { recoveryCodes } = await enableTotp(ada);
    const before = everything();
    for (const body of [{}, { password: 'Wrong!pass1' }, { code: recoveryCodes[0] }]) {
      expect((await renew(body)).status).toBe(400);
    }
    expect(everything()).toBe(before);
    const fresh = (await renew({ password: PASSWORD })).json.recoveryCodes as string[];
    expect(fresh).toHaveLength(10);
    expect((await signIn({ code: recoveryCodes[0] })).status).toBe(400);
    expect((await signIn({ code: fresh[0] })).status).toBe(200);
  });
});

describe('signing in through a provider', () => {
  let oidc: OidcServer;
  beforeAll(async () => {
    oidc = await startOidcServer();
    const [authUrl, tokenUrl, userInfoUrl] = ['auth', 'token', 'me'].map((name) => `${oidc.url}/${name}`);
    const value = { enabled: true, clientId: 'c', authUrl, tokenUrl, userInfoUrl };
    await write((tx) => tx.insert(settings, { key: 'sso', value }));
  });
  afterAll(() => oidc.close());

  const body = { provider: 'oidc', code: 'c', codeVerifier: 'v', redirectUrl: 'https://berth.test/back' };
  const viaProvider = (headers: Record<string, string> = {}) =>
    api('POST', '/api/collections/users/auth-with-oauth2', { body, headers });

  test('is the first factor only, and goes on without another exchange of the provider’s code', async () => {
    const { secret } = await enableTotp(ada);
    await write((tx) => tx.insert(externalAuths, { recordId: ada.id, provider: 'oidc', providerId: ada.id }));
    oidc.profile = { sub: ada.id, name: 'Ada' };
    const { status, json } = await viaProvider();
    expect([status, json.message]).toEqual([400, 'A second factor is needed.']);
    expect(JSON.stringify(json)).not.toContain('access');
    const { pendingToken } = json.data as { pendingToken: string };
    const done = await api('POST', `${FACTOR}/finish`, { body: { pendingToken, code: nextCode(secret) } });
    expect([done.status, done.json]).toMatchObject([
      200,
      { record: { id: ada.id }, meta: { id: ada.id, isNew: false } },
    ]);
    expect(oidc.exchanges).toHaveLength(1);
  });

  test('to link it needs no code of who is signed in', async () => {
    await enableTotp(ada);
    oidc.profile = { sub: `link-${ada.id}`, name: 'Ada' };
    expect((await viaProvider(authorizationOf(ada.id) as Record<string, string>)).status).toBe(200);
  });
});

describe('who may touch a second factor', () => {
  test('nobody but its owner, never with an API token', async () => {
    const { json } = await api('POST', '/api/tokens', {
      as: ada,
      body: { name: 'x', scope: 'full', expiresInDays: null },
    });
    const byToken = { authorization: String(json.token) };
    const fileToken = String((await api('POST', '/api/files/token', { as: ada })).json.token);
    const enrolment = issueToken(accountById(ada.id)!, 'enrolment', users.id);
    const before = everything();
    const calls = [
      ['GET', FACTOR],
      ['POST', `${FACTOR}/totp`],
      ['POST', `${FACTOR}/totp/confirm`],
      ['DELETE', `${FACTOR}/totp`],
      ['POST', `${FACTOR}/recovery-codes`],
      ['DELETE', `${FACTOR}?user=${ada.id}`],
      ['POST', '/api/passkeys/options'],
      ['PATCH', '/api/passkeys/x'],
      ['DELETE', '/api/passkeys/x'],
    ] as const;
    for (const [method, path] of calls) {
      const status = async (headers: Record<string, string>) =>
        (await api(method, path, { headers, body: method === 'GET' ? undefined : { password: PASSWORD } })).status;
      expect([path, await status({}), await status({ authorization: fileToken })]).toEqual([path, 401, 401]);
      expect([path, await status(byToken)]).toEqual([path, 403]);
    }
    expect((await api('GET', FACTOR, { headers: { authorization: enrolment } })).status).toBe(401);
    expect(everything().replace(/"last_used":"[^"]*"/g, '')).toBe(before.replace(/"last_used":"[^"]*"/g, ''));
  });

  test('an admin takes away what another lost, and that ends the account’s sessions and tokens', async () => {
    await enableTotp(ada);
    const session = await signInPage(ada);
    const reset = (as: { id: string }, id = ada.id) => api('DELETE', `${FACTOR}?user=${id}`, { as });
    const before = everything();
    const stranger = await createUser();
    expect((await reset(stranger)).status).toBe(403);
    expect((await reset(ada)).status).toBe(400);
    expect((await reset(admin, admin.id)).status).toBe(400);
    expect((await reset(admin, 'nobody')).status).toBe(404);
    expect((await stateOf(ada)).enabled).toBe(true);
    expect(before).not.toBe('');
    expect((await api('GET', `${FACTOR}?user=${ada.id}`, { as: admin })).json).toMatchObject({ enabled: true });
    expect((await reset(admin)).status).toBe(204);
    expect((await api('GET', '/api/sessions', { headers: { authorization: session.token } })).status).toBe(401);
    expect((await signIn()).status).toBe(200);
  });
});
