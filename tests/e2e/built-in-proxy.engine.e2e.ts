import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { engineIsThere } from '../setup/docker';
import { startAgent, type JoinedAgent } from '../setup/joined-agent';
import { admin, cleanHost, localHost, PASSWORD, reaches, request, setUp } from '../setup/journey';
import { startLab } from '../setup/lab';
import { expectAccessible, logIn, openWindow, type WatchedPage } from './browser';
import { lookAt } from './forms';

/** A port of a workspace in a browser, at an address that works by itself. The steps build on each other. */
test.describe.configure({ mode: 'serial' });
test.skip(!engineIsThere(), 'needs a Docker engine');

let berth: ConsoleProcess;
let agent: JoinedAgent;
let pb: PocketBase;
let hostId: string;
let lab: RecordModel;
let guest: RecordModel;
let office: WatchedPage;
let visitor: WatchedPage;
let app: string;
let opened: Page;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000);
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off' } });
  pb = await setUp(berth.url);
  agent = await startAgent(berth.url, { pb, name: 'local' });
  hostId = (await localHost(pb)).id;
  lab = await startLab(pb, hostId);
  app = `http://8888--${lab.id}.localhost:${berth.port}`;
  const person = { username: 'nora', name: 'Nora Berg', email: 'nora@example.org', verified: true };
  guest = await pb.collection('users').create({ ...person, password: PASSWORD, passwordConfirm: PASSWORD });
  office = await openWindow(browser, `http://localhost:${berth.port}`);
  visitor = await openWindow(browser, `http://localhost:${berth.port}`);
  await logIn(office.page, admin.username);
});

test.afterEach(() => office.expectQuiet());

test.afterAll(async () => {
  await office?.page.context().close();
  await visitor?.page.context().close();
  await agent?.dispose();
  await berth?.dispose();
  if (hostId) await cleanHost(hostId);
});

test('opens from the workspace’s page, with WebSocket, events and upload', async () => {
  const { page } = office;
  await page.goto(`/workspace/${lab.id}`);
  const link = page.getByRole('link', { name: 'Open port 8888', exact: true });
  await expect(link).toHaveAttribute('href', app);
  await lookAt(page, 'built-in-proxy-ports');
  await expectAccessible(page);
  const popup = page.waitForEvent('popup');
  await link.click();
  opened = await popup;
  await expect(opened.getByRole('heading', { name: 'The lab' })).toBeVisible();
  expect(opened.url()).toBe(`${app}/`);
  await expect(opened.locator('#ws')).toHaveText('echo hello');
  await expect(opened.locator('#sse')).toHaveText(/event \d+/);
  await opened
    .getByLabel('upload')
    .setInputFiles({ name: 'data.bin', mimeType: 'x/y', buffer: Buffer.alloc(8_000_000) });
  await expect(opened.locator('#up')).toHaveText(/^took 8000000 /);
  expect(await opened.evaluate(() => document.cookie)).toBe('');
});

test('any port opens by its number, and one that is silent says so', async () => {
  const { page } = office;
  await page.getByLabel('Another port').fill('9999');
  const popup = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Open another port' }).click();
  const silent = await popup;
  await expect(silent.getByRole('heading', { name: 'Nothing answers at port 9999' })).toBeVisible();
  await expect(silent.getByText('The workspace listens at 8888.')).toBeVisible();
  await lookAt(silent, 'built-in-proxy-silent');
  await expectAccessible(silent);
  await silent.close();
});

test('a stranger logs in, and is let in once they may', async () => {
  const { page } = visitor;
  await page.goto(app);
  await expect(page).toHaveURL(/\/login\?redirect=/);
  await page.getByRole('textbox', { name: 'E-mail' }).fill('nora');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByText('You are not authorized to access the workspace!')).toBeVisible();
  await pb.collection('workspace_permissions').create({ user: guest.id, workspace: lab.id, view: true, attach: true });
  await page.goto(app);
  await expect(page.locator('#ws')).toHaveText('echo hello');
  expect(page.url()).toBe(`${app}/`);
});

test('a level that is lowered ends what is open', async () => {
  const { page } = office;
  await page.getByRole('button', { name: 'Who may open port 8888: People with access' }).click();
  await lookAt(page, 'built-in-proxy-levels');
  await page.getByRole('menuitem', { name: 'Owner and admins' }).click();
  await expect(page.getByRole('button', { name: 'Who may open port 8888: Owner and admins' })).toBeVisible();
  await expect(visitor.page.locator('#ws')).toHaveText('closed');
  await expect(opened.locator('#ws')).toHaveText('echo hello');
});

test('a public port opens to anyone', async ({ browser }) => {
  const { page } = office;
  await page.getByRole('button', { name: /^Who may open port 8888/ }).click();
  await page.getByRole('menuitem', { name: 'Anyone, for 7 days' }).click();
  await expect(page.getByRole('button', { name: /Who may open port 8888: Anyone until/ })).toBeVisible();
  const stranger = await openWindow(browser, app);
  await stranger.page.goto(app);
  await expect(stranger.page.locator('#ws')).toHaveText('echo hello');
  await stranger.page.context().close();
});

test('a workspace that sleeps is started from its own address', async () => {
  await request(pb, 'workspace', lab.id, 'stop');
  await reaches(pb, { collection: 'workspaces', id: lab.id, status: 'stopped' });
  await opened.goto(`${app}/told`);
  await expect(opened.getByRole('heading', { name: /“lab” does not run/ })).toBeVisible();
  await lookAt(opened, 'built-in-proxy-asleep');
  await expectAccessible(opened);
  await opened.getByRole('button', { name: 'Start the workspace' }).click();
  await expect(opened.getByRole('heading', { name: 'The lab' })).toBeVisible({ timeout: 40_000 });
});

test('who may only look on sees no menu', async () => {
  const { page } = visitor;
  await page.goto(`/workspace/${lab.id}`);
  await expect(page.getByRole('link', { name: 'Open port 8888', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Who may open port/ })).toHaveCount(0);
  await lookAt(page, 'built-in-proxy-member');
});
