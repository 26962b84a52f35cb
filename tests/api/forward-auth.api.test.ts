import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { users } from '@/lib/accounts/collection';
import { setClock } from '@/lib/clock';
import { domains } from '@/lib/domains/collection';
import { env } from '@/lib/env';
import { getDb } from '@/db/database';
import { newSecret } from '@/lib/ids';
import { settings } from '@/lib/settings/collection';
import { groupMembers } from '@/lib/groups/members';
import { forwardAuthAddress } from '@/lib/settings/forward-auth';
import { write } from '@/lib/records/transaction';
import { workspaces } from '@/lib/workspaces/collection';
import { workspaceLoginPermissions } from '@/lib/workspaces/login-permissions';
import { api, sendApi } from '../setup/api';
import { call } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { signInPage } from '../setup/page-session';
import { startServiceServer, verifyAs, Visitor } from '../setup/visitor';
import { createDomain, createGroup, createPerson, createUser, createWorkspace } from '../setup/world';

openPrivateDatabase();

let server: Awaited<ReturnType<typeof startServiceServer>>;
let owner: { id: string };
let admin: { id: string };
let member: { id: string; username?: unknown };
let domain: { id: string };
let workspace: { id: string };
const A = 'https://lab.example.org';
const url = (subdomain: string, authentication: string, scheme = 'https') => ({
  scheme,
  subdomain,
  domain: domain.id,
  port: 8080,
  authentication,
  users: [],
});
const visitor = () => new Visitor(server.port);
const permit = (user: { id: string }, address = A) =>
  write((tx) => tx.insert(workspaceLoginPermissions, { user: user.id, workspace: workspace.id, url: address }));

beforeAll(async () => {
  server = await startServiceServer();
  [owner, admin, member] = [await createPerson(), await createPerson({ isAdmin: true }), await createUser()];
  domain = (await createDomain({ url: 'example.org' })) as { id: string };
  const externalUrls = [
    url('lab', 'internal'),
    url('plain', 'internal', 'http'),
    url('open', 'none'),
    url('pass', 'basic'),
  ];
  workspace = (await createWorkspace({ created_by: owner.id, externalUrls })) as { id: string };
  await permit(member);
});

afterAll(() => server.close());

