import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { BASE_IMAGE, engineIsThere, ensureBaseImage } from '../setup/docker';
import { admin, buildImage, cleanHost, localHost, setUp, setupCodeIn } from '../setup/journey';
import { logIn, openWindow, type WatchedPage } from './browser';
import { lookAt, writeDockerfile } from './forms';

/** A newcomer's way from an empty console to an open workspace, on a real engine. */
test.describe.configure({ mode: 'serial' });
test.skip(!engineIsThere(), 'needs a Docker engine');

let berth: ConsoleProcess;
let pb: PocketBase;
let watched: WatchedPage;
let page: Page;
let hostId: string;

test.beforeAll(async ({ browser }) => {
  await ensureBaseImage();
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'docker' } });
  pb = await setUp(berth.url);
  hostId = (await localHost(pb)).id;
  watched = await openWindow(browser, berth.url);
  page = watched.page;
  await logIn(page, admin.username);
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await berth?.dispose();
  if (hostId) await cleanHost(hostId);
});

const card = () => page.getByRole('region', { name: 'Get going' });
const step = (name: string) => card().getByRole('listitem').filter({ hasText: name });

test('an empty console leads to the first image, and nowhere that can’t be gone to', async () => {
  await page.goto('/workspaces');
  await expect(page.getByText('Three steps are left.').or(page.getByText('3 steps are left.'))).toBeVisible();
  await expect(card()).toContainText('1 of 4 done');
  await expect(step('Add a host')).toContainText(/local is online: docker \S+, \d+ cores, /);
  await expect(step('Get an image')).toHaveAttribute('aria-current', 'step');
  for (const name of ['JupyterLab', 'Python web server', 'Static site'])
    await expect(step('Get an image').getByRole('button', { name })).toBeEnabled();
  await expect(step('Start a workspace').getByRole('button', { name: 'New workspace' })).toBeDisabled();
  await expect(page.getByRole('link', { name: 'New workspace' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'New image' }).first()).toBeVisible();
  await expect(page.getByText('Ctrl K finds every action.')).toBeVisible();
  await lookAt(page, 'first-use-empty');
});

test('the steps leave on a search, and come back after it', async () => {
  await page.goto('/workspaces?search=none-of-this');
  await expect(page.getByText('Nothing matches these filters.')).toBeVisible();
  await expect(card()).toHaveCount(0);
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await expect(card()).toBeVisible();
});

test('the steps leave while the lists can’t be had', async () => {
  await page.route('**/api/collections/workspaces/records**', (route) =>
    route.fulfill({ status: 400, json: { code: 400, message: 'Not now.', data: {} } }),
  );
  await page.goto('/workspaces');
  await expect(page.getByText('This could not be loaded')).toBeVisible({ timeout: 40_000 });
  await expect(card()).toHaveCount(0);
  await page.unroute('**/api/collections/workspaces/records**');
});

test('one click makes an image and begins its build', async () => {
  await page.goto('/workspaces');
  await step('Get an image').getByRole('button', { name: 'Static site' }).click();
  await page.waitForURL('**/image/**');
  await expect(page.getByRole('heading', { name: 'nginx' })).toBeVisible();
  // What the registry answers is none of this test's business.
  const image = await pb.collection('images').getFirstListItem('name = "nginx"');
  expect(image).toMatchObject({ creationType: 'writeDockerfile', build_on: hostId, buildNumber: 1 });
  await pb.collection('images').delete(image.id);
});

test('a finished build offers a workspace, with its host, name and port filled in', async () => {
  await page.goto('/images/create?tab=write');
  await page.getByLabel('Name', { exact: true }).fill('site');
  await writeDockerfile(
    page,
    [
      `FROM ${BASE_IMAGE}`,
      'RUN echo "made by Berth" > /www/index.html',
      'EXPOSE 8080',
      'CMD ["httpd", "-f", "-p", "8080", "-h", "/www"]',
      '',
    ].join('\n'),
  );
  await page.getByRole('button', { name: /Create and build/ }).click();
  const start = page.getByRole('link', { name: 'Start a workspace' });
  await expect(start).toBeVisible({ timeout: 60_000 });
  await lookAt(page, 'first-use-built');
  await start.click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('site');
  await expect(page.getByRole('combobox', { name: 'Host', exact: true })).toContainText('local');
  await expect(page.getByLabel('Container port, row 1')).toHaveValue('8080');
  await expect(page.getByLabel('Host port, row 1')).toHaveValue('');
  const checks = page.getByRole('complementary').filter({ hasText: 'Before it starts' }).getByRole('listitem');
  await expect(checks).toHaveText([
    'The name is free',
    'You may start workspaces on local',
    'local is online',
    'Image is built',
    'Image is on local',
    'Host ports are picked, and stay',
  ]);
  await lookAt(page, 'first-use-form');
});

