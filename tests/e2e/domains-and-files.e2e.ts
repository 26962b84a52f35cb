import fs from 'node:fs';
import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, localHost, PASSWORD, setUp } from '../setup/journey';
import { fileProxy } from '../setup/file-proxy';
import { logIn, openWindow, type WatchedPage } from './browser';
import { lookAt } from './forms';

/** Domains, which admins make, and the archive of files, which everybody has. */
test.describe.configure({ mode: 'serial' });

let berth: ConsoleProcess;
let pb: PocketBase;
let watched: WatchedPage;
let page: Page;
let theirs: WatchedPage;
let host: RecordModel;
let nora: RecordModel;

test.beforeAll(async ({ browser }) => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  pb = await setUp(berth.url);
  host = await localHost(pb);
  const person = { username: 'nora', email: 'nora@example.org', name: 'Nora Berg', verified: true };
  nora = await pb.collection('users').create({ ...person, password: PASSWORD, passwordConfirm: PASSWORD });
  watched = await openWindow(browser, berth.url);
  page = watched.page;
  await logIn(page, admin.username);
  theirs = await openWindow(browser, berth.url);
  await logIn(theirs.page, 'nora');
});

test.afterEach(() => {
  watched.expectQuiet();
  theirs.expectQuiet();
});

test.afterAll(async () => {
  await page?.context().close();
  await theirs?.page.context().close();
  await berth?.dispose();
});

const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });

test('an admin makes a domain', async () => {
  await page.goto('/domains');
  await expect(page.getByRole('heading', { name: 'No domains yet' })).toBeVisible();
  await lookAt(page, 'domains-empty');
  await page.getByRole('link', { name: 'New domain' }).first().click();
  await page.getByLabel('Domain', { exact: true }).fill('not a domain');
  await page.getByRole('button', { name: 'Create domain' }).click();
  await expect(page.getByText('Please enter a valid domain.').first()).toBeVisible();
  await page.getByLabel('Domain', { exact: true }).fill('Apps.Example.org');
  await page.getByRole('combobox', { name: 'Host' }).click();
  await page.getByRole('option', { name: /local/ }).click();
  await lookAt(page, 'domain-create');
  await page.getByRole('button', { name: 'Create domain' }).click();
  await page.waitForURL(/\/domain\//);
  const nav = page.getByRole('navigation', { name: 'Breadcrumbs' });
  await expect(nav).toContainText('apps.example.org');
  await lookAt(page, 'domain');
  expect(await pb.collection('domains').getFirstListItem('')).toMatchObject({ url: 'apps.example.org', host: host.id });
});

test('the same domain is refused at its field', async () => {
  await page.goto('/domains/create');
  await page.getByLabel('Domain', { exact: true }).fill('apps.example.org');
  await page.getByRole('button', { name: 'Create domain' }).click();
  await expect(page.getByText('This domain is there already.').first()).toBeVisible();
});

test('it is seen on its host, and stays while a workspace has an address under it', async () => {
  const domain = await pb.collection('domains').getFirstListItem('');
  await pb.collection('hosts').update(host.id, { reverse_proxy: fileProxy });
  const image = await pb.collection('images').create({
    name: 'nginx',
    creationType: 'pullAnImage',
    dockerImageName: 'nginx:1',
    build_on: host.id,
  });
  const workspace = await pb.collection('workspaces').create({
    name: 'site',
    host: host.id,
    image: image.id,
    externalUrls: [
      { scheme: 'https', subdomain: 'www', domain: domain.id, port: 80, authentication: 'none', users: [] },
    ],
  });
  await page.goto(`/host/${host.id}?tab=domains`);
  await page.getByRole('link', { name: 'apps.example.org' }).click();
  await expect(page.getByRole('link', { name: 'site' })).toBeVisible();
  await expect(page.getByText('https://www.apps.example.org')).toBeVisible();
  await page.getByRole('tab', { name: 'Delete' }).click();
  await expect(page.getByText('A domain that a workspace has an address under can’t be deleted.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete domain' })).toHaveCount(0);
  await expect(pb.collection('domains').delete(domain.id)).rejects.toMatchObject({ status: 400 });
  await pb.collection('workspaces').update(workspace.id, { externalUrls: [] });
  await expect(page.getByRole('button', { name: 'Delete domain' })).toBeVisible();
});

test('others see a domain once it is shared, and make none', async () => {
  await theirs.page.goto('/domains/create');
  await theirs.page.waitForURL(/\/domains$/);
  await expect(theirs.page.getByText('None is open to you: ask an admin.')).toBeVisible();
  await expect(theirs.page.getByRole('link', { name: 'New domain' })).toHaveCount(0);
  const domain = await pb.collection('domains').getFirstListItem('');
  await pb.collection('domain_permissions').create({ user: nora.id, domain: domain.id, deploy: true });
  await theirs.page.goto(`/domain/${domain.id}`);
  await expect(theirs.page.getByRole('tab')).toHaveText(['Overview', 'Basic information']);
  await theirs.page.getByRole('tab', { name: 'Basic information' }).click();
  await expect(theirs.page.getByLabel('Domain', { exact: true })).toBeDisabled();
});

