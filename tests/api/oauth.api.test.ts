import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { settings } from '@/lib/settings/collection';
import { users } from '@/lib/accounts/collection';
import { externalAuths } from '@/lib/accounts/external-auths';
import { readableOutlet } from '@/lib/outlet';
import { realtimeHub } from '@/lib/realtime/hub';
import { StoreReader, write } from '@/lib/records/transaction';
import type { AnyRow } from '@/lib/records/collection';
import { call, send } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { startOidcServer, type OidcServer } from '../setup/oidc-server';
import { everything } from '../setup/snapshot';
import { createUser } from '../setup/world';

openPrivateDatabase();

const base = '/api/collections/users';
let oidc: OidcServer;
let admin: AnyRow & { id: string };
let count = 0;

beforeAll(async () => {
  oidc = await startOidcServer();
  admin = await createUser({ isAdmin: true });
});
afterAll(() => oidc.close());

async function setSso(changes: AnyRow): Promise<void> {
  await write((tx) => tx.find(settings, { key: 'sso' }).forEach(({ id }) => tx.remove(settings, id)));
  const value = {
    enabled: true,
    clientId: 'berth',
    clientSecret: 'hush',
    authUrl: `${oidc.url}/auth?prompt=login`,
    tokenUrl: `${oidc.url}/token`,
    userInfoUrl: `${oidc.url}/me`,
    ...changes,
  };
  const made = await call('POST', '/api/collections/settings/records', { as: admin, body: { key: 'sso', value } });
  expect([made.status, (made.json.value as AnyRow).clientSecret]).toEqual([200, '']);
}

const form = { provider: 'oidc', code: 'c', codeVerifier: 'v', redirectUrl: 'https://berth.test/back' };
const signIn = (body: AnyRow = {}, as?: { id: string }) =>
  call('POST', `${base}/auth-with-oauth2`, { body: { ...form, ...body }, as });
const linksOf = (recordId: unknown) => new StoreReader().find(externalAuths, { recordId: String(recordId) });

/** Someone new at the provider. */
function profile(overrides: AnyRow = {}): AnyRow {
  count += 1;
  return (oidc.profile = {
    sub: `sub-${count}`,
    preferred_username: `ada${count}`,
    name: 'Ada',
    email: `ada${count}@example.com`,
    email_verified: true,
    picture: `${oidc.url}/a.png`,
    ...overrides,
  });
}

describe('without a provider', () => {
  test('there are no methods and none is known', async () => {
    expect((await call('GET', `${base}/auth-methods`)).json).toEqual({
      usernamePassword: true,
      emailPassword: true,
      onlyVerified: false,
      authProviders: [],
    });
    expect((await signIn({ provider: 'nope' })).json).toMatchObject({
      code: 400,
      data: { provider: { code: 'validation_invalid_provider', message: '"nope" is missing or is not enabled.' } },
    });
  });

  test('switched off, it says so', async () => {
    await setSso({ enabled: false });
    const message = 'The collection is not configured to allow OAuth2 authentication.';
    expect((await signIn()).json).toEqual({ code: 400, message, data: {} });
    expect((await call('GET', `${base}/auth-methods`)).json.authProviders).toEqual([]);
  });
});

