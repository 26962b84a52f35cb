import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getDb } from '@/db/database';
import { actorOfAuthorization } from '@/lib/auth/actor';
import { accountById } from '@/lib/auth/accounts';
import { issueToken, type TokenPurpose } from '@/lib/auth/tokens';
import { settings } from '@/lib/settings/collection';
import { users } from '@/lib/accounts/collection';
import { externalAuths } from '@/lib/accounts/external-auths';
import { setClock } from '@/lib/clock';
import { env } from '@/lib/env';
import { hashPassword } from '@/lib/passwords';
import type { AnyRow } from '@/lib/records/collection';
import { StoreReader, write } from '@/lib/records/transaction';
import { apiKernel } from '@/lib/api/kernel';
import { api, sendApi } from '../setup/api';
import { authorizationOf } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { startOidcServer, type OidcServer } from '../setup/oidc-server';
import { signInPage } from '../setup/page-session';
import { enableTotp, nextCode, PASSWORD } from '../setup/second-factor';
import { everything } from '../setup/snapshot';
import { SoftwareAuthenticator } from '../setup/software-authenticator';
import { createUser } from '../setup/world';
import { callKernel } from './kernel-caller';

/** What someone would try who wants more than they were given. */
openPrivateDatabase();

const USERS = '/api/collections/users';
const FACTOR = '/api/second-factor';
let passwordHash: string;
let admin: AnyRow & { id: string };
let ada: AnyRow & { id: string };

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});
beforeEach(async () => {
  admin = await createUser({ isAdmin: true, passwordHash });
  ada = await createUser({ passwordHash, verified: false });
});
afterAll(() => setClock(Date.now)());

const account = (user: { id: string }) => accountById(user.id)!;
const auditRows = () => getDb().sqlite.prepare('SELECT COUNT(*) FROM audit').pluck().get() as number;

describe('a token of one purpose', () => {
  const purposes: TokenPurpose[] = [
    'auth',
    'file',
    'passwordReset',
    'verification',
    'emailChange',
    'enrolment',
    'adminAuth',
    'adminFile',
    'adminPasswordReset',
  ];
  const next = { password: 'Other!pass1', passwordConfirm: 'Other!pass1' };
  /** Doors that take a token, what one goes in by, and the purpose that opens each. */
  const doors: [door: string, opener: TokenPurpose, knock: (token: string) => Promise<{ status: number }>][] = [
    ['a call of an account', 'auth', (token) => api('GET', '/api/sessions', { headers: { authorization: token } })],
    ['a refresh', 'auth', (token) => api('POST', `${USERS}/auth-refresh`, { headers: { authorization: token } })],
    ['settings', 'adminAuth', (token) => api('GET', '/api/settings', { headers: { authorization: token } })],
    ['a stream', 'file', (token) => sendApi('GET', `/api/audit/export?token=${token}`)],
    ['a backup', 'adminFile', (token) => sendApi('GET', `/api/backups/none.zip?token=${token}`)],
    [
      'a reset',
      'passwordReset',
      (token) => api('POST', `${USERS}/confirm-password-reset`, { body: { token, ...next } }),
    ],
    [
      'an admin’s reset',
      'adminPasswordReset',
      (token) => api('POST', '/api/admins/confirm-password-reset', { body: { token, ...next } }),
    ],
    ['a verification', 'verification', (token) => api('POST', `${USERS}/confirm-verification`, { body: { token } })],
    [
      'a change of address',
      'emailChange',
      (token) => api('POST', `${USERS}/confirm-email-change`, { body: { token, password: PASSWORD } }),
    ],
    [
      'an enrolment',
      'enrolment',
      (token) => api('POST', `${FACTOR}/totp`, { headers: { authorization: token }, body: {} }),
    ],
    [
      'the second step of a sign-in',
      'auth',
      (token) => api('POST', `${FACTOR}/finish`, { body: { pendingToken: token, code: '000000' } }),
    ],
  ];
  const cases = doors.flatMap(([door, opener, knock]) =>
    purposes
      .filter(
        (purpose) =>
          purpose !== opener &&
          !(purpose === 'adminFile' && door === 'a stream') &&
          !(purpose === 'adminAuth' && door === 'a call of an account'),
      )
      .map((purpose) => [purpose, door, knock] as const),
  );

  test.each(cases)('%s does not open %s', async (purpose, _, knock) => {
    const extra = { email: String(admin.email), newEmail: 'other@example.com' };
    const token = issueToken(account(admin), purpose, users.id, extra);
    const before = everything();
    expect((await knock(token)).status).toBeGreaterThanOrEqual(400);
    expect(everything()).toBe(before);
  });

  test.each(doors.filter(([door]) => !/step|backup/.test(door)))('%s opens to %s', async (_, opener, knock) => {
    const extra = { email: String(admin.email), newEmail: `new-${admin.id}@example.com` };
    expect((await knock(issueToken(account(admin), opener, users.id, extra))).status).toBeLessThan(300);
  });

  test('has one spelling only', () => {
    const token = authorizationOf(ada.id).authorization!;
    expect(actorOfAuthorization(token).kind).toBe('user');
    for (const other of [`${token}=`, `${token}!`, `${token}${'*'.repeat(5000)}`, token.replace(/.$/, '$& ')]) {
      expect([other.slice(-5), actorOfAuthorization(other).kind]).toEqual([other.slice(-5), 'guest']);
    }
  });
});

