import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import PocketBase from 'pocketbase';
import { beforeEach, describe, expect, test } from 'vitest';
import { getDb } from '@/db/database';
import { bumpVersion } from '@/db/versions';
import { actorOfAuthorization } from '@/lib/auth/actor';
import { lastUses } from '@/lib/auth/last-used';
import { issueToken } from '@/lib/auth/tokens';
import { builds } from '@/lib/images/builds';
import { users } from '@/lib/accounts/collection';
import { endExpiredCredentials } from '@/lib/accounts/security/expired-credentials';
import { setClock } from '@/lib/clock';
import { serveNode } from '@/lib/http/node-door';
import { hashPassword } from '@/lib/passwords';
import type { AnyRow } from '@/lib/records/collection';
import { StoreReader, write } from '@/lib/records/transaction';
import { updateRecord } from '@/lib/records/writer';
import { api, sendApi } from '../setup/api';
import { kernel } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { listen } from '../setup/listener';
import { signInPage } from '../setup/page-session';
import { everything } from '../setup/snapshot';
import { createImage, createUser } from '../setup/world';

openPrivateDatabase();

const PASSWORD = 'Berth!pass1';
const LIST = '/api/collections/users/records';
const DAY_MS = 86_400_000;
let admin: { id: string };
let ada: { id: string };
let bob: { id: string };

beforeEach(async () => {
  admin = await createUser({ isAdmin: true });
  ada = await createUser({ passwordHash: await hashPassword(PASSWORD) });
  bob = await createUser();
});

const WISH = { name: 'deploys', scope: 'full', expiresInDays: 30 };
const make = (as: { id: string }, wish: AnyRow = {}) => api('POST', '/api/tokens', { as, body: { ...WISH, ...wish } });
const tokenFor = async (as: { id: string }, wish: AnyRow = {}) => String((await make(as, wish)).json.token);
const by = (token: string) => ({ headers: { authorization: token } });
const opens = (token: string) => actorOfAuthorization(token).kind === 'user';
const stored = () => getDb().sqlite.prepare('SELECT * FROM api_tokens').all() as AnyRow[];

