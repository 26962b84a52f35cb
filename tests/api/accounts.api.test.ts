import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startSession, sessionOfCookies } from '@/lib/auth/sessions';
import { issueToken } from '@/lib/auth/tokens';
import { users, type UserRow } from '@/lib/accounts/collection';
import { externalAuths } from '@/lib/accounts/external-auths';
import { setClock } from '@/lib/clock';
import { hashPassword } from '@/lib/passwords';
import type { AnyRow } from '@/lib/records/collection';
import { StoreReader, write } from '@/lib/records/transaction';
import { call, send } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { readOutbox, tokenIn } from '../setup/outbox';
import { everything } from '../setup/snapshot';
import { createUser } from '../setup/world';

openPrivateDatabase();

const PASSWORD = 'Secret123!';
const base = '/api/collections/users';
let passwordHash: string;
let user: AnyRow & { id: string };
let resetClock = () => {};

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});

beforeEach(async () => {
  user = await createUser({ passwordHash, name: 'Mara "M" <b>' });
});

afterEach(() => resetClock());

const stored = (): UserRow => new StoreReader().get(users, user.id)!;
const post = (path: string, body: unknown, as?: { id: string }) => call('POST', `${base}/${path}`, { body, as });
const problem = (code: string) => expect.objectContaining({ code });
const GENERIC = 'Something went wrong while processing your request.';

async function nextMail(send: () => Promise<unknown>): Promise<string> {
  const known = new Set(readOutbox());
  const added = () => readOutbox().filter((mail) => !known.has(mail));
  await send();
  await expect.poll(() => added().length).toBe(1);
  return added()[0]!;
}

/** Whether so many mails come of a call and no more, once all that was begun is over. */
async function expectMails(send: () => Promise<unknown>, count: number): Promise<void> {
  const known = await settledOutbox();
  await send();
  await expect.poll(() => readOutbox().length - known, { timeout: 10_000 }).toBeGreaterThanOrEqual(count);
  expect((await settledOutbox()) - known).toBe(count);
}

