import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventSource } from 'eventsource';
import PocketBase from 'pocketbase';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settings } from '@/lib/collections/settings';
import { users as accounts } from '@/lib/collections/users';
import { serveNode } from '@/lib/http/node-door';
import { hashPassword } from '@/lib/passwords';
import { realtimeHub } from '@/lib/realtime/hub';
import type { AnyRow } from '@/lib/records/collection';
import { write } from '@/lib/records/transaction';
import { kernel } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { startOidcServer, type OidcServer } from '../setup/oidc-server';
import { readOutbox, tokenIn } from '../setup/outbox';
import { createHost, createUser } from '../setup/world';

/** The published client against accounts, providers, administration and the collections that hosts act on. */
openPrivateDatabase();

const PASSWORD = 'Secret123!';
let server: Server;
let url: string;
let oidc: OidcServer;
let admin: AnyRow & { id: string };
let person: AnyRow & { id: string };

beforeAll(async () => {
  Object.assign(globalThis, { EventSource });
  server = createServer((request, response) => void serveNode(kernel, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  oidc = await startOidcServer();
  const passwordHash = await hashPassword(PASSWORD);
  admin = await createUser({ isAdmin: true, passwordHash });
  person = await createUser({ passwordHash });
});

afterAll(async () => {
  realtimeHub().closeAll();
  server.closeAllConnections();
  await Promise.all([new Promise((resolve) => server.close(resolve)), oidc.close()]);
});

function client(): PocketBase {
  const pb = new PocketBase(url);
  pb.autoCancellation(false);
  return pb;
}

async function newMail(send: () => Promise<unknown>): Promise<string> {
  const known = new Set(readOutbox());
  await send();
  const added = () => readOutbox().filter((mail) => !known.has(mail) && mail.includes('/confirm-'));
  await expect.poll(() => added().length).toBe(1);
  return tokenIn(added()[0]!);
}

test('verification, e-mail change and password reset', async () => {
  const pb = client();
  const users = pb.collection('users');
  await users.authWithPassword(String(person.username), PASSWORD);
  const verification = await newMail(() => users.requestVerification(String(person.email)));
  expect(await users.confirmVerification(verification)).toBe(true);
  expect(pb.authStore.model!.verified).toBe(true);
  const change = await newMail(() => users.requestEmailChange('moved@example.com'));
  expect(await users.confirmEmailChange(change, PASSWORD)).toBe(true);
  expect(pb.authStore.isValid).toBe(false);
  const reset = await newMail(() => users.requestPasswordReset('moved@example.com'));
  expect(await users.confirmPasswordReset(reset, 'Fresh456!', 'Fresh456!')).toBe(true);
  const { record } = await users.authWithPassword('moved@example.com', 'Fresh456!');
  expect(record).toMatchObject({ id: person.id, email: 'moved@example.com' });
  expect((await users.authRefresh()).record.id).toBe(person.id);
  await expect(users.confirmPasswordReset(reset, 'x', 'y')).rejects.toMatchObject({ status: 400 });
});

test('a provider by the popup, with its links', async () => {
  const value = {
    enabled: true,
    clientId: 'c',
    authUrl: `${oidc.url}/auth`,
    tokenUrl: `${oidc.url}/token`,
    userInfoUrl: `${oidc.url}/me`,
  };
  await write((tx) => tx.insert(settings, { key: 'sso', value }));
  const person = { preferred_username: 'popup', name: 'Popup', email: 'popup@example.com', email_verified: true };
  oidc.profile = { sub: '1', ...person };
  const pb = client();
  const users = pb.collection('users');
  expect((await users.listAuthMethods()).authProviders).toHaveLength(1);
  const answer = await users.authWithOAuth2({
    provider: 'oidc',
    async urlCallback(address) {
      const asked = new URL(address);
      expect(asked.searchParams.get('redirect_uri')).toBe(`${url}/api/oauth2-redirect`);
      expect(asked.searchParams.get('scope')).toBe('openid email profile');
      const back = `${asked.searchParams.get('redirect_uri')}?state=${asked.searchParams.get('state')}&code=abc`;
      expect((await fetch(back, { redirect: 'manual' })).status).toBe(307);
    },
  });
  expect(answer).toMatchObject({ record: { username: 'popup' }, meta: { isNew: true, id: '1' } });
  expect(oidc.exchanges.at(-1)!.get('code_verifier')).toHaveLength(43);
  const links = await users.listExternalAuths(answer.record.id);
  expect(links).toMatchObject([{ provider: 'oidc', providerId: '1' }]);
  await write((tx) => tx.patch(accounts, answer.record.id, { passwordHash: 'x' }));
  expect(await users.unlinkExternalAuth(answer.record.id, 'oidc')).toBe(true);
  expect(await users.listExternalAuths(answer.record.id)).toEqual([]);
});

test('administration', async () => {
  const pb = client();
  await pb.admins.authWithPassword(String(admin.email), PASSWORD);
  expect(pb.authStore.isAdmin).toBe(true);
  await pb.admins.authRefresh();
  expect((await pb.admins.getFullList()).map(({ id }) => id)).toEqual([admin.id]);
  expect((await pb.admins.getFirstListItem(pb.filter('email = {:email}', { email: admin.email }))).id).toBe(admin.id);
  expect((await pb.settings.getAll()).recordAuthToken).toEqual({ secret: '******', duration: 1_209_600 });
  expect((await pb.settings.update({ cache: { lifetime: 30 } })).cache).toEqual({ lifetime: 30 });
  expect(await pb.settings.testEmail('a@example.com', 'verification')).toBe(true);
  expect((await pb.collections.getOne('volumes')).schema.map(({ name }) => name)).toContain('path_on_host');
  expect((await pb.collections.getFullList({ sort: '-name' })).length).toBeGreaterThan(15);
  await expect(pb.collections.delete('volumes')).rejects.toMatchObject({ status: 400 });
  expect((await pb.logs.getList(1, 1, { sort: '-created' })).items).toHaveLength(1);
  expect((await pb.logs.getStats()).length).toBeGreaterThan(0);
  expect((await pb.health.check()).data.canBackup).toBe(true);
  expect((await pb.collection('users').getFullList({ filter: "email != ''" })).length).toBeGreaterThan(1);
});

test('volumes, networks, domains, files and their permissions', async () => {
  const pb = client();
  await pb.collection('users').authWithPassword(String(admin.email), PASSWORD);
  const host = await createHost({ created_by: admin.id });
  const heard: string[] = [];
  const stop = await pb.collection('volumes').subscribe('*', ({ action }) => heard.push(action));
  const volume = await pb.collection('volumes').create({ name: 'data', host: host.id }, { expand: 'host,created_by' });
  expect(volume).toMatchObject({ status: 'pending', expand: { host: { id: host.id }, created_by: { id: admin.id } } });
  await pb.collection('volume_permissions').create({ user: person.id, volume: volume.id, attach: true });
  const expand = 'volume_permissions_via_volume.user';
  expect((await pb.collection('volumes').getOne(volume.id, { expand })).expand).toMatchObject({
    volume_permissions_via_volume: [{ attach: true, expand: { user: { id: person.id } } }],
  });
  await pb.collection('networks').create({ name: 'net', host: host.id });
  await pb.collection('domains').create({ url: 'example.net', host: host.id });
  const file = await pb.collection('files').create({ name: 'notes', file: new File(['hello'], 'notes.txt') });
  const token = await pb.files.getToken();
  const opened = await fetch(pb.files.getUrl(file, String(file.file), { token, download: true }));
  expect([opened.status, await opened.text()]).toEqual([200, 'hello']);
  await pb.collection('volumes').delete(volume.id);
  expect(await pb.collection('volume_permissions').getFullList()).toEqual([]);
  await expect.poll(() => heard).toEqual(['create', 'delete']);
  await stop();
});