describe('with a provider', () => {
  beforeEach(() => setSso({}));

  test('auth-methods gives an address that ends where the redirect goes', async () => {
    const { json } = await call('GET', `${base}/auth-methods`);
    const [method] = json.authProviders as AnyRow[];
    expect(method).toMatchObject({ name: 'oidc', displayName: 'SSO', codeChallengeMethod: 'S256' });
    expect(String(method!.authUrl)).toMatch(/&redirect_uri=$/);
    const url = new URL(String(method!.authUrl));
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      prompt: 'login',
      client_id: 'berth',
      response_type: 'code',
      scope: 'openid email profile',
      state: method!.state,
      code_challenge: method!.codeChallenge,
    });
    expect(method!.authUrl).toContain('scope=openid%20email%20profile');
    expect(String(method!.state)).toHaveLength(30);
    expect(String(method!.codeVerifier)).toHaveLength(43);
  });

  test('names every missing field', async () => {
    const { json } = await call('POST', `${base}/auth-with-oauth2`, { body: {} });
    const blank = { code: 'validation_required', message: 'Cannot be blank.' };
    expect(json.data).toEqual({ provider: blank, code: blank, redirectUrl: blank });
  });

  test('makes an account of someone new and knows them again', async () => {
    const { sub, email } = profile();
    const first = await signIn({ createData: { name: 'Ada L', isAdmin: true, verified: false } });
    expect(first.json).toMatchObject({
      record: { name: 'Ada L', username: `ada${count}`, email, verified: true, isAdmin: false },
      meta: {
        id: sub,
        isNew: true,
        accessToken: 'access',
        refreshToken: 'refresh',
        avatarUrl: `${oidc.url}/a.png`,
      },
    });
    expect(oidc.exchanges.at(-1)!.get('code_verifier')).toBe('v');
    expect(oidc.exchanges.at(-1)!.get('redirect_uri')).toBe(form.redirectUrl);
    const again = await signIn();
    expect(again.json).toMatchObject({ record: { id: (first.json.record as AnyRow).id }, meta: { isNew: false } });
    expect(linksOf((again.json.record as AnyRow).id)).toHaveLength(1);
  });

  test('links the account that is signed in', async () => {
    const me = await createUser();
    const { sub } = profile();
    const { json } = await signIn({}, me);
    expect(json).toMatchObject({ record: { id: me.id, email: me.email }, meta: { isNew: false } });
    const links = await call('GET', `${base}/records/${me.id}/external-auths`, { as: me });
    expect(links.json).toMatchObject([{ provider: 'oidc', providerId: sub, recordId: me.id, collectionId: users.id }]);
    profile();
    expect((await signIn({}, me)).json).toMatchObject({
      message: 'Failed to authenticate. This account is linked to another account of SSO: unlink that first.',
    });
  });

  test('finds a verified account by its address and keeps its password', async () => {
    const known = await createUser({ verified: true, passwordHash: 'x' });
    profile({ email: known.email });
    expect((await signIn()).json).toMatchObject({ record: { id: known.id } });
    const { passwordHash, tokenKey } = new StoreReader().get(users, known.id)!;
    expect([passwordHash, tokenKey]).toEqual(['x', known.tokenKey]);
  });

  test('takes an unverified account out of the hands of whoever planted it', async () => {
    const planted = await createUser({ passwordHash: 'x' });
    await write((tx) => tx.insert(externalAuths, { recordId: planted.id, provider: 'other', providerId: 'thief' }));
    profile({ email: planted.email });
    const { json } = await signIn();
    expect(json).toMatchObject({ record: { id: planted.id, verified: true } });
    const { passwordHash, tokenKey } = new StoreReader().get(users, planted.id)!;
    expect([passwordHash === 'x', tokenKey === planted.tokenKey]).toEqual([false, false]);
    expect(linksOf(planted.id).map(({ provider }) => provider)).toEqual(['oidc']);
  });

  test.each([
    ['says it has not checked', { email_verified: false }, {}],
    ['says nothing about', { email_verified: undefined }, {}],
    ['says it has not checked, trusted or not', { email_verified: false }, { trustEmail: true }],
  ])('an address that the provider %s opens nobody’s account', async (_, said, sso) => {
    await setSso(sso);
    const known = await createUser({ verified: true });
    profile({ email: known.email, ...said });
    const before = everything();
    const { json } = await signIn();
    expect(json.data).toMatchObject({ email: { code: 'validation_email_not_vouched' } });
    expect(json.message).toContain('Log in with your password and link SSO from your profile.');
    expect(everything()).toBe(before);
    profile(said);
    expect((await signIn()).json.record).toMatchObject({ email: '', verified: false });
  });

  test('an address that the provider says nothing about counts where an admin trusts it', async () => {
    await setSso({ trustEmail: true });
    const known = await createUser({ verified: true });
    profile({ email: known.email, email_verified: undefined });
    expect((await signIn()).json.record).toMatchObject({ id: known.id });
  });

  test('a username that is taken gets a number, one that can be none is made one', async () => {
    const name = `grace${Date.now()}`;
    for (const expected of [name, `${name}2`, `${name}3`]) {
      profile({ preferred_username: `${name}@example.org` });
      expect((await signIn()).json.record).toMatchObject({ username: expected });
    }
  });

  test('linking alone never signs in to another account', async () => {
    const [me, other] = [await createUser(), await createUser()];
    profile();
    await signIn({ linkOnly: true }, other);
    const before = everything();
    const refused = await signIn({ linkOnly: true }, me);
    expect(refused.json.data).toMatchObject({ link: { code: 'validation_linked_elsewhere' } });
    expect((await signIn({ linkOnly: true })).status).toBe(401);
    expect(everything()).toBe(before);
  });

  test('the last way into an account without a password is not taken away', async () => {
    profile();
    const { id } = (await signIn()).json.record as { id: string };
    const url = `${base}/records/${id}/external-auths/oidc`;
    const before = everything();
    expect((await call('DELETE', url, { as: { id } })).json.message).toContain('Set a password first');
    expect(everything()).toBe(before);
    await write((tx) => tx.patch(users, id, { passwordHash: 'x' }));
    expect((await call('DELETE', url, { as: { id } })).status).toBe(204);
  });

  test('without PKCE nothing of it is sent', async () => {
    await setSso({ pkce: false });
    const { json } = await call('GET', `${base}/auth-methods`);
    const none = { codeVerifier: '', codeChallenge: '', codeChallengeMethod: '' };
    expect((json.authProviders as AnyRow[])[0]).toMatchObject(none);
    expect(String((json.authProviders as AnyRow[])[0]!.authUrl)).not.toContain('code_challenge');
    profile();
    expect((await signIn()).status).toBe(200);
    expect(oidc.exchanges.at(-1)!.has('code_verifier')).toBe(false);
  });

  test.each([
    [
      'the provider refuses the code',
      'The provider no longer knows this log-in. Please try again.',
      () => (oidc.profile = undefined),
    ],
    ['the profile has no id', 'The profile of the provider names no id. Tell an admin.', () => profile({ sub: '' })],
  ])('%s: nobody is signed in and nothing changes', async (_, why, prepare) => {
    prepare();
    const before = everything();
    expect((await signIn()).json).toEqual({ code: 400, message: `Failed to authenticate. ${why}`, data: {} });
    expect(everything()).toBe(before);
  });

  test('links are listed and taken away by their owner and by admins', async () => {
    const me = await createUser({ passwordHash: 'x' });
    await write((tx) => tx.insert(externalAuths, { recordId: me.id, provider: 'oidc', providerId: `p-${me.id}` }));
    const url = `${base}/records/${me.id}/external-auths`;
    const stranger = await createUser();
    const before = everything();
    expect((await call('GET', url)).status).toBe(401);
    expect((await call('GET', url, { as: stranger })).status).toBe(403);
    expect((await call('DELETE', `${url}/oidc`)).status).toBe(401);
    expect((await call('DELETE', `${url}/oidc`, { as: stranger })).status).toBe(403);
    const missing = await call('DELETE', `${url}/github`, { as: me });
    expect([missing.status, missing.json.message]).toEqual([404, 'Missing external auth provider relation.']);
    expect(everything()).toBe(before);
    expect((await call('GET', url, { as: admin })).json).toHaveLength(1);
    expect((await call('DELETE', `${url}/oidc`, { as: me })).status).toBe(204);
    expect((await call('GET', url, { as: me })).json).toEqual([]);
  });
});

