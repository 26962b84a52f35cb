import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { users } from '@/lib/accounts/collection';
import { setClock } from '@/lib/clock';
import { env } from '@/lib/env';
import { settings } from '@/lib/settings/collection';
import { write } from '@/lib/records/transaction';
import { rateLimits } from '@/lib/vocabulary/limits';
import { dropSingleton } from '@/lib/singleton';
import { openPrivateDatabase } from '../setup/database';
import { askServiceServer, startServiceServer, verifyAs, Visitor, type SentHeaders } from '../setup/visitor';
import { createDomain, createPerson, createUser, createWorkspace } from '../setup/world';

openPrivateDatabase();

let server: Awaited<ReturnType<typeof startServiceServer>>;
let owner: { id: string; username?: unknown };
let attacker: { id: string; username?: unknown };
const A = 'https://a.example.org';
const B = 'https://b.example.org';
const visitor = () => new Visitor(server.port);

beforeAll(async () => {
  server = await startServiceServer();
  [owner, attacker] = [await createUser(), await createUser()];
  const { id: domain } = await createDomain({ url: 'example.org' });
  const url = (subdomain: string) => ({
    scheme: 'https',
    subdomain,
    domain,
    port: 80,
    authentication: 'internal',
    users: [],
  });
  await createWorkspace({ created_by: owner.id, externalUrls: [url('a')] });
  await createWorkspace({ created_by: owner.id, externalUrls: [url('b')] });
  await createWorkspace({ created_by: attacker.id, externalUrls: [url('evil')] });
});

afterAll(() => server.close());

let restore = () => {};
afterEach(() => restore());
const later = (seconds: number) => (restore = setClock(() => Date.now() + seconds * 1000));

/** A browser that is on its way back from the console. */
async function onTheWayBack(url = A, as = owner): Promise<{ browser: Visitor; address: string }> {
  const browser = visitor();
  return { browser, address: (await verifyAs(as, await browser.begin(url))).address };
}

async function expectRefused(browser: Visitor, address: string): Promise<void> {
  const { status, location, cookies, user } = await browser.open(address);
  expect([status, location, cookies, user]).toEqual([403, '', [], undefined]);
}

/** The same value with one letter changed, in its payload or its signature. */
function forged(text: string, at: number): string {
  const index = at < 0 ? text.length + at : at;
  return text.slice(0, index) + (text[index] === 'A' ? 'B' : 'A') + text.slice(index + 1);
}

describe('a state', () => {
  const refused = async (asked: { state: string; csrfToken: string }) => {
    const { status, address } = await verifyAs(owner, asked);
    expect([status, address]).toEqual([400, '']);
  };

  test.each([5, -5])('that was forged is none (%i)', async (at) => {
    const asked = await visitor().begin(A);
    await refused({ ...asked, state: forged(asked.state, at) });
  });

  test('made of words of our own is none', async () => {
    const asked = await visitor().begin(A);
    const payload = Buffer.from(JSON.stringify({ key: A, address: 'https://evil.test/' })).toString('base64url');
    await refused({ ...asked, state: `${payload}.${asked.state.split('.')[1]!}` });
    await refused({ ...asked, state: '' });
    await refused({ ...asked, state: 'x.y.z' });
  });

  test('belongs to its token', async () => {
    const [one, other] = [await visitor().begin(A), await visitor().begin(A)];
    await refused({ ...one, csrfToken: other.csrfToken });
    await refused({ ...one, csrfToken: '' });
  });

  test('is over after ten minutes', async () => {
    const asked = await visitor().begin(A);
    later(601);
    await refused(asked);
  });

  test('counts once', async () => {
    const asked = await visitor().begin(A);
    expect((await verifyAs(owner, asked)).status).toBe(200);
    await refused(asked);
  });

  test('does not outlive the process, which alone knows what was used up', async () => {
    const asked = await visitor().begin(A);
    dropSingleton('forward-auth-process');
    await refused(asked);
  });

  test('is of no use to an address itself', async () => {
    const browser = visitor();
    const { state, csrfToken } = await browser.begin(A);
    await expectRefused(browser, `${A}/?berth-state=${state}&csrf_token=${csrfToken}&user=${String(owner.username)}`);
  });

  test('of an address that has gone is over', async () => {
    const { json } = await verifyAs(owner, { state: 'x', csrfToken: 'y' });
    expect(json.message).toBe('This log-in is over. Open the address again.');
  });
});

