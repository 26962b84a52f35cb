import { readFile } from 'node:fs/promises';
import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { BASE_IMAGE, docker, engineIsThere, ensureBaseImage } from '../setup/docker';
import { admin, cleanHost, PASSWORD, setUp } from '../setup/journey';
import { expectAccessible, logIn, openWindow, type WatchedPage } from './browser';

/** What is in a volume, its backups and its schedule, as a person sees them, on a real engine. The steps build on each other. */
test.describe.configure({ mode: 'serial' });
test.skip(!engineIsThere(), 'needs a Docker engine');

let berth: ConsoleProcess;
let watched: WatchedPage;
let page: Page;
let pb: PocketBase;
let hostId: string;
let id: string;

test.beforeAll(async ({ browser }) => {
  await ensureBaseImage();
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'docker' } });
  pb = await setUp(berth.url);
  hostId = await eventually('the host is online', async () => {
    const [host] = await pb.collection('hosts').getFullList();
    return host?.engine?.liveLink ? host.id : undefined;
  });
  ({ id } = await pb.collection('volumes').create({ name: 'models', host: hostId }));
  await eventually('the volume is there', async () =>
    (await pb.collection('volumes').getOne(id)).status === 'created' ? true : undefined,
  );
  await inVolume(
    'mkdir -p /v/notes; echo hello > /v/notes/plain.txt; dd if=/dev/zero of=/v/weights bs=1M count=3 2>/dev/null',
  );
  watched = await openWindow(browser, berth.url);
  page = watched.page;
  await logIn(page, admin.username);
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await berth?.dispose();
  if (hostId) await cleanHost(hostId);
});

const row = (name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
const inVolume = (script: string) =>
  docker('run', '--rm', '--network=none', '-v', `berth-volume-${hostId}-${id}:/v`, BASE_IMAGE, 'sh', '-c', script);

async function picture(name: string): Promise<void> {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png` });
}

test('tells how much is in it once it is measured', async () => {
  await page.goto(`/volume/${id}`);
  await page.getByRole('button', { name: 'Measure now' }).click();
  await expect(page.getByText(/3(\.\d)? MB, measured \d+ s(econds?)? ago/)).toBeVisible();
  await picture('volume-overview');
  await expectAccessible(page);
  await page.goto('/volumes');
  await expect(page.getByRole('row', { name: /models/ })).toContainText('3 MB');
});

test('shows its files, and leads from folder to folder with the address', async () => {
  await page.goto(`/volume/${id}`);
  await page.getByRole('tab', { name: 'Files' }).click();
  await expect(row('weights')).toContainText('3 MB');
  await picture('volume-files');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'notes', exact: true }).click();
  await expect(page).toHaveURL(/tab=files&path=%2Fnotes/);
  await expect(row('plain.txt')).toContainText('6 B');
  const file = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download plain.txt' }).click();
  expect(await readFile(await (await file).path(), 'utf8')).toBe('hello\n');
});

test('makes a folder, takes a file, renames and deletes', async () => {
  await page.getByRole('button', { name: 'New folder' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('../x');
  await page.getByRole('button', { name: 'Make folder' }).click();
  await expect(page.getByText('Must be the name of a file.')).toBeVisible();
  await page.getByRole('dialog').getByLabel('Name').fill('made');
  await page.keyboard.press('Enter');
  await expect(row('made')).toBeVisible();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'up.txt', mimeType: 'text/plain', buffer: Buffer.from('up') });
  await expect(row('up.txt')).toBeVisible();
  await page.getByRole('button', { name: 'More for up.txt' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByLabel('New name').fill('/notes/made/down.txt');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Rename' }).click();
  await expect(row('up.txt').last()).toBeHidden();
  expect(await inVolume('cat /v/notes/made/down.txt')).toBe('up');
  await page.getByRole('button', { name: 'More for made' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(row('made')).toBeHidden();
  expect(await inVolume('ls /v/notes')).toBe('plain.txt');
});

test('is backed up, and comes back as it was', async () => {
  await page.goto(`/volume/${id}?tab=backups`);
  await expect(page.getByText('No backups yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Back up now' }).click();
  const list = page.getByRole('list', { name: 'Backups' });
  await expect(list.getByText('Whole')).toBeVisible();
  await inVolume('rm -rf /v/*; echo other > /v/other');
  await page.getByRole('button', { name: /^Restore the backup of/ }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Restore' });
  await expect(confirm).toBeDisabled();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('textbox').fill('models');
  await confirm.click();
  await expect(list.getByText(/^Restored/)).toBeVisible({ timeout: 20_000 });
  expect(await inVolume('cd /v; find . | sort; cat notes/plain.txt')).toBe(
    '.\n./notes\n./notes/plain.txt\n./weights\nhello',
  );
  await picture('volume-backups');
  await expectAccessible(page);
});

test('takes a schedule, and says when it is next', async () => {
  await page.getByRole('combobox', { name: 'How often' }).click();
  await page.getByRole('option', { name: 'Every week' }).click();
  await page.getByLabel('At', { exact: true }).fill('04:30');
  await page.getByLabel('Keep').fill('0');
  await page.getByRole('button', { name: 'Save schedule' }).click();
  await expect(page.getByText('Must be at least 1.')).toBeVisible();
  await page.getByLabel('Keep').fill('3');
  await page.getByRole('button', { name: 'Save schedule' }).click();
  await expect(page.getByText(/^Next backup: /)).toBeVisible();
  await expectAccessible(page);
});

test('says that its backups would go with it', async () => {
  await page.goto(`/volume/${id}?tab=delete`);
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect(page.getByRole('dialog').getByText('1 backup')).toBeVisible();
  await page.keyboard.press('Escape');
});

test('fits 390 px, and the dark', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const tab of ['backups', 'files']) {
    await page.goto(`/volume/${id}?tab=${tab}`);
    await expect(tab === 'files' ? row('weights') : page.getByText('Whole')).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await picture(`volume-${tab}-390-dark`);
    await expectAccessible(page);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('is read by who may attach it and changed by nobody else', async ({ browser }) => {
  const account = { username: 'priya', name: 'Priya Nair', email: 'priya@example.org' };
  const other = await pb.collection('users').create({ ...account, password: PASSWORD, passwordConfirm: PASSWORD });
  await pb.collection('volume_permissions').create({ user: other.id, volume: id, attach: true });
  const { page: hers, context } = await openWindow(browser, berth.url);
  await logIn(hers, 'priya');
  await hers.goto(`/volume/${id}?tab=files`);
  await expect(hers.getByRole('link', { name: 'notes', exact: true })).toBeVisible();
  await expect(hers.getByRole('button', { name: 'New folder' })).toBeHidden();
  await hers.getByRole('tab', { name: 'Backups' }).click();
  await expect(hers.getByText('Whole')).toBeVisible();
  await expect(hers.getByRole('button', { name: 'Back up now' })).toBeHidden();
  await context.close();
});