describe('the redirect of the popup', () => {
  const follow = (path: string, init: RequestInit = {}) => send(`/api/oauth2-redirect${path}`, init);
  const SUCCESS = '../_/#/auth/oauth2-redirect-success';
  const FAILURE = '../_/#/auth/oauth2-redirect-failure';

  test('reaches whoever opened it, once', async () => {
    const outlet = readableOutlet();
    const client = realtimeHub().connect(outlet);
    const heard: string[] = [];
    outlet.stream.on('data', (chunk: Buffer) => heard.push(chunk.toString()));
    await call('POST', '/api/realtime', { body: { clientId: client.id, subscriptions: ['@oauth2'] } });
    const answer = await follow(`?state=${client.id}&code=abc`);
    expect([answer.status, answer.headers.get('location')]).toEqual([307, SUCCESS]);
    await expect
      .poll(() => heard.join(''))
      .toContain(`event:@oauth2\ndata:${JSON.stringify({ state: client.id, code: 'abc' })}\n\n`);
    const again = await follow(`?state=${client.id}&code=abc`);
    expect([again.status, again.headers.get('location')]).toEqual([307, FAILURE]);
    client.close();
  });

  test.each([
    ['by form', '', { method: 'POST', body: new URLSearchParams({ state: 'x', code: 'y' }) }, 303],
    ['without anything', '', {}, 307],
    ['with an error', '?state=x&error=denied', {}, 307],
  ])('%s from nowhere ends in failure', async (_, path, init, status) => {
    const answer = await follow(path, init);
    expect([answer.status, answer.headers.get('location')]).toEqual([status, FAILURE]);
  });
});
