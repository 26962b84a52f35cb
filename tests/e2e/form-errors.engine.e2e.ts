import net from 'node:net';
import { expect, test, type Locator, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { engineIsThere, ensureBaseImage } from '../setup/docker';
import { admin, buildImage, cleanHost, localHost, setUp } from '../setup/journey';
import { logIn, openWindow, type WatchedPage } from './browser';
import { lookAt, writeDockerfile } from './forms';

/** Whatever is refused is said once, in words that help, where it can be seen. */
test.describe.configure({ mode: 'serial' });
test.skip(!engineIsThere(), 'needs a Docker engine');

let berth: ConsoleProcess;
let pb: PocketBase;
let watched: WatchedPage;
let page: Page;
let host: RecordModel;
let image: RecordModel;

test.beforeAll(async ({ browser }) => {
  await ensureBaseImage();
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'docker' } });
  pb = await setUp(berth.url);
  host = await localHost(pb);
  image = await buildImage(pb, host.id, { name: 'web' });
  watched = await openWindow(browser, berth.url);
  page = watched.page;
  await logIn(page, admin.username);
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await berth?.dispose();
  if (host) await cleanHost(host.id);
});

/** In sight, with nothing on top of it. */
async function expectInSight(target: Locator): Promise<void> {
  await expect(target).toBeInViewport({ ratio: 1 });
  const isOnTop = await target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const found = document.elementFromPoint(left + Math.min(width / 2, 40), top + height / 2);
    return found !== null && (element.contains(found) || found.contains(element));
  });
  expect(isOnTop).toBe(true);
}

test('the first wrong field is in sight with its error, and has the focus', async () => {
  await page.setViewportSize({ width: 1280, height: 560 });
  await page.goto('/workspaces/create?image=' + image.id);
  // The form is alive once it has given its first field the focus.
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  const memory = page.getByLabel('Memory limit');
  await page.getByLabel('CPU limit').fill('-1');
  await memory.fill('-2');
  await page.getByRole('heading', { name: 'Basics' }).scrollIntoViewIfNeeded();
  await page.getByRole('button', { name: /Create and start/ }).click();
  const cpuError = page.getByText('Must be between 0.01 and 4096 cores, or empty for no limit.');
  await expectInSight(cpuError);
  await expect(page.getByLabel('CPU limit')).toBeFocused();
  await expect(page.getByText('Must be a positive number, or empty for no limit.')).toBeVisible();
  await expect(page.getByText('2 fields need attention:')).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  await lookAt(page, 'form-errors-limits');
});

test('what is typed before the scripts of a page are there stays', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/_next/static/**/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/workspaces/create?image=' + image.id, { waitUntil: 'commit' });
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('early bird');
  release();
  await expect(page.getByRole('listitem').filter({ hasText: 'You may start workspaces on local' })).toBeVisible();
  await expect(name).toHaveValue('early bird');
  await page.unroute('**/_next/static/**/*.js');
});

test('a log-in without any scripts keeps its password out of the address', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: berth.url, javaScriptEnabled: false });
  const guest = await context.newPage();
  await guest.goto('/login');
  await guest.getByRole('textbox', { name: 'E-mail' }).fill('mara');
  await guest.getByLabel('Password', { exact: true }).fill('not in the address');
  const [sent] = await Promise.all([
    guest.waitForRequest((request) => request.isNavigationRequest()),
    guest.getByLabel('Password', { exact: true }).press('Enter'),
  ]);
  expect([sent.method(), new URL(sent.url()).search]).toEqual(['POST', '']);
  await expect(guest.getByRole('heading', { name: 'Log in' })).toBeVisible();
  await context.close();
});

