import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { settings } from '@/lib/settings/collection';

import { audit } from '@/lib/audit/collection';
import { groups } from '@/lib/groups/collection';
import { groupMembers } from '@/lib/groups/members';
import { StoreReader, write } from '@/lib/records/transaction';
import type { AnyRow } from '@/lib/records/collection';
import { call } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { startOidcProvider, walkThrough, type RealProvider } from '../setup/oidc-provider';
import { everything } from '../setup/snapshot';
import { createGroup, createUser } from '../setup/world';

openPrivateDatabase();

const base = '/api/collections/users';
const BACK = 'http://localhost:3000/login/callback';
let provider: RealProvider;
let admin: AnyRow & { id: string };
let count = 0;

beforeAll(async () => {
  // The provider warns about its own log-in pages and about this Node.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(console, 'info').mockImplementation(() => undefined);
  provider = await startOidcProvider([BACK]);
  admin = await createUser({ isAdmin: true });
});
afterAll(() => provider.close());

function sso(changes: AnyRow = {}): AnyRow {
  return {
    enabled: true,
    displayName: 'University',
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    authUrl: `${provider.issuer}/auth`,
    tokenUrl: `${provider.issuer}/token`,
    userInfoUrl: `${provider.issuer}/me`,
    ...changes,
  };
}

async function setSso(changes: AnyRow = {}): Promise<void> {
  await write((tx) => tx.find(settings, { key: 'sso' }).forEach(({ id }) => tx.remove(settings, id)));
  const body = { key: 'sso', value: sso(changes) };
  expect((await call('POST', '/api/collections/settings/records', { as: admin, body })).status).toBe(200);
}

/** Someone at the provider, who comes back with a code. */
async function comeBack(said: AnyRow = {}): Promise<AnyRow> {
  const name = `ada${(count += 1)}`;
  const claims = { name: 'Ada', preferred_username: name, email: `${name}@example.com`, email_verified: true };
  provider.profiles.set(name, { ...claims, ...said });
  const methods = (await call('GET', `${base}/auth-methods`)).json.authProviders as AnyRow[];
  const { authUrl, state, codeVerifier } = methods[0]!;
  const back = await walkThrough(String(authUrl) + encodeURIComponent(BACK), name);
  expect(back.searchParams.get('state')).toBe(state);
  return { provider: 'oidc', code: back.searchParams.get('code'), codeVerifier, redirectUrl: BACK };
}

const signIn = (body: AnyRow) => call('POST', `${base}/auth-with-oauth2`, { body });

describe('a real provider', () => {
  beforeEach(() => setSso());

  test('opens a new account, with PKCE and without, picture included', async () => {
    for (const pkce of [true, false]) {
      await setSso({ pkce });
      const { status, json } = await signIn(await comeBack());
      expect([status, json.record]).toMatchObject([200, { name: 'Ada', username: `ada${count}`, verified: true }]);
      expect((json.record as AnyRow).avatar).toMatch(/^avatar_\w+\.png$/);
    }
  });

  test('takes a code once, and only with the verifier that belongs to it', async () => {
    const form = await comeBack();
    const before = everything();
    const wrong = await signIn({ ...form, codeVerifier: 'x'.repeat(43) });
    expect(wrong.json.message).toBe(
      'Failed to authenticate. The provider no longer knows this log-in. Please try again.',
    );
    expect(everything()).toBe(before);
    const again = await comeBack();
    expect((await signIn(again)).status).toBe(200);
    expect((await signIn(again)).status).toBe(400);
  });

  test.each([
    ['a picture that is none', () => `${provider.issuer}/.well-known/openid-configuration`],
    ['a picture of a neighbour', () => 'https://127.0.0.1:1/secret.png'],
    ['a picture without https', () => 'http://example.com/a.png'],
    ['nothing like an address', () => 'picture'],
  ])('%s stops nobody', async (_, picture) => {
    const { status, json } = await signIn(await comeBack({ picture: picture() }));
    expect([status, (json.record as AnyRow).avatar]).toEqual([200, '']);
  });

  test('a picture that its owner took away stays away', async () => {
    const form = await comeBack();
    const name = `ada${count}`;
    const { id } = (await signIn(form)).json.record as { id: string };
    await call('PATCH', `${base}/records/${id}`, { as: { id }, body: { avatar: '' } });
    const methods = (await call('GET', `${base}/auth-methods`)).json.authProviders as AnyRow[];
    const back = await walkThrough(String(methods[0]!.authUrl) + encodeURIComponent(BACK), name);
    const code = back.searchParams.get('code');
    const again = await signIn({ ...form, code, codeVerifier: methods[0]!.codeVerifier });
    expect(again.json.record).toMatchObject({ id, avatar: '' });
  });

  test('a wrong client secret is told in words, none of them secret', async () => {
    await setSso({ clientSecret: 'wrong' });
    const { text, json } = await signIn(await comeBack());
    expect(json.message).toContain('its client id or client secret is wrong');
    expect(text).not.toContain('wrong-secret');
  });
});