/** How many mails lie there once no more arrive: those of an earlier call may be on their way. */
async function settledOutbox(): Promise<number> {
  for (let before = -1; ;) {
    const count = readOutbox().length;
    if (count === before) return count;
    before = count;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}

describe('password reset', () => {
  test('a mailed link sets a password, verifies the address and ends tokens and sessions', async () => {
    const from = { address: '', userAgent: 'x', isSecure: false };
    const cookie = (await startSession(user.id, from)).setCookie[0]!.split(';')[0]!;
    const mail = await nextMail(() => post('request-password-reset', { email: user.email }));
    expect(mail).toContain('Subject: Reset your Berth password');
    expect(mail).toContain(`<${String(user.email)}>`);
    expect(mail.slice(mail.indexOf('<!doctype'))).not.toContain('<b>');
    const before = stored().tokenKey;
    const body = { token: tokenIn(mail), password: 'Fresh456!', passwordConfirm: 'Fresh456!' };
    expect((await post('confirm-password-reset', body)).status).toBe(204);
    expect([stored().verified, stored().tokenKey === before]).toEqual([true, false]);
    expect(await sessionOfCookies(cookie)).toBeUndefined();
    expect((await post('auth-with-password', { identity: user.email, password: 'Fresh456!' })).status).toBe(200);
    expect((await post('auth-with-password', { identity: user.email, password: PASSWORD })).status).toBe(400);
    const again = await post('confirm-password-reset', body);
    expect(again.json).toMatchObject({ code: 400, data: { token: problem('validation_invalid_token') } });
  });

  test('of two that use one link at once, one sets the password', async () => {
    const token = issueToken(stored(), 'passwordReset', users.id, { email: stored().email });
    const answers = await Promise.all(
      ['First123!', 'Other123!'].map((password) =>
        post('confirm-password-reset', { token, password, passwordConfirm: password }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
  });

  test('names every wrong field at once and changes nothing', async () => {
    const before = everything();
    const empty = await post('confirm-password-reset', {});
    expect(empty.json).toEqual({
      code: 400,
      message: GENERIC,
      data: {
        token: { code: 'validation_required', message: 'Cannot be blank.' },
        password: problem('validation_required'),
        passwordConfirm: problem('validation_required'),
      },
    });
    const bad = await post('confirm-password-reset', { token: 'x.y.z', password: 'short', passwordConfirm: 'other' });
    expect(bad.json.data).toEqual({
      token: problem('validation_invalid_token'),
      password: problem('validation_length_out_of_range'),
      passwordConfirm: problem('validation_values_mismatch'),
    });
    const wrongType = await post('confirm-password-reset', { token: 1 });
    expect(wrongType.json.message).toBe('An error occurred while loading the submitted data.');
    expect(everything()).toBe(before);
  });

  test.each([
    ['an auth token', () => issueToken(stored(), 'auth', users.id)],
    ['a verification token', () => issueToken(stored(), 'verification', users.id, { email: stored().email })],
    [
      'a tampered token',
      () => `${issueToken(stored(), 'passwordReset', users.id, { email: 'a@b.co' }).slice(0, -2)}xx`,
    ],
  ])('is not done by %s', async (_, tokenOf) => {
    const before = everything();
    const body = { token: tokenOf(), password: 'Fresh456!', passwordConfirm: 'Fresh456!' };
    expect((await post('confirm-password-reset', body)).json.data).toEqual({
      token: problem('validation_invalid_token'),
    });
    expect(everything()).toBe(before);
  });

  test('the link runs out after half an hour', async () => {
    const token = issueToken(stored(), 'passwordReset', users.id, { email: stored().email });
    resetClock = setClock(() => Date.now() + 1_801_000);
    const body = { token, password: 'Fresh456!', passwordConfirm: 'Fresh456!' };
    expect((await post('confirm-password-reset', body)).status).toBe(400);
  });

  test('answers the same for unknown accounts and repeats, and mails once in 120 s', async () => {
    const ask = (email: unknown) => async () =>
      expect((await post('request-password-reset', { email })).status).toBe(204);
    await expectMails(ask('nobody@example.com'), 0);
    await expectMails(ask(user.email), 1);
    await expectMails(ask(user.email), 0);
    resetClock = setClock(() => Date.now() + 121_000);
    await expectMails(ask(user.email), 1);
  });

  test.each([
    ['', 'validation_required'],
    ['nonsense', 'validation_is_email'],
  ])('refuses the address %j', async (email, code) => {
    const { json } = await post('request-password-reset', { email });
    expect(json).toEqual({
      code: 400,
      message: 'An error occurred while validating the form.',
      data: { email: problem(code) },
    });
  });
});

describe('verification', () => {
  test('a mailed link verifies, twice too', async () => {
    const mail = await nextMail(() => post('request-verification', { email: user.email }));
    const key = stored().tokenKey;
    for (let round = 0; round < 2; round += 1) {
      expect((await post('confirm-verification', { token: tokenIn(mail) })).status).toBe(204);
    }
    expect([stored().verified, stored().tokenKey]).toEqual([true, key]);
    await expectMails(() => post('request-verification', { email: user.email }), 0);
  });

  test('tells what is wrong with a token and changes nothing', async () => {
    const before = everything();
    const codeOf = async (token: string) => (await post('confirm-verification', { token })).json.data;
    expect(await codeOf('')).toEqual({ token: problem('validation_required') });
    expect(await codeOf('nonsense')).toEqual({ token: problem('validation_invalid_token_claims') });
    const claimless = issueToken(stored(), 'verification', users.id);
    expect(await codeOf(claimless)).toEqual({ token: problem('validation_invalid_token_claims') });
    const other = issueToken(stored(), 'verification', users.id, { email: 'old@example.com' });
    expect(await codeOf(other)).toEqual({ token: problem('validation_token_email_mismatch') });
    expect(everything()).toBe(before);
  });

  test('ends the tokens of an account that a provider was linked to', async () => {
    await write((tx) => tx.insert(externalAuths, { recordId: user.id, provider: 'oidc', providerId: user.id }));
    const key = stored().tokenKey;
    const token = issueToken(stored(), 'verification', users.id, { email: stored().email });
    await post('confirm-verification', { token });
    expect([stored().verified, stored().tokenKey === key]).toEqual([true, false]);
  });
});

describe('e-mail change', () => {
  test('a link to the new address and the password change it and end all tokens', async () => {
    const newEmail = `new-${user.id}@example.com`;
    const mail = await nextMail(() => post('request-email-change', { newEmail }, user));
    expect(mail).toContain(newEmail);
    const key = stored().tokenKey;
    const token = tokenIn(mail);
    expect((await post('confirm-email-change', { token, password: 'Wrong123!' })).json.data).toEqual({
      password: problem('validation_invalid_password'),
    });
    expect((await post('confirm-email-change', { token, password: PASSWORD })).status).toBe(204);
    expect(stored()).toMatchObject({ email: newEmail, verified: true });
    expect(stored().tokenKey).not.toBe(key);
  });

  test('is refused field by field, changing nothing', async () => {
    const other = await createUser();
    const before = everything();
    expect((await post('request-email-change', { newEmail: 'a@b.co' })).json).toMatchObject({
      code: 401,
      message: 'The request requires valid record authorization token to be set.',
    });
    const asked = async (newEmail: unknown) => (await post('request-email-change', { newEmail }, user)).json.data;
    expect(await asked('')).toEqual({ newEmail: problem('validation_required') });
    expect(await asked('x')).toEqual({ newEmail: problem('validation_is_email') });
    expect(await asked(other.email)).toEqual({ newEmail: problem('validation_record_email_invalid') });
    const confirmed = async (claims: object) => {
      const token = issueToken(stored(), 'emailChange', users.id, claims);
      return (await post('confirm-email-change', { token, password: PASSWORD })).json.data;
    };
    expect(await confirmed({ email: stored().email })).toEqual({ token: problem('validation_invalid_token_payload') });
    expect(await confirmed({ newEmail: other.email })).toEqual({ token: problem('validation_existing_token_email') });
    expect((await post('confirm-email-change', { token: 'x', password: '' })).json.data).toEqual({
      token: problem('validation_invalid_token_payload'),
      password: problem('validation_required'),
    });
    expect(everything()).toBe(before);
  });
});

describe('tokens', () => {
  test('end with a password set over the record API, with its sessions', async () => {
    const cookie = (await startSession(user.id, { address: '', userAgent: 'x', isSecure: false })).setCookie[0]!.split(
      ';',
    )[0]!;
    const authorization = issueToken(stored(), 'auth', users.id);
    const body = { oldPassword: PASSWORD, password: 'Fresh456!', passwordConfirm: 'Fresh456!' };
    expect((await call('PATCH', `${base}/records/${user.id}`, { as: user, body })).status).toBe(200);
    const refreshed = await send(`${base}/auth-refresh`, { method: 'POST', headers: { authorization } });
    expect(refreshed.status).toBe(401);
    expect(await sessionOfCookies(cookie)).toBeUndefined();
  });

  test('end everywhere when their owner says so', async () => {
    const authorization = issueToken(stored(), 'auth', users.id);
    const signOut = () => send('/api/session/everywhere', { method: 'DELETE', headers: { authorization } });
    expect((await signOut()).status).toBe(204);
    expect((await signOut()).status).toBe(401);
  });

  test('are kept by renaming and by an e-mail change of an admin', async () => {
    const admin = await createUser({ isAdmin: true });
    const key = stored().tokenKey;
    await call('PATCH', `${base}/records/${user.id}`, {
      as: admin,
      body: { name: 'N', email: `n-${user.id}@example.com` },
    });
    expect([stored().name, stored().tokenKey]).toEqual(['N', key]);
  });
});

test.each(['auth-with-oauth2', 'request-password-reset', 'confirm-verification'])(
  '%s exists on accounts only',
  async (path) => {
    const other = await call('POST', `/api/collections/hosts/${path}`, { body: {} });
    expect([other.status, other.json.message]).toEqual([400, 'Unsupported collection type.']);
    expect((await call('POST', `/api/collections/nope/${path}`, { body: {} })).status).toBe(404);
  },
);
