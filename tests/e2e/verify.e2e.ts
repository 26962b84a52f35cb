import { expect, test } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { freePort, startConsole, type ConsoleProcess } from '../setup/console-process';
import { fileProxy } from '../setup/file-proxy';
import { startForwardingProxy, type ForwardingProxy } from '../setup/forwarding-proxy';
import { admin, localHost, PASSWORD, setUp } from '../setup/journey';
import { expectAccessible, logIn, openWindow, type WatchedPage } from './browser';
import { lookAt } from './forms';

/** The way into a protected address by way of a proxy, and who is shown the door. The steps build on each other. */
test.describe.configure({ mode: 'serial' });

let berth: ConsoleProcess;
let proxy: ForwardingProxy;
let pb: PocketBase;
let workspace: RecordModel;
let office: WatchedPage;
let guest: WatchedPage;
const people = new Map<string, RecordModel>();
const APP = 'app.workspaces.localhost';
const address = (path = '/') => `http://${APP}:${proxy.port}${path}`;

test.beforeAll(async ({ browser }) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  berth = await startConsole({ port, env: { BERTH_LOCAL_AGENT: 'simulated', BERTH_PUBLIC_URL: url } });
  proxy = await startForwardingProxy(`${url}/api/forward-auth`);
  pb = await setUp(url);
  for (const [username, name] of [
    ['nora', 'Nora Berg'],
    ['olaf', 'Olaf Lund'],
  ]) {
    const person = { username, name, email: `${username}@example.org`, verified: true };
    const made = { ...person, password: PASSWORD, passwordConfirm: PASSWORD };
    people.set(username!, await pb.collection('users').create(made));
  }
  const host = await localHost(pb);
  await pb.collection('hosts').update(host.id, { reverse_proxy: fileProxy });
  const image = await pb.collection('images').create({
    name: 'notebook',
    creationType: 'pullAnImage',
    dockerImageName: 'docker.io/library/postgres:17',
    build_on: host.id,
    enabled: true,
  });
  const domain = await pb.collection('domains').create({ url: 'workspaces.localhost' });
  const internal = { scheme: 'http', subdomain: 'app', domain: domain.id, port: 80, authentication: 'internal' };
  workspace = await pb
    .collection('workspaces')
    .create({ name: 'lab', host: host.id, image: image.id, externalUrls: [internal] });
  office = await openWindow(browser, url);
  guest = await openWindow(browser, url);
  await logIn(office.page, admin.username);
});

test.afterEach(() => {
  office.expectQuiet();
  guest.expectQuiet();
});

test.afterAll(async () => {
  await office?.page.context().close();
  await guest?.page.context().close();
  await proxy?.close();
  await berth?.dispose();
});