describe('what the browser comes back with', () => {
  test('counts once', async () => {
    const { browser, address } = await onTheWayBack();
    const thief = visitor();
    thief.jar(A).set('__Host-berth-csrf', new URL(address).searchParams.get('csrf_token')!);
    expect((await browser.open(address)).status).toBe(307);
    await expectRefused(thief, address);
  });

  test('is over after a minute', async () => {
    const { browser, address } = await onTheWayBack();
    later(61);
    await expectRefused(browser, address);
  });

  test.each([20, -90])('that was forged is none', async (from) => {
    const { browser, address } = await onTheWayBack();
    const state = new URL(address).searchParams.get('berth-state')!;
    await expectRefused(browser, address.replace(state, forged(state, from)));
  });

  test('of A opens nothing at B', async () => {
    const { browser, address } = await onTheWayBack();
    const token = new URL(address).searchParams.get('csrf_token')!;
    browser.jar(B).set('__Host-berth-csrf', token);
    await expectRefused(browser, address.replace(A, B));
    expect((await browser.open(address)).status).toBe(307);
  });

  test('needs the CSRF cookie of the browser that began', async () => {
    const { browser, address } = await onTheWayBack();
    await expectRefused(visitor(), address);
    const other = visitor();
    await other.begin(A);
    await expectRefused(other, address);
    const elsewhere = await onTheWayBack(B);
    const cookie = `__Host-berth-csrf=${elsewhere.browser.jar(B).get('__Host-berth-csrf')}`;
    expect((await browser.open(address, { cookie })).status).toBe(403);
  });

  test('is of no use with the cookie and the token of another browser', async () => {
    const { address } = await onTheWayBack();
    const thief = visitor();
    const { csrfToken } = await thief.begin(A);
    await expectRefused(thief, address.replace(/csrf_token=\w+/, `csrf_token=${csrfToken}`));
  });

  test('is not for whoever sent somebody else to log in', async () => {
    const thief = visitor();
    const begun = await thief.begin(A);
    // The owner followed the link; the thief knows all of it but the answer.
    const { address } = await verifyAs(owner, begun);
    await expectRefused(
      thief,
      `${A}/?berth-state=${begun.state}&csrf_token=${begun.csrfToken}&user=${String(owner.username)}`,
    );
    await expectRefused(visitor(), address);
  });

  test('says nothing of who it is: a changed user changes nothing', async () => {
    const { browser, address } = await onTheWayBack();
    const changed = address.replace(/user=.*$/, 'user=root');
    expect((await browser.open(changed)).location).toBe(`${A}/`);
    expect((await browser.open(A)).user).toBe(owner.username);
  });

  test('leads nowhere but to where the browser was', async () => {
    const { browser, address } = await onTheWayBack(`${A}/here`);
    const moved = address.replace('/here', '//evil.test/there');
    expect((await browser.open(moved)).location).toBe(`${A}/here`);
  });

  test('is over once the right is taken back', async () => {
    const person = await createPerson({ isAdmin: true });
    const { browser, address } = await onTheWayBack(A, person);
    await write((tx) => tx.patch(users, person.id, { isAdmin: false }));
    await expectRefused(browser, address);
  });

  test('is refused in words, with a way to try again, and not sent round in circles', async () => {
    const { address } = await onTheWayBack(`${A}/?q="<b>`);
    const { status, type, text } = await visitor().open(address);
    expect([status, type]).toEqual([403, 'text/html; charset=utf-8']);
    expect(text).toContain('href="/?q=&quot;&lt;b&gt;"');
  });
});

describe('a cookie', () => {
  test.each([
    ['the owner', () => owner],
    ['an admin', () => createPerson({ isAdmin: true })],
  ])('of A opens nothing at B, of %s neither', async (_, who) => {
    const browser = visitor();
    await browser.logIn(A, await who());
    const stolen = browser.jar(A).get('__Host-berth-auth')!;
    browser.jar(B).set('__Host-berth-auth', stolen);
    expect((await browser.open(B)).status).toBe(307);
    expect((await browser.open(A)).status).toBe(200);
  });

  test.each([5, -5])('that was forged opens nothing (%i)', async (at) => {
    const browser = visitor();
    await browser.logIn(A, owner);
    const jar = browser.jar(A);
    jar.set('__Host-berth-auth', forged(jar.get('__Host-berth-auth')!, at));
    expect((await browser.open(A)).status).toBe(307);
  });

  test('of the console opens nothing', async () => {
    const browser = visitor();
    browser.jar(A).set('berth_session', 'anything');
    expect((await browser.open(A)).status).toBe(307);
  });

  test('X-Forwarded-User of a client is not believed', async () => {
    const answer = await visitor().open(A, { 'x-forwarded-user': 'root', x_forwarded_user: 'root' });
    expect([answer.status, answer.user]).toEqual([307, undefined]);
  });
});