describe('the way in', () => {
  test('to the console, and back to the very same address', async () => {
    const browser = visitor();
    const target = `${A}/a%2Fb/./c?x=1&user=me&csrf_token=mine&y=%20%C3%A4&&z`;
    const sent = await browser.open(target);
    expect(sent.status).toBe(307);
    expect(sent.location).toMatch(
      new RegExp(`^${env().publicUrl}/verify/\\?state=[\\w.-]+&csrf_token=[A-Za-z0-9]{43}$`),
    );
    expect(sent.cookies).toEqual([
      expect.stringMatching(/^__Host-berth-csrf=\w{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/),
    ]);
    const { searchParams } = new URL(sent.location);
    const asked = { state: searchParams.get('state')!, csrfToken: searchParams.get('csrf_token')! };
    const { status, address } = await verifyAs(member, asked);
    expect(status).toBe(200);
    expect(address.startsWith(`${target}&berth-state=`)).toBe(true);
    expect(new URL(address).searchParams.getAll('user')).toEqual(['me', member.username]);
    const back = await browser.open(address);
    expect([back.status, back.location]).toEqual([307, target]);
    expect(back.cookies).toEqual([
      expect.stringMatching(/^__Host-berth-auth=[\w.-]+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$/),
      '__Host-berth-csrf=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    ]);
    expect(await browser.open(target)).toMatchObject({ status: 200, user: member.username });
    expect(await browser.open(`${A}/socket`, { 'x-forwarded-proto': 'wss', accept: '*/*' })).toMatchObject({
      status: 200,
    });
  });

  test('of tabs that were opened at once', async () => {
    const browser = visitor();
    const [first, second] = [await browser.begin(`${A}/1`), await browser.begin(`${A}/2`)];
    const [one, two] = [await verifyAs(member, first), await verifyAs(member, second)];
    expect(await browser.open(one.address)).toMatchObject({ status: 307, location: `${A}/1` });
    expect(await browser.open(two.address)).toMatchObject({ status: 307, location: `${A}/2` });
  });

  test.each([
    ['the owner', () => owner],
    ['an admin', () => admin],
  ])('is open to %s', async (_, who) => {
    expect((await visitor().logIn(A, who())).location).toBe(`${A}/`);
  });

  test('over plain http has cookies that browsers take', async () => {
    const address = 'http://plain.example.org';
    await permit(member, address);
    const browser = visitor();
    const { cookies, location } = await browser.logIn(`${address}/x`, member);
    expect(location).toBe(`${address}/x`);
    expect(cookies[0]).toMatch(/^berth-auth=[\w.-]+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/);
    expect(await browser.open(address)).toMatchObject({ status: 200 });
  });

  test('forgets an address that is too long, but not the workspace', async () => {
    expect((await visitor().logIn(`${A}/?long=${'x'.repeat(5000)}`, owner)).location).toBe(`${A}/`);
  });
});

describe('who is not let in', () => {
  const denied = 'You are not authorized to access the workspace!';

  test('hears so exactly, and no cookie is given', async () => {
    const { status, json, address } = await verifyAs(await createPerson(), await visitor().begin(A));
    expect([status, json, address]).toEqual([403, { code: 403, message: denied, data: {} }, '']);
  });

  test('with a permission for another address of the workspace neither', async () => {
    const other = await createPerson();
    await permit(other, 'http://plain.example.org');
    expect((await verifyAs(other, await visitor().begin(A))).json.message).toBe(denied);
  });

  test.each([
    ['a guest', async () => ''],
    ['a token that is none', async () => 'a.b.c'],
    [
      'an API token',
      async () => {
        const body = { name: 'script', scope: 'full', expiresInDays: null };
        return String((await api('POST', '/api/tokens', { as: member, body })).json.token);
      },
    ],
  ])('%s is not known', async (_, tokenOf) => {
    const { status, address } = await verifyAs(undefined, await visitor().begin(A), await tokenOf());
    expect([status, address]).toEqual([401, '']);
  });

  test.each([
    ['fetch', { 'sec-fetch-mode': 'cors' }],
    ['XMLHttpRequest', { 'x-requested-with': 'XMLHttpRequest' }],
    ['a program', { accept: '*/*' }],
    ['a form', { 'x-forwarded-method': 'POST' }],
  ])('%s gets 401 and no redirect', async (_, headers) => {
    const { status, location, cookies, text } = await visitor().open(A, headers);
    expect([status, location, cookies]).toEqual([401, '', []]);
    expect(JSON.parse(text)).toEqual({ code: 401, message: 'Log in first.', data: {} });
  });

  test.each([
    ['https://open.example.org', 403],
    ['https://pass.example.org', 403],
    ['http://lab.example.org', 404],
    ['https://nobody.example.org', 404],
    [`https://${new URL(env().publicUrl).hostname}`, 403],
  ])('%s answers %i', async (address, status) => {
    const answer = await visitor().open(address);
    expect([answer.status, answer.cookies, answer.user]).toEqual([status, [], undefined]);
    expect(answer.type).toContain('text/html');
  });

  test('says nothing to pages of other origins', async () => {
    const headers = { origin: 'https://evil.example', 'x-forwarded-proto': 'https' };
    const response = await sendApi('GET', '/api/forward-auth', { headers });
    expect(response.headers.has('access-control-allow-origin')).toBe(false);
  });
});

describe('access ends at once', () => {
  let browser: Visitor;
  const isIn = async () => (await browser.open(A)).status === 200;
  const enter = async (as: { id: string }) => {
    browser = visitor();
    await browser.logIn(A, as);
    expect(await isIn()).toBe(true);
  };

  test('when the permission is taken back, for good', async () => {
    const person = await createPerson();
    const { id } = await permit(person);
    await enter(person);
    await call('DELETE', `/api/collections/workspace_login_permissions/records/${id}`, { as: owner });
    expect(await isIn()).toBe(false);
    await permit(person);
    expect(await isIn()).toBe(false);
  });

  test('when the group that opens it is left, or loses it', async () => {
    const person = await createPerson();
    const group = String((await createGroup([])).id);
    const join = () => write((tx) => tx.insert(groupMembers, { group, user: person.id, source: 'manual' }));
    const { id } = await write((tx) =>
      tx.insert(workspaceLoginPermissions, { group, workspace: workspace.id, url: A }),
    );
    await expect(visitor().logIn(A, person)).rejects.toThrow();
    const membership = await join();
    await enter(person);
    const left = `/api/collections/group_members/records/${membership.id}`;
    expect((await call('DELETE', left, { as: admin })).status).toBe(204);
    expect(await isIn()).toBe(false);
    await join();
    expect(await isIn()).toBe(false);
    await enter(person);
    await call('DELETE', `/api/collections/workspace_login_permissions/records/${id}`, { as: owner });
    expect(await isIn()).toBe(false);
  });

  test('when the account is disabled', async () => {
    const person = await createPerson();
    await permit(person);
    await enter(person);
    await write((tx) => tx.patch(users, person.id, { enabled: false }));
    expect(await isIn()).toBe(false);
  });

  test('when the account is deleted', async () => {
    const person = await createPerson();
    await permit(person);
    await enter(person);
    expect((await call('DELETE', `/api/collections/users/records/${person.id}`, { as: admin })).status).toBe(204);
    expect(await isIn()).toBe(false);
  });

  test('when an admin is one no more', async () => {
    const person = await createPerson({ isAdmin: true });
    await enter(person);
    await write((tx) => tx.patch(users, person.id, { isAdmin: false }));
    expect(await isIn()).toBe(false);
  });

  test('when the person logs out everywhere', async () => {
    const person = await createPerson();
    await permit(person);
    await enter(person);
    expect((await call('DELETE', '/api/session/everywhere', { as: person })).status).toBe(204);
    expect(await isIn()).toBe(false);
  });

  test('when the session ends that it began in', async () => {
    const session = await signInPage(member);
    browser = visitor();
    await browser.open((await verifyAs(member, await browser.begin(A), session.token)).address);
    expect(await isIn()).toBe(true);
    await sendApi('DELETE', '/api/session', {
      headers: { cookie: session.cookie, 'sec-fetch-site': 'same-origin', authorization: '' },
    });
    expect(await isIn()).toBe(false);
  });

  test('when the address goes, and when its domain gets another name', async () => {
    const moving = (await createDomain({ url: 'moving.example' })) as { id: string };
    const externalUrls = [{ ...url('app', 'internal'), domain: moving.id }];
    const { id } = await createWorkspace({ created_by: owner.id, externalUrls });
    browser = visitor();
    const at = (address: string) => browser.open(address).then(({ status }) => status);
    await browser.logIn('https://app.moving.example', owner);
    expect(await at('https://app.moving.example')).toBe(200);
    await write((tx) => tx.patch(domains, moving.id, { url: 'moved.example' }));
    expect([await at('https://app.moving.example'), await at('https://app.moved.example')]).toEqual([404, 307]);
    await browser.logIn('https://app.moved.example', owner);
    expect(await at('https://app.moved.example')).toBe(200);
    await write((tx) => tx.patch(workspaces, String(id), { externalUrls: [] }));
    expect(await at('https://app.moved.example')).toBe(404);
  });

  test('when another workspace takes the address too', async () => {
    await enter(member);
    const thief = await createPerson();
    const other = await createWorkspace({ created_by: thief.id, externalUrls: [url('lab', 'internal')] });
    expect(await isIn()).toBe(false);
    expect((await verifyAs(thief, await visitor().begin(A))).status).toBe(403);
    await write((tx) => tx.remove(workspaces, String(other.id)));
    expect(await isIn()).toBe(true);
  });

  describe('with time', () => {
    let restore = () => {};
    afterEach(() => restore());

    test('after the lifetime', async () => {
      await enter(member);
      restore = setClock(() => Date.now() + 3_590_000);
      expect(await isIn()).toBe(true);
      restore = setClock(() => Date.now() + 3_600_000);
      expect(await isIn()).toBe(false);
    });
  });

  test('when the lifetime is set shorter or the cookie is called something else', async () => {
    await enter(member);
    const store = (value: object) =>
      write((tx) => {
        const [row] = tx.find(settings, { key: 'forwardAuth' });
        return row ? tx.patch(settings, row.id, { value }) : tx.insert(settings, { key: 'forwardAuth', value });
      });
    await store({ authCookie: 'elsewhere' });
    expect(await isIn()).toBe(false);
    expect((await browser.logIn(`${A}/`, member)).cookies[0]).toMatch(/^elsewhere=.*; Secure$/);
    await store({ authCookie: 'elsewhere', insecureCookies: true });
    expect((await visitor().logIn(`${A}/`, member)).cookies[0]).toMatch(/^elsewhere=[^;]*; Path=.*Lax$/);
    await store({});
  });
});

test('a second factor that is demanded and missing closes the address', async () => {
  const browser = visitor();
  await browser.logIn(A, member);
  const value = { requireSecondFactor: 'everyone' };
  const { id } = await write((tx) => tx.insert(settings, { key: 'security', value }));
  expect((await browser.open(A)).status).toBe(307);
  await write((tx) => tx.remove(settings, id));
  expect((await browser.open(A)).status).toBe(200);
});

test('what other processes write counts too', async () => {
  const browser = visitor();
  await browser.logIn(A, member);
  const outside = new Database(path.join(env().dataDir, 'berth.db'));
  const set = (urls: string) =>
    outside.prepare('UPDATE workspaces SET external_urls = ? WHERE id = ?').run(urls, workspace.id);
  const before = outside.prepare<[string], string>('SELECT external_urls FROM workspaces WHERE id = ?').pluck();
  const urls = before.get(workspace.id)!;
  set('[]');
  expect((await browser.open(A)).status).toBe(404);
  set(urls);
  outside.close();
  expect((await browser.open(A)).status).toBe(200);
});

test('proxies are given the service server', async () => {
  expect(forwardAuthAddress()).toBe(`${env().publicUrl}/api/forward-auth`);
  const value = { endpointUrl: 'http://berth:3000/' };
  const { id } = await write((tx) => tx.insert(settings, { key: 'serviceServer', value }));
  expect(forwardAuthAddress()).toBe('http://berth:3000/api/forward-auth');
  await write((tx) => tx.remove(settings, id));
  expect(forwardAuthAddress()).toBe(`${env().publicUrl}/api/forward-auth`);
});

test('nothing is written for a request', async () => {
  const browser = visitor();
  await browser.logIn(A, member);
  const changes = () => getDb().sqlite.prepare<[], number>('SELECT total_changes()').pluck().get();
  const before = changes();
  for (let count = 0; count < 20; count += 1) await browser.open(`${A}/${newSecret(5)}`);
  await visitor().open(A);
  await visitor().open(A, { accept: '*/*' });
  expect(changes()).toBe(before);
});
