import { beforeAll, describe, expect, test, vi } from 'vitest';
import { apiKernel } from '@/lib/api/kernel';
import { accountById } from '@/lib/auth/accounts';
import { SESSION_COOKIE } from '@/lib/auth/sessions';
import { issueToken, type TokenPurpose } from '@/lib/auth/tokens';
import { users } from '@/lib/accounts/collection';
import * as clock from '@/lib/clock';
import { serveFetch } from '@/lib/http/fetch-door';
import { StoreReader, write } from '@/lib/records/transaction';
import { hashPassword } from '@/lib/passwords';
import { api, sendApi } from '../setup/api';
import { openPrivateDatabase } from '../setup/database';
import { createUser } from '../setup/world';

openPrivateDatabase();

const PASSWORD = 'Berth!pass1';
const SIGN_IN = '/api/collections/users/auth-with-password';
const REFRESH = '/api/collections/users/auth-refresh';
const own = { 'sec-fetch-site': 'same-origin' };

function setupForm(username: string): FormData {
  const form = new FormData();
  const fields = { username, email: `${username}@example.org`, name: username };
  for (const [name, value] of Object.entries({ ...fields, password: PASSWORD, passwordConfirm: PASSWORD })) {
    form.set(name, value);
  }
  return form;
}

describe('setup', () => {
  test('says what is missing and makes nothing of it', async () => {
    const { status, json } = await api('POST', '/api/setup', { body: { username: 'first' } });
    expect([status, Object.keys(json.data as object)]).toEqual([400, ['email', 'name', 'password', 'passwordConfirm']]);
    expect(await api('GET', '/api/setup')).toEqual({ status: 200, json: { needed: true, code: false } });
  });

  test('two requests that race make one account, an admin, and the other is turned away', async () => {
    const answers = await Promise.all(
      ['first', 'second'].map((name) => api('POST', '/api/setup', { body: setupForm(name) })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    const all = new StoreReader().find(users, {});
    expect(all).toHaveLength(1);
    expect(all[0]).toMatchObject({ isAdmin: true, verified: true });
    const done = answers.find(({ status }) => status === 200)!.json;
    expect(Object.keys(done.record as object)).not.toContain('passwordHash');
    expect((await api('POST', REFRESH, { headers: { authorization: String(done.token) } })).status).toBe(200);
  });

  test('is closed for good', async () => {
    expect((await api('GET', '/api/setup')).status).toBe(403);
    expect((await api('POST', '/api/setup', { body: setupForm('third') })).status).toBe(403);
    expect(new StoreReader().find(users, {})).toHaveLength(1);
  });
});

describe('with an account', () => {
  let ada: { id: string };

  beforeAll(async () => {
    ada = await createUser({
      username: 'Ada',
      email: 'ada@example.org',
      emailVisibility: false,
      passwordHash: await hashPassword(PASSWORD),
    });
  });

  const tokenOf = (purpose: TokenPurpose) => issueToken(accountById(ada.id)!, purpose, users.id);
  const signIn = (body: unknown) => api('POST', SIGN_IN, { body });
  const refresh = (authorization: string) => api('POST', REFRESH, { headers: { authorization } });

  test.each(['ada', 'ADA', 'ada@example.org'])('signs in as %s', async (identity) => {
    const { status, json } = await signIn({ identity, password: PASSWORD });
    expect(status).toBe(200);
    expect(json.record).toMatchObject({ id: ada.id, email: 'ada@example.org' });
    expect(JSON.stringify(json)).not.toMatch(/passwordHash|tokenKey|argon2/);
  });

  test('a wrong password and an unknown account are answered alike, after the same work', async () => {
    const tries = [
      { identity: 'ada', password: 'Wrong!pass1' },
      { identity: 'nobody', password: 'Wrong!pass1' },
      { identity: 'nobody@example.org', password: 'Wrong!pass1' },
      { identity: 'Ada@example.org', password: PASSWORD },
      { identity: 'ada', password: 'x'.repeat(2000) },
    ];
    const answers = [];
    for (const body of tries) answers.push(await signIn(body));
    for (const answer of answers) {
      expect(answer).toEqual({ status: 400, json: { code: 400, message: 'Failed to authenticate.', data: {} } });
    }
    // The least of several tries: whatever else the machine does only adds to one.
    const least = { ada: Infinity, nobody: Infinity };
    for (let count = 0; count < 6; count += 1) {
      for (const identity of ['ada', 'nobody'] as const) {
        const start = performance.now();
        await signIn({ identity, password: 'Wrong!pass1' });
        least[identity] = Math.min(least[identity], performance.now() - start);
      }
    }
    expect(Math.max(least.ada, least.nobody) / Math.min(least.ada, least.nobody)).toBeLessThan(4);
  });

  test.each([{}, { identity: 'ada' }, { password: 'x' }, { identity: null, password: '' }])(
    'says which of %j is blank',
    async (body) => {
      const { status, json } = await signIn(body);
      expect([status, json.message]).toEqual([400, 'Something went wrong while processing your request.']);
      expect(Object.keys(json.data as object)).not.toEqual([]);
    },
  );

  test('a flood of sign-ins is turned away instead of piling up', async () => {
    const body = { identity: 'nobody', password: 'Wrong!pass1' };
    const answers = await Promise.all(Array.from({ length: 90 }, () => signIn(body)));
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].sort()).toEqual([400, 429]);
    expect((await signIn({ identity: 'ada', password: PASSWORD })).status).toBe(200);
  });

  test.each(['file', 'adminAuth', 'adminFile'] as const)('a token made for %s signs nobody in', async (purpose) => {
    expect((await refresh(tokenOf('auth'))).status).toBe(200);
    expect((await refresh(tokenOf(purpose))).status).toBe(401);
    const list = await api('GET', '/api/collections/users/records', { headers: { authorization: tokenOf(purpose) } });
    expect([list.status, list.json.totalItems]).toEqual([200, 0]);
  });

  test('an auth token opens no file stream, and a changed token nothing', async () => {
    const token = tokenOf('auth');
    expect((await api('GET', `/api/workspace/x/logs?token=${token}`)).status).toBe(404);
    const [head, claims, signature] = token.split('.') as [string, string, string];
    const forge = (change: object) => {
      const changed = { ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as object), ...change };
      return `${head}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`;
    };
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const forged of [
      forge({ exp: 9_999_999_999 }),
      forge({ type: 'admin' }),
      `${none}.${claims}.`,
      `${none}.${claims}.${signature}`,
      `${head}.${claims}.`,
      `${head}.${claims}`,
      'null.null.null',
      'x'.repeat(5000),
    ]) {
      expect((await refresh(forged)).status).toBe(401);
    }
    expect((await refresh(`Bearer ${token}`)).status).toBe(200);
  });

  test('a token ends with its time', async () => {
    const token = tokenOf('auth');
    const later = vi.spyOn(clock, 'nowMs').mockReturnValue(Date.now() + 15 * 86_400_000);
    expect((await refresh(token)).status).toBe(401);
    later.mockRestore();
    expect((await refresh(token)).status).toBe(200);
  });

  describe('a session', () => {
    const start = (headers: Record<string, string> = own) => sendApi('POST', '/api/session', { as: ada, headers });
    const cookieOf = (response: Response) => response.headers.get('set-cookie')!.split(';')[0]!;
    const exchange = (cookie: string, headers = own) =>
      api('POST', '/api/session/token', { headers: { ...headers, cookie } });

    test('has a cookie that scripts and other sites can not use', async () => {
      const response = await start();
      expect(response.status).toBe(200);
      const cookie = response.headers.get('set-cookie')!;
      expect(cookie).toMatch(new RegExp(`^${SESSION_COOKIE}=\\w+;`));
      for (const flag of ['HttpOnly', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(flag);
      expect(cookie).not.toMatch(/Secure|Domain/);
      const overTls = await serveFetch(
        apiKernel(),
        new Request('https://berth.test/api/session', {
          method: 'POST',
          headers: { ...own, authorization: tokenOf('auth') },
        }),
      );
      const [secure, cleared] = overTls.headers.getSetCookie();
      expect(secure).toMatch(/^__Host-berth_session=\w+;/);
      for (const flag of ['HttpOnly', 'SameSite=Lax', 'Path=/', 'Secure']) expect(secure).toContain(flag);
      expect(secure).not.toContain('Domain');
      expect(cleared).toMatch(/^berth_session=;/);
      const kept = secure!.split(';')[0]!;
      expect((await exchange(`berth_session=${'a'.repeat(40)}; ${kept}`)).status).toBe(200);
      const ended = await serveFetch(
        apiKernel(),
        new Request('https://berth.test/api/session', { method: 'DELETE', headers: { ...own, cookie: kept } }),
      );
      const names = ended.headers.getSetCookie().map((text) => text.split(';')[0]);
      expect(names).toEqual(['__Host-berth_session=', 'berth_session=']);
      expect((await exchange(kept)).status).toBe(401);
    });

    test.each([
      ['another site', { 'sec-fetch-site': 'cross-site' }],
      ['a neighbour domain', { 'sec-fetch-site': 'same-site' }],
      ['another origin', { origin: 'https://evil.test', host: 'berth.test' }],
      ['a page without an origin', {}],
      ['a broken origin', { origin: 'null' }],
    ])('is not for %s', async (_, headers) => {
      const foreign = headers as Record<string, string>;
      const cookie = cookieOf(await start());
      const refused = await start(foreign);
      expect([refused.status, refused.headers.get('set-cookie')]).toEqual([403, null]);
      expect((await exchange(cookie, foreign as typeof own)).status).toBe(403);
      const ended = await sendApi('DELETE', '/api/session', { headers: { ...foreign, cookie } });
      expect([ended.status, ended.headers.get('set-cookie')]).toEqual([403, null]);
      expect((await exchange(cookie)).status).toBe(200);
    });

    test('is replaced when one signs in again, and over once signed out', async () => {
      const first = cookieOf(await start());
      const second = cookieOf(await start({ ...own, cookie: first }));
      expect((await exchange(first)).status).toBe(401);
      expect((await exchange(second)).status).toBe(200);
      const ended = await sendApi('DELETE', '/api/session', { headers: { ...own, cookie: second } });
      expect(ended.headers.get('set-cookie')).toMatch(/=;.*Max-Age=0/);
      expect((await exchange(second)).status).toBe(401);
    });

    test('says nothing to the record API: that reads no cookies', async () => {
      const cookie = cookieOf(await start());
      const { json } = await api('GET', '/api/collections/users/records', { headers: { ...own, cookie } });
      expect(json.totalItems).toBe(0);
    });

    test('ends, like every token, when the password changes, and with the account', async () => {
      const [cookie, token] = [cookieOf(await start()), tokenOf('auth')];
      const next = { password: 'Other!pass2', passwordConfirm: 'Other!pass2', oldPassword: PASSWORD };
      const path = `/api/collections/users/records/${ada.id}`;
      expect((await api('PATCH', path, { as: ada, body: { name: 'Ada L.' } })).status).toBe(200);
      expect((await exchange(cookie)).status).toBe(200);
      expect((await api('PATCH', path, { as: ada, body: next })).status).toBe(200);
      expect((await exchange(cookie)).status).toBe(401);
      expect((await refresh(token)).status).toBe(401);
      const [laterCookie, laterToken] = [cookieOf(await start()), tokenOf('auth')];
      const boss = new StoreReader().find(users, { isAdmin: true })[0]!;
      expect((await api('DELETE', path, { as: boss })).status).toBe(204);
      expect((await exchange(laterCookie)).status).toBe(401);
      expect((await refresh(laterToken)).status).toBe(401);
      const seen = await api('GET', '/api/collections/users/records', { headers: { authorization: laterToken } });
      expect([seen.status, seen.json.totalItems]).toEqual([200, 0]);
      await write((tx) => tx.insert(users, { id: ada.id, username: 'Ada', tokenKey: 'another' }));
      expect((await refresh(laterToken)).status).toBe(401);
      expect((await exchange(laterCookie)).status).toBe(401);
    });
  });
});
