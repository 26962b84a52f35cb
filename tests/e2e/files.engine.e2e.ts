import { readFile } from 'node:fs/promises';
import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { BASE_IMAGE, docker, engineIsThere, ensureBaseImage } from '../setup/docker';
import { admin, buildImage, cleanHost, containersOf, PASSWORD, reaches, request, setUp } from '../setup/journey';
import { expectAccessible, logIn, openWindow, type WatchedPage } from './browser';

/** The files of a workspace, what it uses and what it listens on, as a person sees them, on a real engine. The steps build on each other. */
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
  const make = `mkdir -p /srv/notes && echo hello > /srv/notes/plain.txt && echo '<script>document.title = "EVIL"</script>' > /srv/notes/page.html`;
  const dockerfile = `FROM ${BASE_IMAGE}\nSTOPSIGNAL SIGKILL\nRUN ${make}\nCMD ["sh", "-c", "httpd -p 8080; exec sleep 3600"]\n`;
  const image = await buildImage(pb, hostId, { name: 'filed', dockerfile });
  ({ id } = await pb.collection('workspaces').create({ name: 'filed', host: hostId, image: image.id, enabled: true }));
  await request(pb, 'workspace', id, 'start');
  await reaches(pb, { collection: 'workspaces', id, status: 'running' });
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

async function picture(name: string): Promise<void> {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png` });
}

async function inContainer(...command: string[]): Promise<string> {
  const [containerId = ''] = await containersOf(id);
  return docker('exec', containerId, ...command);
}

test('is reached from the workspace, and leads from folder to folder with the address', async () => {
  await page.goto(`/workspace/${id}`);
  await page.getByRole('button', { name: 'More actions' }).first().click();
  await page.getByRole('menuitem', { name: 'Files' }).click();
  await expect(page).toHaveURL(new RegExp(`/workspace/${id}/files/?\\?path=%2F$`));
  await page.getByRole('link', { name: 'srv', exact: true }).click();
  await page.getByRole('link', { name: 'notes', exact: true }).click();
  await expect(page).toHaveURL(/files\/?\?path=%2Fsrv%2Fnotes/);
  await expect(row('plain.txt')).toContainText('6 B');
  await picture('files-light');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'srv', exact: true }).click();
  await expect(row('notes')).toBeVisible();
  await page.goBack();
  await expect(row('plain.txt')).toBeVisible();
  await page.reload();
  await expect(row('plain.txt')).toBeVisible();
});

test('moves by keys, and Enter opens', async () => {
  await page.goto(`/workspace/${id}/files?path=/srv`);
  await expect(row('notes')).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/path=%2Fsrv%2Fnotes/);
});

test('downloads a file as it is, and a folder as a tar', async () => {
  await expect(row('page.html')).toBeVisible();
  const file = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download page.html' }).click();
  const saved = await file;
  expect(saved.suggestedFilename()).toBe('page.html');
  expect(await readFile(await saved.path(), 'utf8')).toContain('EVIL');
  const folder = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download as tar' }).click();
  expect((await folder).suggestedFilename()).toBe('notes.tar');
  expect(await page.title()).not.toContain('EVIL');
});

test('uploads what is picked, and asks before it replaces', async () => {
  const picker = page.locator('input[type=file]');
  await picker.setInputFiles([
    { name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('one') },
    { name: 'grüße.txt', mimeType: 'text/plain', buffer: Buffer.from('two') },
  ]);
  await expect(page.getByText('Now in /srv/notes')).toHaveCount(2);
  await expect(row('grüße.txt')).toBeVisible();
  expect(await inContainer('cat', '/srv/notes/grüße.txt')).toBe('two');
  await picker.setInputFiles({ name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('three') });
  await expect(page.getByText('There is a file of this name')).toBeVisible();
  await expectAccessible(page);
  expect(await inContainer('cat', '/srv/notes/one.txt')).toBe('one');
  await page.getByRole('button', { name: 'Replace it' }).click();
  await expect(page.getByText('Now in /srv/notes')).toHaveCount(1);
  expect(await inContainer('cat', '/srv/notes/one.txt')).toBe('three');
});

test('cancels an upload that is under way, which leaves nothing', async () => {
  const network = await page.context().newCDPSession(page);
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 200_000 };
  await network.send('Network.emulateNetworkConditions', slow);
  await page.locator('input[type=file]').setInputFiles({
    name: 'slow.bin',
    mimeType: 'application/octet-stream',
    buffer: Buffer.alloc(8_000_000),
  });
  await expect(page.getByRole('progressbar', { name: 'Upload of slow.bin' })).toBeVisible();
  await page.getByRole('link', { name: 'Images' }).first().click();
  await expect(page.getByRole('dialog')).toContainText('Files are being uploaded.');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Cancel the upload of slow.bin' }).click();
  await expect(page.getByRole('progressbar')).toBeHidden();
  await network.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 });
  expect(await inContainer('ls', '/srv/notes')).not.toContain('slow.bin');
});

test('takes files that are dropped', async () => {
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['dropped'], 'dropped.txt'));
    return transfer;
  });
  const crumbs = page.getByRole('navigation', { name: 'Folders' });
  await crumbs.dispatchEvent('dragover', { dataTransfer: data });
  await crumbs.dispatchEvent('drop', { dataTransfer: data });
  await expect(row('dropped.txt')).toBeVisible();
  expect(await inContainer('cat', '/srv/notes/dropped.txt')).toBe('dropped');
});

test('says what is not there, and what is a file', async () => {
  await page.goto(`/workspace/${id}/files?path=/srv/nowhere`);
  await expect(page.getByRole('heading', { name: 'There is no /srv/nowhere' })).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/workspace/${id}/files?path=/srv/notes/plain.txt`);
  await expect(page.getByRole('heading', { name: 'plain.txt' })).toBeVisible();
});

