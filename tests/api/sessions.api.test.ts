import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getDb } from '@/db/database';
import { actorOfAuthorization } from '@/lib/auth/actor';
import { lastUses } from '@/lib/auth/last-used';
import { SESSION_COOKIE } from '@/lib/auth/sessions';
import { builds } from '@/lib/images/builds';
import { users } from '@/lib/accounts/collection';
import { endExpiredCredentials } from '@/lib/accounts/security/expired-credentials';
import * as clock from '@/lib/clock';
import { hashPassword } from '@/lib/passwords';
import { updateRecord } from '@/lib/records/writer';
import type { AnyRow } from '@/lib/records/collection';
import { StoreReader, write } from '@/lib/records/transaction';
import { api, sendApi } from '../setup/api';
import { authorizationOf } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { listen } from '../setup/listener';
import { signInPage, type PageSession } from '../setup/page-session';
import { everything } from '../setup/snapshot';
import { createImage, createUser } from '../setup/world';

openPrivateDatabase();

const PASSWORD = 'Berth!pass1';
const OWN = { 'sec-fetch-site': 'same-origin' };
const REFRESH = '/api/collections/users/auth-refresh';
let admin: { id: string };
let ada: { id: string };
let bob: { id: string };

beforeEach(async () => {
  admin = await createUser({ isAdmin: true });
  ada = await createUser({ passwordHash: await hashPassword(PASSWORD) });
  bob = await createUser();
});

const as = (token: string) => ({ headers: { authorization: token } });
const isSignedIn = async ({ token }: PageSession) => (await api('POST', REFRESH, as(token))).status === 200;
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;

/** A build that goes on, so that its log stays open. */
async function openBuildLog(session: PageSession, by: 'token' | 'cookie') {
  const image = await createImage({ created_by: ada.id, buildNumber: 1 });
  await write((tx) => tx.insert(builds, { image: String(image.id), number: 1, status: 'building' }));
  const headers: Record<string, string> =
    by === 'token' ? { authorization: session.token } : { ...OWN, cookie: session.cookie };
  const response = await sendApi('GET', `/api/image/${String(image.id)}/build-log`, { headers });
  expect(response.status).toBe(200);
  return response.text();
}

describe('a token of a session', () => {
  test('names the session by what its cookie can not be made of, and keeps that name when it is refreshed', async () => {
    const session = await signInPage(ada);
    const { sid, ...rest } = claimsOf(session.token);
    expect(Object.keys(rest).sort()).toEqual(['collectionId', 'exp', 'id', 'type']);
    expect(sid).toMatch(/^[0-9a-f]{64}$/);
    expect(session.cookie).not.toContain(String(sid));
    const asCookie = { ...OWN, cookie: `${SESSION_COOKIE}=${String(sid)}` };
    expect((await api('POST', '/api/session/token', { headers: asCookie })).status).toBe(401);
    const refreshed = await api('POST', REFRESH, as(session.token));
    expect(claimsOf(String(refreshed.json.token)).sid).toBe(sid);
    const exchanged = await api('POST', '/api/session/token', { headers: { ...OWN, cookie: session.cookie } });
    expect(claimsOf(String(exchanged.json.token)).sid).toBe(sid);
    expect(exchanged.json.record).toMatchObject({ id: ada.id });
  });

  test('a client of the record API gets the claims of the contract, and the name of its log-in', async () => {
    const body = { identity: String((ada as AnyRow).username), password: PASSWORD };
    const { json } = await api('POST', '/api/collections/users/auth-with-password', { body });
    expect(Object.keys(claimsOf(String(json.token))).sort()).toEqual(['collectionId', 'exp', 'id', 'lid', 'type']);
  });

  test('is over when its session is signed out, and other sessions and tokens go on', async () => {
    const [here, there] = [await signInPage(ada), await signInPage(ada)];
    const fileToken = String((await api('POST', '/api/files/token', as(here.token))).json.token);
    const log = `/api/image/x/build-log?token=${fileToken}`;
    expect((await sendApi('DELETE', '/api/session', { headers: { ...OWN, cookie: here.cookie } })).status).toBe(204);
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([false, true]);
    expect((await api('POST', REFRESH, { as: ada })).status).toBe(200);
    expect((await api('GET', '/api/collections/users/records', as(here.token))).json.totalItems).toBe(0);
    expect((await api('GET', log)).status).toBe(404);
    expect(claimsOf(fileToken).sid).toBe(claimsOf(here.token).sid);
  });

  test('is over with the log-in’s own token, however often that was refreshed, when its session is signed out', async () => {
    const signIn = async () => {
      const body = { identity: String((ada as AnyRow).username), password: PASSWORD };
      return String((await api('POST', '/api/collections/users/auth-with-password', { body })).json.token);
    };
    const [stolen, elsewhere] = [await signIn(), await signIn()];
    const refreshed = String((await api('POST', REFRESH, as(stolen))).json.token);
    const page = await signInPage(ada, {}, stolen);
    const isOpen = (token: string) => actorOfAuthorization(token).kind === 'user';
    expect([stolen, refreshed, elsewhere].map(isOpen)).toEqual([true, true, true]);
    const headers = { ...OWN, cookie: page.cookie };
    expect((await sendApi('DELETE', '/api/session', { headers })).status).toBe(204);
    expect([stolen, refreshed, elsewhere].map(isOpen)).toEqual([false, false, true]);
    const again = await api('POST', '/api/session', { headers: { ...headers, authorization: stolen } });
    expect(again.status).toBe(401);
    const restore = clock.setClock(() => Date.now() + 15 * 86_400_000);
    await endExpiredCredentials();
    restore();
    expect(getDb().sqlite.prepare('SELECT * FROM sign_in_sessions').all()).toEqual([]);
  });

  test('is over when the session runs out', async () => {
    const session = await signInPage(ada);
    getDb()
      .sqlite.prepare('UPDATE sessions SET expires_at = ?')
      .run(Math.floor(Date.now() / 1000) - 1);
    expect(await isSignedIn(session)).toBe(false);
  });

  test('does not work with the id of another account’s session', async () => {
    const session = await signInPage(bob);
    const { issueToken } = await import('@/lib/auth/tokens');
    const account = new StoreReader().get(users, ada.id)!;
    const token = issueToken(account, 'auth', users.id, { sid: String(claimsOf(session.token).sid) });
    expect((await api('POST', REFRESH, as(token))).status).toBe(401);
  });
});