test('it starts, is opened, and the steps are over', async () => {
  await page.getByRole('button', { name: /Create and start/ }).click();
  await page.waitForURL('**/workspace/**');
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible();
  await page.goto('/workspaces');
  await expect(card()).toContainText('3 of 4 done');
  await lookAt(page, 'first-use-running');
  const link = step('Open it').getByRole('link', { name: 'Open site' });
  const address = (await link.getAttribute('href'))!;
  const text = await eventually('it answers', () => fetch(address).then((response) => response.text()));
  expect(text).toContain('made by Berth');
  const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  await opened.close();
  await expect(card()).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('row', { name: /site/ })).toBeVisible();
  await expect(card()).toHaveCount(0);
});

test('its address stays over a stop, a start and a redeploy', async () => {
  await page.getByRole('row', { name: /site/ }).getByRole('link', { name: 'site', exact: true }).click();
  const open = page.getByRole('link', { name: 'Open port 8080 in a new tab' });
  const address = (await open.getAttribute('href'))!;
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByText('Stopped', { exact: true }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(open).toHaveAttribute('href', address);
  await page.getByRole('button', { name: 'Redeploy', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Redeploy/ })
    .click();
  await expect(page.getByText('site is being redeployed')).toBeVisible();
  await expect(open).toHaveAttribute('href', address);
  const text = await eventually('it answers again', () => fetch(address).then((response) => response.text()));
  expect(text).toContain('made by Berth');
});

test('the dialog that adds a host warns of an address that leads nowhere, and brings the image', async () => {
  await page.goto('/hosts?add=1');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(/leads another machine to itself.*BERTH_PUBLIC_URL/)).toBeVisible();
  await expect(dialog.getByText('Kubernetes can’t be added yet.')).toBeVisible();
  await dialog.getByLabel('Name', { exact: true }).fill('hopper');
  await dialog.getByRole('button', { name: 'Make the command' }).click();
  await expect(dialog.getByText('docker save berth:latest | ssh root@hopper docker load')).toBeVisible();
  await expect(dialog.getByText('docker logs berth-agent')).toBeVisible();
  await lookAt(page, 'add-host');
  await dialog.getByText('Compose', { exact: true }).click();
  await expect(dialog.getByText('docker compose logs agent')).toBeVisible();
  await dialog.getByText('Node', { exact: true }).click();
  await expect(dialog.getByText(/docker save/)).toHaveCount(0);
  await expect(dialog.getByText('The terminal it runs in says what is wrong.', { exact: false })).toBeVisible();
});

test('a console with a public address and an image in a registry says just that', async ({ browser }) => {
  const env = {
    BERTH_LOCAL_AGENT: 'off',
    BERTH_PUBLIC_URL: 'https://berth.example.org',
    BERTH_AGENT_IMAGE: 'registry.example.org/berth:1',
  };
  const other = await startConsole({ env });
  await setUp(other.url, setupCodeIn(other.output()));
  const window = await openWindow(browser, other.url);
  await logIn(window.page, admin.username);
  await window.page.goto('/hosts?add=1');
  const dialog = window.page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('hopper');
  await expect(
    dialog.getByText('The host pulls registry.example.org/berth:1 by itself.', { exact: false }),
  ).toBeVisible();
  await dialog.getByRole('button', { name: 'Make the command' }).click();
  await expect(dialog.getByText(/BERTH_CONSOLE_URL=https:\/\/berth.example.org/)).toBeVisible();
  await expect(dialog.getByText(/leads another machine to itself|docker save/)).toHaveCount(0);
  await window.context.close();
  await other.dispose();
});

test('the API reference is in the sidebar, and hints name the keys of this keyboard', async ({ browser }) => {
  await page.goto('/workspaces');
  await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'API reference' }).click();
  await page.waitForURL('**/api-reference');
  await expect(page.getByRole('banner').getByText('Ctrl K').or(page.getByText('Ctrl K')).first()).toBeVisible();
  const mac = await browser.newContext({ baseURL: berth.url, storageState: await page.context().storageState() });
  await mac.addInitScript(() => Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' }));
  const macPage = await mac.newPage();
  await macPage.goto('/workspaces');
  await expect(macPage.getByText('⌘K').first()).toBeVisible();
  await mac.close();
});

test('an image that is built elsewhere shows what its engine read of it', async () => {
  const image = await buildImage(pb, hostId, {
    name: 'ports',
    dockerfile: `FROM ${BASE_IMAGE}\nEXPOSE 53/udp\nEXPOSE 9000\nCMD ["sleep", "60"]\n`,
  });
  const { exposedPorts } = await pb.collection('images').getOne(image.id);
  expect(exposedPorts).toEqual([
    { containerPort: 53, protocol: 'udp' },
    { containerPort: 9000, protocol: 'tcp' },
  ]);
});