describe('groups that a provider tells of', () => {
  const named = (suffix: string) => `course ${suffix}`;
  let course: AnyRow;
  let lab: AnyRow;
  const groupsOf = (user: unknown) =>
    new StoreReader()
      .find(groupMembers, { user: String(user) })
      .map(({ group, source }) => [group, source])
      .sort(([one], [other]) => Number(one === lab.id) - Number(other === lab.id));
  const countOf = ({ id }: AnyRow) => new StoreReader().get(groups, String(id))!.memberCount;

  beforeAll(async () => {
    course = await createGroup([], { name: named('A') });
    lab = await createGroup([], { name: named('B') });
  });
  const logIn = async (said: AnyRow): Promise<unknown> => {
    const { status, json } = await signIn(await comeBack(said));
    expect(status).toBe(200);
    return (json.record as AnyRow).id;
  };
  /** The same person once more. */
  const again = async (said: AnyRow): Promise<unknown> => {
    count -= 1;
    return logIn(said);
  };
  const byClaim = 'single sign-on';

  test('are not read where nothing says what they are called', async () => {
    await setSso();
    expect(groupsOf(await logIn({ groups: [named('A')] }))).toEqual([]);
  });

  test('are followed at each log-in, those that are there, and never made', async () => {
    await setSso({ groupsClaim: 'groups' });
    const before = new StoreReader().find(groups, {}).length;
    const id = await logIn({ groups: [named('A'), named('A'), 'no such group', '', 7, null, 'x'.repeat(500)] });
    expect(groupsOf(id)).toEqual([[course.id, byClaim]]);
    expect(countOf(course)).toBe(1);
    await again({ groups: [named('B')] });
    expect(groupsOf(id)).toEqual([[lab.id, byClaim]]);
    expect([countOf(course), countOf(lab)]).toEqual([0, 1]);
    await again({ groups: named('A') });
    expect(groupsOf(id)).toEqual([[course.id, byClaim]]);
    await again({});
    expect(groupsOf(id)).toEqual([]);
    expect(new StoreReader().find(groups, {}).length).toBe(before);
    const told = new StoreReader().find(audit, { recordName: named('A') });
    expect(told.map(({ action, details }) => [action, (details as AnyRow).source])).toEqual([
      ['group.addMember', byClaim],
      ['group.removeMember', byClaim],
      ['group.addMember', byClaim],
      ['group.removeMember', byClaim],
    ]);
  });

  test('leave alone whoever an admin put there', async () => {
    await setSso({ groupsClaim: 'groups' });
    const id = String(await logIn({ groups: [] }));
    const body = { user: id, group: course.id };
    expect((await call('POST', '/api/collections/group_members/records', { as: admin, body })).status).toBe(200);
    await again({ groups: [named('A'), named('B')] });
    expect(groupsOf(id)).toEqual([
      [course.id, 'manual'],
      [lab.id, byClaim],
    ]);
    await again({ groups: [] });
    expect(groupsOf(id)).toEqual([[course.id, 'manual']]);
  });

  test.each([[{ A: true }], ['constructor'], [[[named('A')]]]])(
    'that are no list of names are none: %j',
    async (said) => {
      await setSso({ groupsClaim: 'groups' });
      expect(groupsOf(await logIn({ groups: said }))).toEqual([]);
    },
  );
});