test('a domain is renamed and deleted by its name', async () => {
  const domain = await pb.collection('domains').getFirstListItem('');
  await page.goto(`/domain/${domain.id}?tab=basic-information`);
  await page.getByLabel('Domain', { exact: true }).fill('lab.example.org');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('lab.example.org is saved').first()).toBeVisible();
  await page.getByRole('tab', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete domain' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('lab.example.org');
  await dialog.getByRole('button', { name: /^Delete/ }).click();
  await page.waitForURL(/\/domains$/);
  await expect(page.getByRole('heading', { name: 'No domains yet' })).toBeVisible();
});

test('a file is uploaded, looked at and downloaded', async () => {
  await page.goto('/files');
  await expect(page.getByRole('heading', { name: 'No files yet' })).toBeVisible();
  await lookAt(page, 'files-empty');
  await page.getByRole('link', { name: 'New file' }).first().click();
  await page.getByRole('button', { name: 'Create file' }).click();
  await expect(page.getByText('Please upload a file.').first()).toBeVisible();
  const large = { name: 'large.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(5_242_881) };
  await page.getByLabel('File', { exact: true }).setInputFiles(large);
  await page.getByRole('button', { name: 'Create file' }).click();
  await expect(page.getByText('The file is larger than 5 MB.').first()).toBeVisible();
  const script = { name: 'setup.sh', mimeType: 'text/plain', buffer: Buffer.from('echo <b>hello</b>\n') };
  await page.getByLabel('File', { exact: true }).setInputFiles(script);
  await page.getByLabel('Name', { exact: true }).fill('setup.sh');
  await lookAt(page, 'file-create');
  await page.getByRole('button', { name: 'Create file' }).click();
  await page.waitForURL(/\/file\//);
  await expect(page.getByRole('region', { name: 'Preview' })).toHaveText('echo <b>hello</b>\n');
  await lookAt(page, 'file');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(fs.readFileSync(await download.path(), 'utf8')).toBe('echo <b>hello</b>\n');
});

test('it is replaced by a picture, which is shown', async () => {
  await page.getByRole('tab', { name: 'Basic information' }).click();
  const png = await page.screenshot({ clip: { x: 0, y: 0, width: 64, height: 48 } });
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('setup.sh is saved').first()).toBeVisible();
  await page.getByRole('tab', { name: 'Overview' }).click();
  const picture = page.getByRole('img', { name: 'setup.sh' });
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  await expect(page.getByText('image/png')).toBeVisible();
});

test('a file of a name that is there is refused, an external one has an address', async () => {
  await theirs.page.goto('/files/create');
  await theirs.page.getByRole('radio', { name: 'External' }).check();
  await theirs.page.getByLabel('Address').fill('example.org/data');
  await theirs.page.getByLabel('Name', { exact: true }).fill('setup.sh');
  await theirs.page.getByRole('button', { name: 'Create file' }).click();
  await expect(theirs.page.getByText('Please enter a valid url.').first()).toBeVisible();
  await theirs.page.getByLabel('Address').fill('https://example.org/data');
  await theirs.page.getByRole('button', { name: 'Create file' }).click();
  await expect(theirs.page.getByText('This name is already taken by another file.').first()).toBeVisible();
  await theirs.page.getByLabel('Name', { exact: true }).fill('data');
  await theirs.page.getByRole('button', { name: 'Create file' }).click();
  await theirs.page.waitForURL(/\/file\//);
  await expect(theirs.page.getByText('https://example.org/data')).toBeVisible();
  await expect(theirs.page.getByRole('button', { name: 'Download' })).toHaveCount(0);
});

test('a file stays while an image uses it; others don’t see it', async () => {
  const file = await pb.collection('files').getFirstListItem('name = "setup.sh"');
  const image = await pb.collection('images').create({
    name: 'tools',
    creationType: 'writeDockerfile',
    dockerfile: 'FROM debian:12\n',
    build_on: host.id,
    files: [file.id],
    filePaths: { [file.id]: '/opt/logo.png' },
  });
  await page.goto(`/file/${file.id}`);
  await expect(page.getByText('/opt/logo.png')).toBeVisible();
  await page.getByRole('tab', { name: 'Delete' }).click();
  await expect(page.getByText('A file that an image uses can’t be deleted.')).toBeVisible();
  await theirs.page.goto('/files');
  await expect(theirs.page.getByRole('row', { name: /data/ })).toBeVisible();
  await expect(theirs.page.getByRole('row', { name: /setup/ })).toHaveCount(0);
  const answer = await theirs.page.goto(`/file/${file.id}`);
  expect(answer?.ok()).toBe(true);
  await expect(theirs.page.getByRole('heading', { level: 1 })).not.toHaveText('setup.sh');
  await pb.collection('images').update(image.id, { files: [] });
  await page.getByRole('button', { name: 'Delete file' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('setup.sh');
  await dialog.getByRole('button', { name: /^Delete/ }).click();
  await page.waitForURL(/\/files$/);
  await expect(row('data')).toBeVisible();
});

test('both are found from everywhere', async () => {
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByPlaceholder('Search or run a command').fill('data');
  await page.getByRole('option', { name: /data/ }).click();
  await page.waitForURL(/\/file\//);
});