describe('a record of one’s own', () => {
  const FORBIDDEN: AnyRow = {
    isAdmin: true,
    verified: true,
    enabled: false,
    tokenKey: 'x'.repeat(50),
    passwordHash: 'x',
    password_hash: 'x',
    token_key: 'x',
    is_admin: true,
    secondFactorSince: '2024-01-01 00:00:00.000Z',
    second_factor_since: '',
    created: '2001-01-01 00:00:00.000Z',
    email: 'taken@example.com',
    id: 'aaaaaaaaaaaaaaa',
  };
  const forms: [string, (key: string, value: unknown) => unknown][] = [
    ['JSON', (key, value) => ({ [key]: value })],
    ['JSON, adding', (key, value) => ({ [`${key}+`]: value })],
    ['JSON, taking away', (key, value) => ({ [`${key}-`]: value })],
    ['a form', (key, value) => formOf(key, String(value))],
    ['a form, adding', (key, value) => formOf(`${key}+`, String(value))],
    ['a form with JSON', (key, value) => formOf('@jsonPayload', JSON.stringify({ [key]: value }))],
    ['a prototype', (key, value) => `{"__proto__":{"${key}":${JSON.stringify(value)}}}`],
  ];
  function formOf(key: string, value: string): FormData {
    const form = new FormData();
    form.append(key, value);
    return form;
  }
  const attempts = Object.entries(FORBIDDEN).flatMap(([key, value]) =>
    forms.map(([form, make]) => [key, form, make(key, value)] as const),
  );
  const secured = (user: { id: string }) => {
    const { updated: _, ...row } = new StoreReader().get(users, user.id)! as AnyRow;
    return row;
  };

  test.each(attempts)('takes no %s by %s', async (_key, _form, body) => {
    const before = secured(ada);
    await api('PATCH', `${USERS}/records/${ada.id}`, { as: ada, body });
    expect(secured(ada)).toEqual(before);
    expect(({} as AnyRow).isAdmin).toBeUndefined();
  });

  test.each(['password', 'password+'])('takes no %s without the old one', async (key) => {
    const before = secured(ada);
    const body = { [key]: 'Other!pass1', passwordConfirm: 'Other!pass1' };
    await api('PATCH', `${USERS}/records/${ada.id}`, { as: ada, body });
    expect(secured(ada)).toEqual(before);
  });
});