describe('what a session holds open', () => {
  const endings: [string, (session: PageSession) => Promise<unknown>][] = [
    ['signed out', ({ cookie }) => sendApi('DELETE', '/api/session', { headers: { ...OWN, cookie } })],
    ['ended from elsewhere', ({ id }) => api('DELETE', `/api/sessions/${id}`, { as: ada })],
    ['ended everywhere', () => api('DELETE', '/api/session/everywhere', { as: ada })],
    ['replaced by another sign-in', ({ cookie }) => signInPage(ada, { cookie })],
    [
      'ended by a new password',
      () => {
        const body = { password: 'Other!pass2', passwordConfirm: 'Other!pass2' };
        return api('PATCH', `/api/collections/users/records/${ada.id}`, { as: admin, body });
      },
    ],
    [
      'over its time',
      async ({ id }) => {
        const { getDb } = await import('@/db/database');
        getDb().sqlite.prepare('UPDATE sessions SET expires_at = 1 WHERE id = ?').run(id);
        await endExpiredCredentials();
      },
    ],
  ];

  test.each(endings)('closes at once when it is %s', async (_, end) => {
    const session = await signInPage(ada);
    const [byToken, byCookie] = [openBuildLog(session, 'token'), openBuildLog(session, 'cookie')];
    const heard = await listen(session.token, ['users/*']);
    await updateRecord(users, { kind: 'system' }, { id: bob.id, body: { name: 'seen' } });
    expect(await heard.names()).toContain('seen');
    await end(session);
    for (const text of [await byToken, await byCookie]) expect(text).toContain('"reason":"revoked"');
    await updateRecord(users, { kind: 'system' }, { id: bob.id, body: { name: 'unseen' } });
    expect(await heard.names()).not.toContain('unseen');
    heard.close();
  });

  test('stays open when another session ends', async () => {
    const [here, there] = [await signInPage(ada), await signInPage(ada)];
    const heard = await listen(here.token, ['users/*']);
    expect((await api('DELETE', `/api/sessions/${there.id}`, as(here.token))).status).toBe(204);
    await updateRecord(users, { kind: 'system' }, { id: bob.id, body: { name: 'still seen' } });
    expect(await heard.names()).toContain('still seen');
    heard.close();
  });
});