describe('the address is what the proxy says, and only that', () => {
  const ask = (headers: SentHeaders) =>
    askServiceServer(server.port, {
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'a.example.org',
      'x-forwarded-uri': '/',
      accept: 'text/html',
      ...headers,
    });
  const addressIn = (location: string): string => {
    const payload = new URL(location).searchParams.get('state')!.split('.')[0]!;
    return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { address: string }).address;
  };

  test.each([
    ['upper case', { 'x-forwarded-host': 'A.Example.ORG' }, `${A}/`],
    ['its own port', { 'x-forwarded-host': 'a.example.org:443' }, `${A}/`],
    ['another Host', { host: 'evil.test', forwarded: 'host=evil.test', 'x-original-host': 'evil.test' }, `${A}/`],
    ['a path that looks like a host', { 'x-forwarded-uri': '//evil.test/x' }, `${A}//evil.test/x`],
    ['a path with a back slash', { 'x-forwarded-uri': '/\\evil.test' }, `${A}/\\evil.test`],
    ['a path with an @', { 'x-forwarded-uri': '/@evil.test' }, `${A}/@evil.test`],
  ])('%s', async (_, headers, address) => {
    const { status, location } = await ask(headers);
    expect([status, addressIn(location)]).toEqual([307, address]);
    expect(new URL(address).host).toBe('a.example.org');
    expect(location.startsWith(`${env().publicUrl}/verify/?`)).toBe(true);
  });

  test('a closing dot is taken off first, for cookies are kept by it', async () => {
    const { status, location, cookies } = await ask({ 'x-forwarded-host': 'a.example.org.', 'x-forwarded-uri': '/x' });
    expect([status, location, cookies]).toEqual([307, `${A}/x`, []]);
  });

  test.each<[string, SentHeaders]>([
    ['two hosts', { 'x-forwarded-host': 'a.example.org, evil.test' }],
    ['two headers of a host', { 'x-forwarded-host': ['a.example.org', 'evil.test'] }],
    ['a name before the host', { 'x-forwarded-host': 'a.example.org@evil.test' }],
    ['a path in the host', { 'x-forwarded-host': 'a.example.org/evil' }],
    ['no host', { 'x-forwarded-host': undefined }],
    ['no scheme', { 'x-forwarded-proto': undefined }],
    ['another scheme', { 'x-forwarded-proto': 'javascript' }],
    ['two schemes', { 'x-forwarded-proto': 'https, http' }],
    ['an absolute address as path', { 'x-forwarded-uri': 'https://evil.test/' }],
    ['no path', { 'x-forwarded-uri': undefined }],
    ['a path with a fragment', { 'x-forwarded-uri': '/#@evil.test' }],
    ['a path with a blank', { 'x-forwarded-uri': '/a b' }],
  ])('%s: 400', async (_, headers) => {
    const { status, location, cookies } = await ask(headers);
    expect([status, location, cookies]).toEqual([400, '', []]);
  });

  test('a port that nobody allowed is not sent back to: anyone may listen there', async () => {
    const { status, location, cookies } = await ask({ 'x-forwarded-host': 'a.example.org:9999' });
    expect([status, location, cookies]).toEqual([403, '', []]);
  });

  test('a port that was allowed is where the browser comes back to', async () => {
    const { id } = await write((tx) => tx.insert(settings, { key: 'forwardAuth', value: { ports: [8443] } }));
    expect((await visitor().logIn('https://a.example.org:8443/x', owner)).location).toBe(
      'https://a.example.org:8443/x',
    );
    await write((tx) => tx.remove(settings, id));
  });

  test('one host that only begins or ends like it is unknown', async () => {
    for (const host of ['aa.example.org', 'a.example.org.evil.test', 'example.org']) {
      expect((await ask({ 'x-forwarded-host': host })).status).toBe(404);
    }
  });
});

test('whoever tries too often waits', async () => {
  const busy = await createPerson();
  const { max } = rateLimits.verifyByAccount;
  const begun = await visitor().begin(A);
  for (let count = 0; count < max; count += 1) expect((await verifyAs(busy, begun)).status).toBe(403);
  expect((await verifyAs(busy, begun)).status).toBe(429);
  expect((await verifyAs(attacker, await visitor().begin('https://evil.example.org'))).status).toBe(200);
});
