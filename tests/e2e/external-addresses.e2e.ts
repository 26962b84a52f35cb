import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, localHost, setUp } from '../setup/journey';
import { logIn, openWindow, type WatchedPage } from './browser';
import { lookAt } from './forms';

/** Addresses from outside in the form of a workspace and on its overview. */
test.describe.configure({ mode: 'serial' });

let berth: ConsoleProcess;
let pb: PocketBase;
let watched: WatchedPage;
let page: Page;
let host: RecordModel;
let domain: RecordModel;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-dynamic-'));

test.beforeAll(async ({ browser }) => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  pb = await setUp(berth.url);
  host = await localHost(pb);
  await pb.collection('images').create({
    name: 'jupyter',
    creationType: 'pullAnImage',
    dockerImageName: 'jupyter:1',
    build_on: host.id,
    enabled: true,
  });
  domain = await pb.collection('domains').create({ url: 'apps.example.org', host: host.id });
  watched = await openWindow(browser, berth.url);
  page = watched.page;
  await logIn(page, admin.username);
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await page?.context().close();
  await berth?.dispose();
  fs.rmSync(folder, { recursive: true, force: true });
});

const named = (name: string) => pb.collection('workspaces').getFirstListItem(pb.filter('name = {:name}', { name }));
const section = () => page.getByRole('table', { name: 'External addresses' });
const add = () => page.getByRole('button', { name: 'Add address' });

async function pick(label: string, option: RegExp): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option }).click();
}

test('a host without a reverse proxy gives no address, and the form says what to do', async () => {
  await page.goto('/workspaces/create');
  await page.getByLabel('Name', { exact: true }).fill('lab');
  await expect(page.getByText('local has no reverse proxy, which addresses need.')).toBeVisible();
  await expect(add()).toBeDisabled();
  await expect(page.getByRole('link', { name: 'Set it up' })).toHaveAttribute(
    'href',
    `/host/${host.id}?tab=reverse-proxy`,
  );
  await add().scrollIntoViewIfNeeded();
  await lookAt(page, 'addresses-no-proxy');
});

test('an address is told what it lacks at its row', async () => {
  const reverse_proxy = {
    isAdded: true,
    type: 'traefikFileProvider',
    entryPoint: 'websecure',
    certResolver: 'le',
    configFileLocation: folder,
  };
  await pb.collection('hosts').update(host.id, { reverse_proxy });
  await page.goto('/workspaces/create');
  await page.getByLabel('Name', { exact: true }).fill('lab');
  await expect(add()).toBeEnabled();
  await add().click();
  await expect(page.getByLabel('Subdomain, row 1')).toBeFocused();
  await page.getByLabel('Subdomain, row 1').fill('lab');
  await page.getByLabel('Port, row 1').fill('70000');
  await page.getByRole('button', { name: 'Create, start later' }).click();
  await expect(page.getByText('Port must be between 1 and 65535', { exact: true })).toBeVisible();
  await expect(page.getByText('This field is required.').first()).toBeVisible();
  await page.getByLabel('Port, row 1').fill('8080');
  await page.getByRole('button', { name: 'Domain, row 1' }).click();
  await page.getByRole('option', { name: 'apps.example.org' }).click();
  await expect(section()).toContainText('Whoever has a login permission for this workspace may come in');
  await pick('Who may come in, row 1', /password/);
  await page.getByRole('button', { name: 'Create, start later' }).click();
  await expect(page.getByText('Please add at least one.')).toBeVisible();
  await page.getByRole('button', { name: 'Add user' }).click();
  await page.getByLabel('Name, user 1 of row 1').fill('ada');
  await page.getByLabel('Password, user 1 of row 1').fill('open sesame');
  await add().click();
  await page.getByLabel('Subdomain, row 2').fill('lab');
  await page.getByLabel('Port, row 2').fill('8080');
  await page.getByRole('button', { name: 'Domain, row 2' }).click();
  await page.getByRole('option', { name: 'apps.example.org' }).click();
  await page.getByRole('button', { name: 'Create, start later' }).click();
  await expect(page.getByText('This address is there twice.')).toBeVisible();
  await add().scrollIntoViewIfNeeded();
  await lookAt(page, 'addresses-form');
  await page.getByLabel('Subdomain, row 2').fill('open');
  await pick('Who may come in, row 2', /anyone/);
  await page.getByRole('button', { name: 'Create and start' }).click();
  await page.waitForURL(/\/workspace\//);
  const stored = await named('lab');
  expect(stored.externalUrls).toMatchObject([
    { scheme: 'https', subdomain: 'lab', domain: domain.id, port: 8080, users: [{ username: 'ada', password: '' }] },
    { subdomain: 'open', authentication: 'none', users: [] },
  ]);
});

test('the overview has the addresses as links', async () => {
  const link = page.getByRole('link', { name: 'https://lab.apps.example.org' });
  await expect(link).toHaveAttribute('href', 'https://lab.apps.example.org');
  await expect(link).toHaveAttribute('target', '_blank');
  await expect.poll(async () => (await named('lab')).status as string, { timeout: 20_000 }).toBe('running');
  await expect(page.getByText('not reached: the workspace does not run')).toHaveCount(0);
  await page.getByRole('button', { name: 'Copy the address' }).first().click();
  await lookAt(page, 'addresses-overview');
  const text = fs.readFileSync(path.join(folder, `berth-${(await named('lab')).id}.yml`), 'utf8');
  expect(text).toContain('Host(`lab.apps.example.org`)');
  expect(text).toMatch(/ada:\$2b\$10\$/);
});

test('a stored password is kept, and what is saved reaches the proxy with nothing made anew', async () => {
  const before = await named('lab');
  await page.goto(`/workspace/${before.id}?tab=settings`);
  await expect(page.getByText('kept, never shown again')).toBeVisible();
  await page.getByLabel('Port, row 2').fill('9090');
  await page.getByRole('button', { name: 'Save' }).click();
  const file = path.join(folder, `berth-${before.id}.yml`);
  await expect.poll(() => fs.readFileSync(file, 'utf8'), { timeout: 20_000 }).toContain(':9090');
  expect(fs.readFileSync(file, 'utf8')).toMatch(/ada:\$2b\$10\$/);
  const after = await named('lab');
  expect([after.containerId, after.generation]).toEqual([before.containerId, before.generation]);
});

test('an address that another workspace has is refused at its row', async () => {
  await page.goto('/workspaces/create');
  await page.getByLabel('Name', { exact: true }).fill('second');
  await expect(add()).toBeEnabled();
  await add().click();
  await page.getByLabel('Subdomain, row 1').fill('lab');
  await page.getByLabel('Port, row 1').fill('80');
  await page.getByRole('button', { name: 'Domain, row 1' }).click();
  await page.getByRole('option', { name: 'apps.example.org' }).click();
  await page.getByRole('button', { name: 'Create, start later' }).click();
  await expect(page.getByText('The address is taken by lab.')).toBeVisible();
  await expect(page.getByLabel('Subdomain, row 1')).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('button', { name: 'Remove address, row 1' }).click();
  await expect(page.getByLabel('Subdomain, row 1')).toHaveCount(0);
});
