import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountById } from '@/lib/auth/accounts';
import { env } from '@/lib/env';
import { hashPassword } from '@/lib/passwords';
import type { AnyRow } from '@/lib/records/collection';
import { getDb } from '@/db/database';
import { api } from '../setup/api';
import { authorizationOf } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { signInPage } from '../setup/page-session';
import { enableTotp, nextCode, PASSWORD, wait } from '../setup/second-factor';
import { everything } from '../setup/snapshot';
import { SoftwareAuthenticator } from '../setup/software-authenticator';
import { createUser } from '../setup/world';

openPrivateDatabase();

const PASSKEYS = '/api/passkeys';
const SIGN_IN = `${PASSKEYS}/sign-in`;
const site = { origin: env().publicUrl, rpId: new URL(env().publicUrl).hostname };
let passwordHash: string;
let ada: AnyRow & { id: string };
let bob: AnyRow & { id: string };

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});
beforeEach(async () => {
  ada = await createUser({ passwordHash });
  bob = await createUser({ passwordHash });
});

interface CreationOptions {
  challenge: string;
  rp: { id: string };
  user: { id: string; name: string };
  excludeCredentials: { id: string }[];
  authenticatorSelection: AnyRow;
}
const authorizationFor = (user: { id: string }) => authorizationOf(user.id).authorization!;

async function askToCreate(user: { id: string }): Promise<CreationOptions> {
  const { status, json } = await api('POST', `${PASSKEYS}/options`, { as: user, body: { password: PASSWORD } });
  expect(status).toBe(200);
  return json as unknown as CreationOptions;
}

const add = (user: { id: string }, response: unknown, name = 'Laptop') =>
  api('POST', PASSKEYS, { as: user, body: { name, response } });

/** A key that the account has added. */
async function register(user: { id: string }, name?: string): Promise<SoftwareAuthenticator> {
  const key = new SoftwareAuthenticator(site);
  const { challenge, user: holder } = await askToCreate(user);
  const { status } = await add(user, key.create({ challenge, userHandle: holder.id }), name);
  expect(status).toBe(200);
  return key;
}

const askToSignIn = async () => String((await api('POST', `${SIGN_IN}/options`, { body: {} })).json.challenge);
const signIn = (response: unknown) => api('POST', SIGN_IN, { body: { response } });
const REFUSED = { status: 400, json: { code: 400, message: 'Failed to authenticate.', data: {} } };