describe('calls that anyone may make', () => {
  const from = (address: string, path: string, body: unknown) =>
    callKernel(apiKernel(), {
      method: 'POST',
      url: path,
      address,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const response = {
    id: 'x',
    rawId: 'x',
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON: 'e30' },
  };

  test.each([
    ['an invented passkey', '/api/passkeys/sign-in', { response }],
    ['an invented sign-in', `${FACTOR}/finish`, { pendingToken: 'x', code: '123456' }],
  ])('do not fill the audit log with %s', async (name, path, body) => {
    const address = `203.0.113.${name.charCodeAt(12)}`;
    const before = auditRows();
    const statuses: number[] = [];
    for (let turn = 0; turn < 70; turn += 1) statuses.push((await from(address, path, body)).status);
    expect(statuses.slice(0, 60)).toEqual(Array<number>(60).fill(400));
    expect(new Set(statuses.slice(60))).toEqual(new Set([429]));
    expect(auditRows() - before).toBeLessThanOrEqual(60);
    expect((await from('203.0.113.200', path, body)).status).toBe(400);
  });
});

test('one address does not crowd out the questions that others’ passkeys are to answer', async () => {
  const ask = (address: string) =>
    callKernel(apiKernel(), { method: 'POST', url: '/api/passkeys/sign-in/options', address });
  for (let turn = 0; turn < 300; turn += 1) expect((await ask('203.0.113.77')).status).toBe(200);
  expect((await ask('203.0.113.77')).status).toBe(429);
  expect((await ask('203.0.113.78')).status).toBe(200);
});

describe('a borrowed browser', () => {
  let oidc: OidcServer;
  beforeAll(async () => {
    oidc = await startOidcServer();
    const [authUrl, tokenUrl, userInfoUrl] = ['auth', 'token', 'me'].map((name) => `${oidc.url}/${name}`);
    await write((tx) =>
      tx.insert(settings, { key: 'sso', value: { enabled: true, clientId: 'c', authUrl, tokenUrl, userInfoUrl } }),
    );
  });
  afterAll(() => oidc.close());
  const body = { provider: 'oidc', code: 'c', codeVerifier: 'v', redirectUrl: 'https://berth.test/back' };

  test.each(['of whoever sits there', 'that was there before'])(
    'does not take a second factor away by the provider’s account %s',
    async (whose) => {
      const { token } = await signInPage(ada);
      const { secret } = await enableTotp(ada, token);
      oidc.profile = { sub: `${whose.slice(0, 4)}-${ada.id}`, name: 'Ada' };
      if (whose.startsWith('that')) {
        const providerId = oidc.profile.sub as string;
        await write((tx) => tx.insert(externalAuths, { recordId: ada.id, provider: 'oidc', providerId }));
      }
      const linked = await api('POST', `${USERS}/auth-with-oauth2`, { body, headers: { authorization: token } });
      expect(linked.status).toBe(200);
      const again = await signInPage(ada, {}, String(linked.json.token));
      for (const authorization of [String(linked.json.token), again.token]) {
        const removed = await api('DELETE', `${FACTOR}/totp`, { headers: { authorization }, body: {} });
        expect(removed.status).toBe(400);
      }
      expect(account(ada).secondFactorSince).not.toBe('');
      expect(nextCode(secret)).toMatch(/^\d{6}$/);
    },
  );
});

test('of several first factors that are set up at once with a stolen password one comes to be', async () => {
  const headers = { authorization: issueToken(account(ada), 'enrolment', users.id) };
  const site = { origin: env().publicUrl, rpId: new URL(env().publicUrl).hostname };
  const adding = Array.from({ length: 4 }, async (_, at) => {
    const { json } = await api('POST', '/api/passkeys/options', { headers, body: {} });
    const { challenge, user } = json as { challenge: string; user: { id: string } };
    return { name: `key ${at}`, response: new SoftwareAuthenticator(site).create({ challenge, userHandle: user.id }) };
  });
  const bodies = await Promise.all(adding);
  const answers = await Promise.all(bodies.map((body) => api('POST', '/api/passkeys', { headers, body })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  const kept = getDb().sqlite.prepare('SELECT COUNT(*) FROM passkeys WHERE user_id = ?').pluck();
  expect(kept.get(ada.id)).toBe(1);
});