describe('trying a provider', () => {
  const check = async (changes: AnyRow, as: { id: string } | undefined = admin) =>
    call('POST', '/api/console/check-sso', { as, body: sso(changes) });
  const found = async (changes: AnyRow): Promise<AnyRow> => {
    const checks = (await check(changes)).json.checks as AnyRow[];
    return Object.fromEntries(checks.map(({ part, state, code }) => [part, `${String(state)} ${String(code)}`]));
  };

  test('finds all well', async () => {
    expect(await found({})).toEqual({
      authorization: 'ok loginPage',
      token: 'ok credentialsGood',
      userInfo: 'ok asksForToken',
      clock: 'ok clockTogether',
    });
  });

  test('tries the stored secret where the form has none', async () => {
    await setSso();
    expect(await found({ clientSecret: '' })).toMatchObject({ token: 'ok credentialsGood' });
    await setSso({ clientSecret: 'other' });
    expect(await found({ clientSecret: '' })).toMatchObject({ token: 'bad credentialsWrong' });
  });

  test('sends the stored secret to no other address', async () => {
    await setSso();
    const elsewhere = { clientSecret: '', tokenUrl: 'https://elsewhere.example.org/token' };
    const { status, json } = await check(elsewhere);
    const message = 'Enter the client secret again: the stored one is for another address.';
    expect([status, json.data]).toEqual([400, { clientSecret: { code: 'validation_required', message } }]);
  });

  test.each([
    [{ clientSecret: 'wrong' }, { token: 'bad credentialsWrong', authorization: 'ok loginPage' }],
    [{ clientId: 'nobody' }, { token: 'bad credentialsWrong', authorization: 'bad clientOrAddressRefused' }],
    [{ tokenUrl: 'http://127.0.0.1:1/token' }, { token: 'bad unreachable' }],
    [{ authUrl: 'http://nowhere.invalid/auth' }, { authorization: 'bad unreachable' }],
    [{ scopes: ['openid', 'made_up'] }, { token: 'ok credentialsGood' }],
  ])('of %j says what is wrong', async (changes, expected) => {
    expect(await found(changes)).toMatchObject(expected);
  });

  test('of wrong paths says what is wrong', async () => {
    expect(await found({ authUrl: `${provider.issuer}/no`, tokenUrl: `${provider.issuer}/no` })).toMatchObject({
      authorization: 'bad notThere',
      token: 'bad notThere',
    });
    expect(await found({ userInfoUrl: `${provider.issuer}/no` })).toMatchObject({ userInfo: 'bad notThere' });
    expect(await found({ tokenUrl: `${provider.issuer}/picture.png` })).toMatchObject({ token: 'bad notJson' });
    const https = provider.issuer.replace('http:', 'https:');
    expect(await found({ tokenUrl: `${https}/token` })).toMatchObject({ token: 'bad tls' });
  });

  test('reads the addresses of an issuer', async () => {
    const ask = (issuer: unknown) => call('POST', '/api/console/discover-sso', { as: admin, body: { issuer } });
    expect((await ask(`${provider.issuer}/`)).json).toMatchObject({
      authUrl: `${provider.issuer}/auth`,
      tokenUrl: `${provider.issuer}/token`,
      userInfoUrl: `${provider.issuer}/me`,
      pkce: true,
    });
    for (const issuer of ['', 'ftp://x', `${provider.issuer}/nothing`, 'http://127.0.0.1:1']) {
      expect((await ask(issuer)).json.data).toHaveProperty('issuer');
    }
  });

  test('is for admins', async () => {
    const person = await createUser();
    for (const path of ['check-sso', 'discover-sso', 'test-mail']) {
      expect((await call('POST', `/api/console/${path}`, { body: sso() })).status).toBe(401);
      expect((await call('POST', `/api/console/${path}`, { as: person, body: sso() })).status).toBe(403);
    }
  });
});

describe('the setting', () => {
  const save = (value: unknown) =>
    call('POST', '/api/collections/settings/records', { as: admin, body: { key: 'sso', value } });

  test.each([
    [{ authUrl: 'javascript:alert(1)' }, 'authUrl'],
    [{ tokenUrl: 'nowhere' }, 'tokenUrl'],
    [{ userInfoUrl: '' }, 'userInfoUrl'],
    [{ clientId: '' }, 'clientId'],
    [{ pkce: 'yes' }, 'pkce'],
    [{ scopes: 'openid' }, 'scopes'],
  ])('with %j is refused at its field', async (changes, field) => {
    await write((tx) => tx.find(settings, { key: 'sso' }).forEach(({ id }) => tx.remove(settings, id)));
    const before = everything();
    const { status, json } = await save(sso(changes));
    expect([status, Object.keys((json.data as AnyRow).value as AnyRow)]).toEqual([400, [field]]);
    expect(everything()).toBe(before);
  });

  test('may be incomplete while it is switched off', async () => {
    expect((await save({ enabled: false })).status).toBe(200);
  });
});