describe('a passkey', () => {
  test('is asked for to be found without a name and to verify who holds it', async () => {
    const options = await askToCreate(ada);
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      user: { id: Buffer.from(ada.id).toString('base64url'), name: ada.username },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    });
    const known = await register(ada);
    expect((await askToCreate(ada)).excludeCredentials).toMatchObject([
      { id: known.credentialId.toString('base64url') },
    ]);
  });

  test('is kept as a second factor, with recovery codes when it is the first', async () => {
    const key = new SoftwareAuthenticator(site);
    key.isBackedUp = true;
    const { challenge, user } = await askToCreate(ada);
    const { status, json } = await add(ada, key.create({ challenge, userHandle: user.id }), ' Phone ');
    const { recoveryCodes, ...record } = json as AnyRow & { recoveryCodes: string[] };
    expect([status, recoveryCodes.length]).toEqual([200, 10]);
    const created = expect.stringMatching(/Z$/) as string;
    expect(record).toEqual({
      id: expect.any(String) as string,
      name: 'Phone',
      created,
      lastUsed: '',
      isBackedUp: true,
    });
    expect((await api('GET', '/api/second-factor', { as: ada })).json).toMatchObject({
      enabled: true,
      totp: null,
      passkeys: [record],
      recoveryCodesLeft: 10,
    });
    const byPassword = { identity: ada.username, password: PASSWORD };
    const asked = await api('POST', '/api/collections/users/auth-with-password', { body: byPassword });
    expect((asked.json.data as AnyRow).factors).toEqual(['passkey', 'recoveryCode']);
    const second = new SoftwareAuthenticator(site);
    const next = await askToCreate(ada);
    const added = await add(ada, second.create({ challenge: next.challenge, userHandle: user.id }));
    expect([added.status, added.json.recoveryCodes]).toEqual([200, []]);
  });

  test('is not begun without the password', async () => {
    const before = everything();
    for (const body of [{}, { password: 'Wrong!pass1' }]) {
      expect((await api('POST', `${PASSKEYS}/options`, { as: ada, body })).status).toBe(400);
    }
    expect((await api('POST', `${PASSKEYS}/options`, { body: { password: PASSWORD } })).status).toBe(401);
    expect(everything()).toBe(before);
  });

  test('is refused where it answers something else than was asked', async () => {
    const key = new SoftwareAuthenticator(site);
    const userHandle = Buffer.from(ada.id).toString('base64url');
    const challenge = async (user = ada) => (await askToCreate(user)).challenge;
    const late = await challenge();
    wait(301);
    const answers = [
      key.create({ challenge: late, userHandle }),
      key.create({ challenge: 'made-up', userHandle }),
      key.create({ challenge: await challenge(bob), userHandle }),
      key.create({ challenge: await askToSignIn(), userHandle }),
      key.create({ challenge: await challenge(), userHandle, origin: 'https://evil.test' }),
      key.create({ challenge: await challenge(), userHandle, rpId: 'evil.test' }),
      key.create({ challenge: await challenge(), userHandle, isUserVerified: false }),
      key.get({ challenge: await challenge() }),
      { id: 'x', response: { clientDataJSON: 'not json' } },
    ];
    const before = everything();
    for (const [index, answer] of answers.entries())
      expect([index, (await add(ada, answer)).status]).toEqual([index, 400]);
    for (const body of [{}, { name: 'x' }, { name: '', response: answers[0] }, { name: 'x', response: 'y' }]) {
      expect((await api('POST', PASSKEYS, { as: ada, body })).status).toBe(400);
    }
    expect(everything()).toBe(before);
  });

  test('answers a challenge once, and belongs to one account', async () => {
    const key = new SoftwareAuthenticator(site);
    const { challenge, user } = await askToCreate(ada);
    const answer = key.create({ challenge, userHandle: user.id });
    const race = await Promise.all([add(ada, answer), add(ada, answer)]);
    expect(race.map(({ status }) => status).sort()).toEqual([200, 400]);
    const theirs = await askToCreate(bob);
    const taken = await add(bob, key.create({ challenge: theirs.challenge, userHandle: theirs.user.id }));
    expect(taken.status).toBe(400);
    expect((await api('GET', '/api/second-factor', { as: bob })).json).toMatchObject({ enabled: false, passkeys: [] });
  });

  test('is renamed and removed by its owner, the latter with proof, and takes the second factor along', async () => {
    await register(ada, 'Old');
    const session = await signInPage(ada);
    const [{ id }] = (await api('GET', '/api/second-factor', { as: ada })).json.passkeys as [{ id: string }];
    const path = `${PASSKEYS}/${id}`;
    const before = everything();
    expect((await api('PATCH', path, { as: bob, body: { name: 'Mine' } })).status).toBe(404);
    expect((await api('PATCH', path, { as: ada, body: { name: ' ' } })).status).toBe(400);
    expect((await api('DELETE', path, { as: bob, body: { password: PASSWORD } })).status).toBe(404);
    expect((await api('DELETE', path, { as: ada, body: {} })).status).toBe(400);
    expect(everything()).toBe(before);
    const renamed = await api('PATCH', path, { as: ada, body: { name: 'New' } });
    expect(renamed.json).toMatchObject({ id, name: 'New' });
    const mine = { headers: { authorization: authorizationFor(ada) } };
    expect((await api('DELETE', path, { ...mine, body: { password: PASSWORD } })).status).toBe(204);
    expect((await api('GET', '/api/second-factor', { as: ada })).json).toMatchObject({
      enabled: false,
      passkeys: [],
      recoveryCodesLeft: 0,
    });
    expect((await api('GET', '/api/sessions', { headers: { authorization: session.token } })).status).toBe(401);
  });

  test('stays the second factor while another is left', async () => {
    await register(ada);
    const { secret } = await enableTotp(ada);
    const [{ id }] = (await api('GET', '/api/second-factor', { as: ada })).json.passkeys as [{ id: string }];
    const removed = await api('DELETE', `${PASSKEYS}/${id}`, { as: ada, body: { code: nextCode(secret) } });
    expect(removed.status).toBe(204);
    expect((await api('GET', '/api/second-factor', { as: ada })).json).toMatchObject({
      enabled: true,
      recoveryCodesLeft: 10,
    });
  });
});