test('fits 390 px, and the dark', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`/workspace/${id}/files?path=/srv/notes`);
  await expect(row('plain.txt')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await picture('files-390-dark');
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('shows what it uses, as charts and as a table', async () => {
  await page.goto(`/workspace/${id}`);
  const usage = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Usage' }) });
  // The second measure, ten seconds after the first one, is the first that tells.
  await expect(usage.getByRole('img', { name: /^Memory, 10 minutes: now .* at most/ })).toBeVisible({
    timeout: 40_000,
  });
  await expect(usage.getByRole('img', { name: /^Processor, 10 minutes: now [\d.]+ cores/ })).toBeVisible();
  await usage.getByText('As a table').click();
  await expect(usage.getByRole('columnheader', { name: 'Received' })).toBeVisible();
  await usage.getByText('24 hours').click();
  await expect(usage.getByRole('img', { name: /^Memory, 24 hours/ })).toBeVisible();
  await picture('usage-light');
  await expectAccessible(page);
});

test('offers a port that is listened on, which a redeploy publishes', async () => {
  await page.getByRole('button', { name: 'Publish port 8080' }).click();
  await expect(page.getByText('from the next redeploy on')).toBeVisible();
  const { portMappings } = await pb.collection('workspaces').getOne(id);
  expect(portMappings).toMatchObject([{ containerPort: 8080, protocol: 'tcp' }]);
  await request(pb, 'workspace', id, 'redeploy');
  await expect(page.getByRole('link', { name: 'Open port 8080' }).last()).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('from the next redeploy on')).toBeHidden();
  await picture('ports-light');
  await expectAccessible(page);
});

test('works while the workspace is down, and says so', async () => {
  await request(pb, 'workspace', id, 'stop');
  await reaches(pb, { collection: 'workspaces', id, status: 'stopped' });
  await page.goto(`/workspace/${id}/files?path=/srv/notes`);
  await expect(page.getByText('The workspace does not run.')).toBeVisible();
  await expect(row('plain.txt')).toContainText('6 B');
});

test('is not for who may only look', async ({ browser }) => {
  const account = { username: 'priya', name: 'Priya Nair', email: 'priya@example.org' };
  const secret = { password: PASSWORD, passwordConfirm: PASSWORD };
  const other = await pb.collection('users').create({ ...account, ...secret });
  await pb.collection('workspace_permissions').create({ user: other.id, workspace: id, view: true });
  const { page: hers, context } = await openWindow(browser, berth.url);
  await logIn(hers, 'priya');
  await hers.goto(`/workspace/${id}/files`);
  await expect(hers.getByRole('heading', { name: 'No files for you here' })).toBeVisible();
  await expectAccessible(hers);
  await context.close();
});