describe('an API token', () => {
  test('is told once and stored as a hash', async () => {
    const { status, json } = await make(ada);
    const token = String(json.token);
    expect([status, token]).toEqual([200, expect.stringMatching(/^berth_[A-Za-z0-9]{36}$/)]);
    const listed = (await api('GET', '/api/tokens', { as: ada })).json.items as AnyRow[];
    expect(listed).toEqual([
      {
        id: expect.stringMatching(/^[a-z0-9]{15}$/) as string,
        name: 'deploys',
        scope: 'full',
        hint: token.slice(-4),
        created: expect.any(String) as string,
        expires: expect.any(String) as string,
        lastUsed: '',
        lastAddress: '',
      },
    ]);
    expect(json.record).toEqual(listed[0]);
    const days = (Date.parse(String(listed[0]!.expires)) - Date.now()) / DAY_MS;
    expect(days).toBeCloseTo(30, 2);
    expect(JSON.stringify([stored(), listed])).not.toContain(token);
  });

  test.each([
    ['no name', { name: ' ' }, 'name'],
    ['a name that is too long', { name: 'x'.repeat(101) }, 'name'],
    ['an unknown scope', { scope: 'admin' }, 'scope'],
    ['no days', { expiresInDays: 0 }, 'expiresInDays'],
    ['too many days', { expiresInDays: 3651 }, 'expiresInDays'],
    ['half a day', { expiresInDays: 0.5 }, 'expiresInDays'],
    ['no word about its end', { expiresInDays: undefined }, 'expiresInDays'],
    ['an unknown key', { userId: 'x' }, 'userId'],
  ])('is not made with %s', async (_, wish, field) => {
    const before = everything();
    const { status, json } = await make(ada, wish);
    expect([status, Object.keys(json.data as object)]).toEqual([400, [field]]);
    expect(everything()).toBe(before);
  });

  test('has a name of its own among those of its account, of which there are fifty at most', async () => {
    expect((await make(ada, { name: ' deploys ' })).json.record).toMatchObject({ name: 'deploys' });
    expect((await make(ada)).json.data).toMatchObject({ name: { code: 'validation_not_unique' } });
    expect((await make(bob)).status).toBe(200);
    const others = Array.from({ length: 49 }, (_, index) => make(ada, { name: `t${index}`, expiresInDays: null }));
    expect((await Promise.all(others)).every(({ status }) => status === 200)).toBe(true);
    const before = everything();
    expect((await make(ada, { name: 'one more' })).status).toBe(400);
    expect(everything()).toBe(before);
  });

  test('of two that race for a name one is made', async () => {
    const answers = await Promise.all([make(ada), make(ada)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test('signs its owner in, raw and as Bearer, and nobody when a letter differs', async () => {
    const token = await tokenFor(ada);
    for (const sent of [token, `Bearer ${token}`]) {
      expect((await api('GET', LIST, by(sent))).json.totalItems).toBeGreaterThan(0);
    }
    const last = token.at(-1) === 'a' ? 'b' : 'a';
    const forged = [token.slice(0, -1) + last, token.slice(0, -1), `${token}a`, token.toUpperCase(), 'berth_'];
    for (const wrong of forged) expect((await api('GET', LIST, by(wrong))).json.totalItems).toBe(0);
    expect((await api('GET', '/api/settings', by(await tokenFor(admin)))).status).toBe(401);
  });

  test('tells in an act’s origin that it was one', async () => {
    const token = await tokenFor(ada);
    const changed = await api('PATCH', `${LIST}/${ada.id}`, { ...by(token), body: { name: 'By script' } });
    expect([changed.status, changed.json.name]).toEqual([200, 'By script']);
    const way = getDb()
      .sqlite.prepare('SELECT via FROM audit WHERE record = ? ORDER BY rowid DESC')
      .pluck()
      .get(ada.id);
    expect(way).toBe('apiToken');
  });

  test('is used by the published client', async () => {
    const server: Server = createServer((request, response) => void serveNode(kernel, request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const pb = new PocketBase(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    pb.authStore.save(await tokenFor(ada));
    expect((await pb.collection('users').getOne(ada.id)).id).toBe(ada.id);
    await expect(pb.collection('users').authRefresh()).rejects.toMatchObject({ status: 403 });
    lastUses().flush();
    const { items } = (await api('GET', '/api/tokens', { as: ada })).json as { items: AnyRow[] };
    expect(items[0]).toMatchObject({ lastAddress: '127.0.0.1', lastUsed: expect.stringMatching(/Z$/) as string });
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('the scope', () => {
  test('read: reads, listens and asks for file tokens, and changes nothing', async () => {
    const token = await tokenFor(ada, { scope: 'read' });
    expect((await api('GET', `${LIST}/${ada.id}`, by(token))).status).toBe(200);
    const heard = await listen(token, ['users/*']);
    await updateRecord(users, { kind: 'system' }, { id: bob.id, body: { name: 'heard' } });
    expect(await heard.names()).toContain('heard');
    heard.close();
    expect((await api('POST', '/api/files/token', by(token))).status).toBe(200);
    const before = everything();
    const calls: [string, string, AnyRow?][] = [
      ['PATCH', `${LIST}/${ada.id}`, { name: 'x' }],
      ['POST', '/api/collections/images/records', { name: 'x' }],
      ['DELETE', `${LIST}/${ada.id}`],
      ['POST', '/api/workspace/x/request', { action: 'start' }],
      ['POST', '/api/hosts/join-token', { name: 'x' }],
      ['POST', '/api/tokens', WISH],
    ];
    for (const [method, path, body] of calls) {
      const { status, json } = await api(method, path, { ...by(token), body });
      expect([method, path, status, json.message]).toEqual([method, path, 403, 'This API token may only read.']);
    }
    const socket = { headers: { authorization: token, upgrade: 'websocket' } };
    expect((await api('GET', `${LIST}/${ada.id}`, socket)).status).toBe(403);
    expect(everything()).toBe(before);
  });

  test('full: does not secure the account, in no way', async () => {
    const token = await tokenFor(ada);
    const session = await signInPage(ada);
    const own = { 'sec-fetch-site': 'same-origin', authorization: token };
    const [{ id }] = (await api('GET', '/api/tokens', { as: ada })).json.items as [{ id: string }];
    const password = { password: 'Other!pass2', passwordConfirm: 'Other!pass2', oldPassword: PASSWORD };
    lastUses().flush();
    const before = everything();
    const calls: [string, string, AnyRow?][] = [
      ['GET', '/api/tokens'],
      ['POST', '/api/tokens', { ...WISH, name: 'another' }],
      ['DELETE', `/api/tokens/${id}`],
      ['GET', '/api/sessions'],
      ['DELETE', `/api/sessions/${session.id}`],
      ['DELETE', '/api/session/everywhere'],
      ['POST', '/api/session'],
      ['POST', '/api/collections/users/auth-refresh'],
      ['POST', '/api/collections/users/request-email-change', { newEmail: 'new@example.com' }],
      ['PATCH', `${LIST}/${ada.id}`, password],
      ['PATCH', `${LIST}/${ada.id}`, { email: 'new@example.com' }],
      ['DELETE', `${LIST}/${ada.id}/external-auths/oidc`],
    ];
    for (const [method, path, body] of calls) {
      const { status } = await api(method, path, { headers: own, body });
      expect([method, path, status]).toEqual([method, path, 403]);
    }
    expect(everything()).toBe(before);
  });

  test('full: an admin’s does not take over another account', async () => {
    const token = await tokenFor(admin);
    const before = everything();
    const password = { password: 'Other!pass2', passwordConfirm: 'Other!pass2' };
    expect((await api('PATCH', `${LIST}/${bob.id}`, { ...by(token), body: password })).status).toBe(403);
    expect((await api('PATCH', `${LIST}/${bob.id}`, { ...by(token), body: { email: 'x@y.zz' } })).status).toBe(403);
    expect((await api('DELETE', `/api/tokens/x?user=${bob.id}`, by(token))).status).toBe(403);
    expect(everything()).toBe(before);
    expect((await api('PATCH', `${LIST}/${bob.id}`, { ...by(token), body: { name: 'Robert' } })).status).toBe(200);
  });
});

describe('the end of a token', () => {
  const ends: [string, (id: string) => Promise<unknown>][] = [
    ['it is revoked', (id) => api('DELETE', `/api/tokens/${id}`, { as: ada })],
    ['an admin revokes it', (id) => api('DELETE', `/api/tokens/${id}?user=${ada.id}`, { as: admin })],
    ['its account is deleted', () => api('DELETE', `${LIST}/${ada.id}`, { as: admin })],
    [
      'an admin sets the account’s password',
      () =>
        api('PATCH', `${LIST}/${ada.id}`, {
          as: admin,
          body: { password: 'Other!pass2', passwordConfirm: 'Other!pass2' },
        }),
    ],
    [
      'the password is reset by a mailed link',
      () => {
        const account = new StoreReader().get(users, ada.id)!;
        const token = issueToken(account, 'passwordReset', users.id, { email: account.email });
        const body = { token, password: 'Other!pass2', passwordConfirm: 'Other!pass2' };
        return api('POST', '/api/collections/users/confirm-password-reset', { body });
      },
    ],
    [
      'its time is over',
      async () => {
        await endExpiredCredentials();
        const resetClock = setClock(() => Date.now() + 31 * DAY_MS);
        await endExpiredCredentials();
        expect(opens(held)).toBe(false);
        resetClock();
        getDb()
          .sqlite.prepare("UPDATE api_tokens SET expires = '2020-01-01 00:00:00.000Z' WHERE user_id = ?")
          .run(ada.id);
      },
    ],
  ];
  let held = '';

  test.each(ends)('%s: it opens nothing, and what it held open closes', async (_, end) => {
    const { json } = await make(ada);
    held = String(json.token);
    const other = await tokenFor(bob);
    const image = await createImage({ created_by: bob.id, buildNumber: 1 });
    await write((tx) => tx.insert(builds, { image: String(image.id), number: 1, status: 'building' }));
    getDb()
      .sqlite.prepare("INSERT INTO image_permissions (id, user, image, view) VALUES ('p' || ?, ?, ?, 1)")
      .run(...[image.id, ada.id, image.id].map(String));
    const fileToken = String((await api('POST', '/api/files/token', by(held))).json.token);
    const log = `/api/image/${String(image.id)}/build-log`;
    const open = await Promise.all([sendApi('GET', log, by(held)), sendApi('GET', `${log}?token=${fileToken}`)]);
    expect(open.map(({ status }) => status)).toEqual([200, 200]);
    const heard = await listen(held, ['users/*']);
    await end(String((json.record as AnyRow).id));
    for (const response of open) expect(await response.text()).toContain('"reason":"revoked"');
    await updateRecord(users, { kind: 'system' }, { id: bob.id, body: { name: 'unseen' } });
    expect(await heard.names()).not.toContain('unseen');
    expect([opens(held), opens(other)]).toEqual([false, true]);
    expect((await api('GET', `${log}?token=${fileToken}`)).status).toBe(404);
    heard.close();
  });

  test('a disabled account’s tokens open nothing', async () => {
    const token = await tokenFor(ada);
    getDb().sqlite.prepare('UPDATE users SET enabled = 0 WHERE id = ?').run(ada.id);
    bumpVersion('users');
    expect(opens(token)).toBe(false);
    expect((await api('GET', LIST, { as: ada })).json.totalItems).toBe(0);
  });

  test('does not come with a password that the owner changes', async () => {
    const token = await tokenFor(ada);
    const body = { password: 'Other!pass2', passwordConfirm: 'Other!pass2', oldPassword: PASSWORD };
    expect((await api('PATCH', `${LIST}/${ada.id}`, { as: ada, body })).status).toBe(200);
    expect(opens(token)).toBe(true);
  });

  test('is for its owner and for admins to bring', async () => {
    const { json } = await make(ada);
    const path = `/api/tokens/${String((json.record as AnyRow).id)}`;
    const before = everything();
    expect((await api('GET', '/api/tokens')).status).toBe(401);
    expect((await api('POST', '/api/tokens', { body: WISH })).status).toBe(401);
    expect((await api('DELETE', path)).status).toBe(401);
    expect((await api('DELETE', path, { as: bob })).status).toBe(404);
    expect((await api('DELETE', path, { as: admin })).status).toBe(404);
    expect((await api('GET', `/api/tokens?user=${ada.id}`, { as: bob })).status).toBe(403);
    expect((await api('DELETE', `${path}?user=${ada.id}`, { as: bob })).status).toBe(403);
    expect(everything()).toBe(before);
    const seen = await api('GET', `/api/tokens?user=${ada.id}`, { as: admin });
    expect(seen.json.items).toMatchObject([{ name: 'deploys' }]);
  });
});