describe('the list of sessions', () => {
  const list = async (call: Parameters<typeof api>[2], query = '') =>
    (await api('GET', `/api/sessions${query}`, call)).json.items as AnyRow[];

  test('tells where the account is signed in, and which of them asks', async () => {
    const there = await signInPage(ada, { 'user-agent': 'Elsewhere' });
    const here = await signInPage(ada, { 'user-agent': 'Here' });
    await signInPage(bob);
    const items = await list(as(here.token));
    expect(items.map(({ id }) => id).sort()).toEqual([here.id, there.id].sort());
    expect(items.find(({ isCurrent }) => isCurrent)).toEqual({
      id: here.id,
      isCurrent: true,
      address: '',
      userAgent: 'Here',
      created: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      lastUsed: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      expires: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
    expect(await list({ as: ada })).toMatchObject([{ isCurrent: false }, { isCurrent: false }]);
  });

  test('a use is written later, and at most once a minute', async () => {
    const session = await signInPage(ada);
    const stored = async () => {
      lastUses().flush();
      const { getDb } = await import('@/db/database');
      return getDb().sqlite.prepare('SELECT last_used FROM sessions WHERE id = ?').pluck().get(session.id) as string;
    };
    const start = Date.now() + 3_600_000;
    const at = vi.spyOn(clock, 'nowMs');
    const useAfter = async (ms: number) => {
      at.mockReturnValue(start + ms);
      const before = everything();
      await api('GET', '/api/collections/users/records', as(session.token));
      expect(everything()).toBe(before);
      return stored();
    };
    const first = await useAfter(0);
    expect(first).toBe(clock.toWireDate(start));
    expect(await useAfter(59_000)).toBe(first);
    expect(await useAfter(61_000)).toBe(clock.toWireDate(start + 61_000));
    at.mockRestore();
  });

  test('is one’s own; admins see and end those of others', async () => {
    const session = await signInPage(ada);
    const path = `/api/sessions/${session.id}`;
    const before = everything();
    expect((await api('GET', '/api/sessions')).status).toBe(401);
    expect((await api('DELETE', path)).status).toBe(401);
    expect((await api('DELETE', path, { as: bob })).status).toBe(404);
    expect((await api('GET', `/api/sessions?user=${ada.id}`, { as: bob })).status).toBe(403);
    expect((await api('DELETE', `${path}?user=${ada.id}`, { as: bob })).status).toBe(403);
    expect((await api('GET', '/api/sessions?user=nobody', { as: admin })).status).toBe(404);
    expect((await api('DELETE', path, { as: admin })).status).toBe(404);
    expect((await api('DELETE', `/api/sessions/x?user=${ada.id}`, { as: admin })).status).toBe(404);
    expect(everything()).toBe(before);
    expect(await list({ as: admin }, `?user=${ada.id}`)).toMatchObject([{ id: session.id }]);
    expect((await api('DELETE', `${path}?user=${ada.id}`, { as: admin })).status).toBe(204);
    expect(await isSignedIn(session)).toBe(false);
  });
});

describe('another role', () => {
  const patch = (id: string, body: AnyRow, call: Parameters<typeof api>[2]) =>
    api('PATCH', `/api/collections/users/records/${id}`, { ...call, body });

  test('given by an admin ends the account’s tokens and sessions', async () => {
    const [session, plain] = [await signInPage(ada), authorizationOf(ada.id)];
    expect((await patch(ada.id, { name: 'Ada', isAdmin: false }, { as: admin })).status).toBe(200);
    expect(await isSignedIn(session)).toBe(true);
    expect((await patch(ada.id, { isAdmin: true }, { as: admin })).status).toBe(200);
    expect(await isSignedIn(session)).toBe(false);
    expect((await api('POST', REFRESH, { headers: plain })).status).toBe(401);
    expect((await api('POST', REFRESH, { as: admin })).status).toBe(200);
  });

  test('laid down by its holder goes on where that happened and ends elsewhere', async () => {
    const boss = await createUser({ isAdmin: true });
    const [here, there] = [await signInPage(boss), await signInPage(boss)];
    const heard = await listen(here.token, ['settings/*', 'users/*']);
    const { status, json } = await patch(boss.id, { isAdmin: false }, as(here.token));
    expect([status, json.isAdmin]).toEqual([200, false]);
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false]);
    expect((await patch(ada.id, { name: 'x' }, as(here.token))).status).toBe(404);
    heard.close();
  });
});

describe('calls that go by the cookie', () => {
  const foreign: [string, Record<string, string>][] = [
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour domain', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { origin: 'https://evil.test', host: 'berth.test' }],
    ['a page that hides where it is', { origin: 'null' }],
    ['a request that says nothing', {}],
  ];

  test.each(foreign)('are refused to %s, and change nothing', async (_, from) => {
    const session = await signInPage(ada);
    const image = await createImage({ created_by: ada.id, buildNumber: 1 });
    await write((tx) => tx.insert(builds, { image: String(image.id), number: 1, status: 'build_finished' }));
    const log = `/api/image/${String(image.id)}/build-log`;
    const headers = { ...from, cookie: session.cookie };
    const before = everything();
    for (const [method, path] of [
      ['POST', '/api/session'],
      ['POST', '/api/session/token'],
      ['DELETE', '/api/session'],
    ] as const) {
      const refused = await sendApi(method, path, { headers });
      expect([path, refused.status, refused.headers.get('set-cookie')]).toEqual([path, 403, null]);
    }
    expect((await sendApi('GET', log, { headers })).status).toBe(404);
    expect((await sendApi('GET', '/api/workspace/x/logs/download', { headers })).status).toBe(404);
    expect((await sendApi('GET', '/api/sessions', { headers })).status).toBe(401);
    expect((await sendApi('DELETE', '/api/session/everywhere', { headers })).status).toBe(401);
    expect((await sendApi('POST', '/api/files/token', { headers })).status).toBe(400);
    expect(everything()).toBe(before);
    expect(await isSignedIn(session)).toBe(true);
    const own = await sendApi('GET', log, { headers: { ...OWN, cookie: session.cookie } });
    expect(own.status).toBe(200);
    await own.text();
  });

  test('a cookie that the browser had before does not survive a sign-in, whosever it was', async () => {
    const planted = await signInPage(bob);
    const session = await signInPage(ada, { cookie: planted.cookie });
    expect(session.cookie).not.toBe(planted.cookie);
    expect([await isSignedIn(planted), await isSignedIn(session)]).toEqual([false, true]);
    const chosen = await signInPage(ada, { cookie: `${SESSION_COOKIE}=${'a'.repeat(40)}` });
    expect(chosen.cookie).not.toContain('a'.repeat(40));
  });
});