test('a taken name is said in one sentence at the name', async () => {
  await pb.collection('workspaces').create({ name: 'taken', host: host.id, image: image.id, enabled: true });
  await page.goto('/workspaces/create?image=' + image.id);
  await page.getByLabel('Name', { exact: true }).fill('taken');
  await expect(page.getByRole('listitem').filter({ hasText: 'The name can’t be used' })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'You may start workspaces on local' })).toBeVisible();
  await page.getByRole('button', { name: 'Create, start later' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await expect(page.getByRole('paragraph').filter({ hasText: 'This name is already taken on the host.' })).toHaveCount(
    1,
  );
  await expect(page.getByText('1 field needs attention:')).toBeVisible();
  await expect(page.getByText('Value must be unique')).toHaveCount(0);
  await lookAt(page, 'form-errors-name');

  await page.goto('/images/create?tab=write');
  await page.getByLabel('Name', { exact: true }).fill('web');
  await page.getByRole('button', { name: 'Create, build later' }).click();
  await expect(page.getByText('An image of this name and tag is on the host already.')).toHaveCount(1);
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
});

test('a mistake in a Dockerfile marks its line', async () => {
  await page.goto('/images/create?tab=write');
  await page.getByLabel('Name', { exact: true }).fill('mistaken');
  await writeDockerfile(page, 'FROM ubuntu:24.04\n\nRNU make\nCMD ["true"]\n');
  await page.getByRole('button', { name: 'Create, build later' }).click();
  const mark = page.locator('[data-wrong-line]');
  await expect(mark).toHaveText('RNU make');
  await expectInSight(mark);
  await expectInSight(page.getByText('Line 3: unknown instruction RNU.'));
  await expect(page.getByRole('textbox', { name: 'Dockerfile text' })).toBeFocused();
  await lookAt(page, 'form-errors-dockerfile');
  // The caret is on the line already.
  await page.keyboard.press('Shift+End');
  await page.keyboard.insertText('RUN make');
  await expect(mark).toHaveCount(0);
});

test('a failed build leads to its line', async () => {
  const failed = await pb.collection('images').create({
    name: 'failing',
    build_on: host.id,
    creationType: 'writeDockerfile',
    dockerfile: 'FROM berth-test/base:1\nRUN echo one\nRUN echo two && exit 3\n',
    enabled: true,
  });
  await page.goto(`/image/${failed.id}`);
  await page.getByRole('button', { name: 'Build', exact: true }).click();
  await expect(page.getByText('The last build failed at line 3 of the Dockerfile')).toBeVisible({ timeout: 60_000 });
  await lookAt(page, 'form-errors-build');
  await page.getByRole('link', { name: 'Edit Dockerfile' }).click();
  await expect(page.locator('[data-wrong-line]')).toHaveText('RUN echo two && exit 3');
});

test('a port that something else has is one sentence with a way out, the engine’s words in a fold', async () => {
  const server = net.createServer().listen(0, '0.0.0.0');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as net.AddressInfo;
  const workspace = await pb.collection('workspaces').create({
    name: 'clash',
    host: host.id,
    image: image.id,
    enabled: true,
    portMappings: [{ containerPort: 80, protocol: 'tcp', hostPort: port, hostIp: '' }],
  });
  await page.goto(`/workspace/${workspace.id}`);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const alert = page
    .getByRole('alert')
    .filter({ hasText: `Host port ${port} is taken by something else on the host.` });
  await expect(alert).toBeVisible();
  const words = page.getByText(/address already in use|port is already allocated/);
  await expect(words.filter({ visible: true })).toHaveCount(0);
  await lookAt(page, 'form-errors-port');
  await alert.getByText('The engine').click();
  await expect(words.filter({ visible: true })).toHaveCount(1);

  await alert.getByRole('link', { name: 'Change the ports' }).click();
  await page.getByLabel('Host port, row 1').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible();
  server.close();
});

test('a host that holds something says so before a name is typed', async () => {
  await page.goto(`/host/${host.id}?tab=delete`);
  const first = page.getByRole('heading', { name: 'Delete these first' });
  await expect(first).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete host' })).toHaveCount(0);
  await expect(page.getByText('No permissions')).toHaveCount(0);
  await lookAt(page, 'delete-host');
  await page.getByRole('link', { name: '2 workspaces' }).click();
  await expect(page.getByRole('row', { name: /clash/ })).toBeVisible();

  await page.goto(`/image/${image.id}?tab=delete`);
  await page.getByRole('button', { name: 'Delete image' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('link', { name: 'taken' })).toBeVisible();
  await expect(dialog.getByRole('textbox')).toHaveCount(0);
  await lookAt(page, 'delete-image');
});