describe('signing in with a passkey', () => {
  test('asks for no name and no code, and notes the use', async () => {
    const key = await register(ada);
    const options = (await api('POST', `${SIGN_IN}/options`, { body: {} })).json;
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(options.allowCredentials ?? []).toEqual([]);
    key.counter = 7;
    const { status, json } = await signIn(key.get({ challenge: String(options.challenge) }));
    expect([status, json.record]).toMatchObject([200, { id: ada.id, email: ada.email }]);
    const refreshed = await api('POST', '/api/collections/users/auth-refresh', {
      headers: { authorization: String(json.token) },
    });
    expect(refreshed.status).toBe(200);
    const [passkey] = (await api('GET', '/api/second-factor', { as: ada })).json.passkeys as AnyRow[];
    expect(passkey!.lastUsed).toMatch(/Z$/);
  });

  test('works again and again with a key that does not count', async () => {
    const key = await register(ada);
    for (let count = 0; count < 2; count += 1) {
      expect((await signIn(key.get({ challenge: await askToSignIn() }))).status).toBe(200);
    }
  });

  test('is refused, always alike, where anything is wrong', async () => {
    const key = await register(ada);
    const theirs = await register(bob);
    const late = await askToSignIn();
    wait(301);
    key.counter = 5;
    expect((await signIn(key.get({ challenge: await askToSignIn() }))).status).toBe(200);
    const good = await askToSignIn();
    const assertion = key.get({ challenge: good });
    const crossed = { ...theirs.get({ challenge: await askToSignIn() }), id: assertion.id, rawId: assertion.id };
    const stranger = new SoftwareAuthenticator(site);
    stranger.userHandle = key.userHandle;
    const foreign = theirs.get({ challenge: await askToSignIn() });
    foreign.response.userHandle = key.userHandle;
    const nameless = theirs.get({ challenge: await askToSignIn() });
    nameless.response.userHandle = '';
    const answers = [
      { ...assertion, response: { ...assertion.response, signature: crossed.response.signature } },
      crossed,
      foreign,
      nameless,
      stranger.get({ challenge: await askToSignIn() }),
      key.get({ challenge: 'made-up' }),
      key.get({ challenge: (await askToCreate(ada)).challenge }),
      key.get({ challenge: late }),
      key.get({ challenge: await askToSignIn() }),
      at(key, 4).get({ challenge: await askToSignIn() }),
      at(key, 9).get({ challenge: await askToSignIn(), origin: 'https://evil.test' }),
      at(key, 9).get({ challenge: await askToSignIn(), rpId: 'evil.test' }),
      at(key, 9).get({ challenge: await askToSignIn(), isUserVerified: false }),
    ];
    const before = everything();
    for (const [index, answer] of answers.entries()) expect([index, await signIn(answer)]).toEqual([index, REFUSED]);
    expect((await api('POST', SIGN_IN, { body: {} })).status).toBe(400);
    expect(everything()).toBe(before);
    expect((await signIn(at(key, 9).get({ challenge: await askToSignIn() }))).status).toBe(200);
  });

  test('takes an answer once, also when it comes twice at the same time', async () => {
    const key = await register(ada);
    const answer = key.get({ challenge: await askToSignIn() });
    const race = await Promise.all([signIn(answer), signIn(answer)]);
    expect(race.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await signIn(answer)).toEqual(REFUSED);
  });

  test('opens no disabled account, and none whose key was removed', async () => {
    const key = await register(ada);
    const set = (enabled: number) =>
      getDb().sqlite.prepare('UPDATE users SET enabled = ? WHERE id = ?').run(enabled, ada.id);
    set(0);
    expect(await signIn(key.get({ challenge: await askToSignIn() }))).toEqual(REFUSED);
    set(1);
    expect((await signIn(key.get({ challenge: await askToSignIn() }))).status).toBe(200);
    expect(accountById(ada.id)!.secondFactorSince).not.toBe('');
    const [{ id }] = (await api('GET', '/api/second-factor', { as: ada })).json.passkeys as [{ id: string }];
    await api('DELETE', `${PASSKEYS}/${id}`, { as: ada, body: { password: PASSWORD } });
    expect(await signIn(key.get({ challenge: await askToSignIn() }))).toEqual(REFUSED);
  });
});

test('the audit log tells what was done to factors, and who signed in by them', async () => {
  const key = await register(ada, 'Laptop');
  await signIn(key.get({ challenge: await askToSignIn() }));
  await signIn(key.get({ challenge: 'made-up' }));
  const { secret } = await enableTotp(ada);
  await api('POST', '/api/second-factor/recovery-codes', { as: ada, body: { password: PASSWORD } });
  await api('DELETE', '/api/second-factor/totp', { as: ada, body: { code: nextCode(secret) } });
  const rows = getDb()
    .sqlite.prepare(
      "SELECT action, outcome, user FROM audit WHERE record = ? OR (record = '' AND user = '') ORDER BY rowid",
    )
    .all(ada.id) as AnyRow[];
  const told = rows.slice(-6).map(({ action, outcome }) => `${String(action)} ${String(outcome)}`);
  expect(told).toEqual([
    'passkey.create success',
    'signIn.passkey success',
    'signIn.passkey failure',
    'secondFactor.enable success',
    'recoveryCodes.create success',
    'secondFactor.disable success',
  ]);
});

function at(key: SoftwareAuthenticator, counter: number): SoftwareAuthenticator {
  key.counter = counter;
  return key;
}