test('an admin names the port that the proxy listens at', async () => {
  const { page } = office;
  await page.goto('/settings?tab=forward-auth');
  await page.getByLabel('Ports').fill('99999');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Port must be between 1 and 65535').first()).toBeVisible();
  await page.getByLabel('Ports').fill(`8443, ${proxy.port}`);
  await page.getByRole('button', { name: 'Add server' }).click();
  await lookAt(page, 'settings-forward-auth');
  await page.getByRole('button', { name: 'Remove server 1' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Forward authentication is saved').first()).toBeVisible();
  const { value } = await pb.collection('settings').getFirstListItem('key = "forwardAuth"');
  expect(value).toMatchObject({ ports: [8443, proxy.port], entries: [], lifetime: 3600 });
});

test('the settings say what proxies are given', async () => {
  const { page } = office;
  await page.goto('/settings?tab=service-server');
  const given = page.getByRole('textbox', { name: 'What proxies are given' });
  await expect(given).toHaveValue(`${berth.url}/api/forward-auth`);
  await page.getByLabel('Endpoint URL').fill('nope');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter an address that begins with https:// or http://.').first()).toBeVisible();
  await page.getByLabel('Endpoint URL').fill('http://berth:3000/');
  await expect(given).toHaveValue('http://berth:3000/api/forward-auth');
  await lookAt(page, 'settings-service-server');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Service server is saved').first()).toBeVisible();
});

test('the owner lets somebody in', async () => {
  const { page } = office;
  await page.goto(`/workspace/${workspace.id}?tab=log-ins`);
  await expect(page.getByRole('heading', { name: `http://${APP}` })).toBeVisible();
  await page.getByRole('button', { name: 'Add people or groups' }).click();
  await page.getByRole('option', { name: /Nora Berg/ }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Nora Berg' })).toBeVisible();
  await lookAt(page, 'workspace-log-ins');
  const { items } = await pb.collection('workspace_login_permissions').getList(1, 10);
  expect(items).toMatchObject([{ user: people.get('nora')!.id, url: `http://${APP}` }]);
});

test('a guest logs in, and is where they wanted to be', async () => {
  const { page } = guest;
  await page.goto(address('/notes?page=2&user=mine'));
  await page.waitForURL(/\/login\?redirect=/);
  await page.getByRole('textbox', { name: 'E-mail' }).fill('nora');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Hello nora' })).toBeVisible();
  expect(page.url()).toBe(address('/notes?page=2&user=mine'));
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Hello nora' })).toBeVisible();
  const cookies = await page.context().cookies(address());
  expect(cookies.map(({ name, domain, httpOnly, sameSite }) => [name, domain, httpOnly, sameSite])).toEqual([
    ['berth-auth', APP, true, 'Lax'],
  ]);
});

test('whoever is logged in at the console is asked nothing', async ({ browser }) => {
  const other = await openWindow(browser, berth.url);
  await logIn(other.page, 'nora');
  await other.page.goto(address('/x'));
  await expect(other.page.getByRole('heading', { name: 'Hello nora' })).toBeVisible();
  await other.context.close();
});

test('somebody else is told so', async ({ browser }) => {
  const other = await openWindow(browser, berth.url);
  await logIn(other.page, 'olaf');
  await other.page.goto(address());
  const denied = other.page.getByRole('heading', { name: 'You are not authorized to access the workspace!' });
  await expect(denied).toBeVisible();
  await expect(denied).toBeFocused();
  await lookAt(other.page, 'verify-denied');
  await other.context.close();
});

test('an address that is none of this says no more', async () => {
  const { page } = office;
  await page.goto('/verify/?state=wrong&csrf_token=wrong');
  await expect(page.getByRole('heading', { name: 'Opening the workspace' })).toBeVisible();
  await expect(page.getByText('If nothing happens')).toBeVisible();
  await expectAccessible(page);
  await page.goto('/verify/?state=wrong');
  await page.waitForURL((url) => url.pathname === '/workspaces' || url.pathname === '/');
});

test('what the owner takes back ends with the next request', async () => {
  await office.page.goto(`/workspace/${workspace.id}?tab=log-ins`);
  await office.page.getByRole('button', { name: 'Remove Nora Berg' }).click();
  await expect(office.page.getByRole('listitem').filter({ hasText: 'Nora Berg' })).toHaveCount(0);
  await guest.page.reload();
  const denied = guest.page.getByRole('heading', { name: 'You are not authorized to access the workspace!' });
  await expect(denied).toBeVisible();
  expect(new URL(guest.page.url()).origin).toBe(berth.url);
});

test('a group lets its members in, for as long as they are members', async () => {
  const group = await pb.collection('groups').create({ name: 'Course A' });
  const membership = { group: group.id, user: people.get('nora')!.id };
  const { id } = await pb.collection('group_members').create(membership);
  await office.page.getByRole('button', { name: 'Add people or groups' }).click();
  await office.page.getByRole('option', { name: /Course A/ }).click();
  await expect(office.page.getByRole('listitem').filter({ hasText: 'Course A' })).toBeVisible();
  await lookAt(office.page, 'workspace-log-ins-group');
  await guest.page.goto(address());
  await expect(guest.page.getByRole('heading', { name: 'Hello nora' })).toBeVisible();
  await pb.collection('group_members').delete(id);
  await guest.page.goto(address());
  await expect(guest.page.getByRole('heading', { name: /not authorized/ })).toBeVisible();
});
