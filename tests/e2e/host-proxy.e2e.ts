import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, localHost, PASSWORD, setUp } from '../setup/journey';
import { logIn, openWindow, type WatchedPage } from './browser';
import { lookAt } from './forms';

/** The tabs of a host about its reverse proxy, NVIDIA's driver and the Traefik that Berth runs there. */
test.describe.configure({ mode: 'serial' });

let berth: ConsoleProcess;
let pb: PocketBase;
let watched: WatchedPage;
let page: Page;
let host: RecordModel;

test.beforeAll(async ({ browser }) => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  pb = await setUp(berth.url);
  host = await localHost(pb);
  const person = { username: 'nora', email: 'nora@example.org', name: 'Nora Berg', verified: true };
  await pb.collection('users').create({ ...person, password: PASSWORD, passwordConfirm: PASSWORD });
  watched = await openWindow(browser, berth.url);
  page = watched.page;
  await logIn(page, admin.username);
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await page?.context().close();
  await berth?.dispose();
});

const stored = () => pb.collection('hosts').getOne(host.id);
async function save(): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`${host.name} is saved`).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
}

test('a reverse proxy is added by saying how Traefik is told, and taken away again', async () => {
  await page.goto(`/host/${host.id}?tab=reverse-proxy`);
  await lookAt(page, 'host-reverse-proxy-none');
  await page.getByRole('switch', { name: 'Add a reverse proxy' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('This field is required').first()).toBeVisible();
  await page.getByRole('combobox', { name: 'Told by' }).click();
  await page.getByRole('option', { name: 'Configuration files' }).click();
  await page.getByLabel('Entry point').fill('websecure');
  await page.getByLabel('Certificate resolver').fill('letsencrypt');
  await page.getByLabel('Folder of the files').fill('etc/traefik');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Use an absolute path such as').first()).toBeVisible();
  await page.getByLabel('Folder of the files').fill('/etc/traefik/dynamic');
  await lookAt(page, 'host-reverse-proxy');
  await save();
  await expect.poll(stored).toMatchObject({
    reverse_proxy: { isAdded: true, type: 'traefikFileProvider', configFileLocation: '/etc/traefik/dynamic' },
    traefik: null,
  });
  await page.getByRole('switch', { name: 'Add a reverse proxy' }).click();
  await save();
  await expect.poll(stored).toMatchObject({ reverse_proxy: { isAdded: false, entryPoint: 'websecure' } });
});

test('the wanted driver is compared with what the host has', async () => {
  await page.getByRole('tab', { name: 'NVIDIA driver' }).click();
  await page.getByRole('switch', { name: 'Add the NVIDIA driver' }).click();
  await page.getByLabel('Driver', { exact: true }).fill('580');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('This field is required').first()).toBeVisible();
  await page.getByLabel('Container toolkit', { exact: true }).fill('1.18.0');
  await save();
  await expect.poll(stored).toMatchObject({
    nvidia_driver: { isAdded: true, deploy: false, driverVersion: '580', toolkitVersion: '1.18.0' },
  });
  await expect(page.getByRole('region', { name: 'Commands for Debian and Ubuntu' })).toContainText(
    'nvidia-container-toolkit=1.18.0',
  );
  await page.getByRole('button', { name: 'Look' }).click();
  const found = page.getByRole('list', { name: 'On the host' });
  await expect(found.getByRole('listitem').filter({ hasText: 'Driver: missing' })).toContainText('Wanted is 580');
  await lookAt(page, 'host-nvidia');
});

test('a Traefik needs all its settings, and its configuration is refused where it is no TOML', async () => {
  await page.getByRole('tab', { name: 'Traefik' }).click();
  await page.getByRole('switch', { name: 'Add Traefik' }).click();
  await page.getByLabel('Image').fill('traefik:v3.6');
  await page.getByLabel('Container', { exact: true }).fill('traefik');
  await page.getByLabel('Network').fill('host');
  await page.getByLabel('Folder on the host').fill('/etc/traefik');
  await page.getByRole('button', { name: 'Add port' }).click();
  await page.getByRole('textbox', { name: 'On the host', exact: true }).fill('80');
  await page.getByRole('textbox', { name: 'In the container', exact: true }).fill('eighty');
  await page.getByLabel('Static configuration').fill('[api]\ninsecure = ture\n');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Not host, none or default.').first()).toBeVisible();
  await expect(page.getByText('Enter a port from 1 to 65535.').first()).toBeVisible();
  await page.getByLabel('Network').fill('web');
  await page.getByRole('textbox', { name: 'In the container', exact: true }).fill('80');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/This is no TOML, at line 2, column \d+/).first()).toBeVisible();
  await expect(page.getByLabel('Static configuration')).toBeFocused();
  await lookAt(page, 'host-traefik-wrong');
  await page.getByLabel('Static configuration').fill('[api]\ninsecure = true\n');
  await save();
  await expect.poll(stored).toMatchObject({
    traefik: {
      isAdded: true,
      deploy: false,
      networkName: 'web',
      ports: [{ containerPort: 80, hostPort: 80, protocol: 'tcp' }],
      config: '[api]\ninsecure = true\n',
    },
    traefikState: null,
  });
});

test('it is deployed, and the page says what came of it', async () => {
  await page.getByRole('switch', { name: 'Deploy' }).click();
  await save();
  // This engine is a simulated one; tests/engines deploys a real Traefik.
  await expect(page.getByText('The engine of this host runs no Traefik for Berth.')).toBeVisible();
  await expect(page.getByText('Does not run as it should')).toBeVisible();
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect(page.getByText('The engine of this host knows no Traefik.')).toBeVisible();
  await lookAt(page, 'host-traefik');
  await page.getByRole('switch', { name: 'Deploy' }).click();
  await save();
  await expect(page.getByText('Does not run as it should')).toHaveCount(0);
});

test('who only sees the host changes nothing of it', async ({ browser }) => {
  const theirs = await openWindow(browser, berth.url);
  await logIn(theirs.page, 'nora');
  const [nora] = await pb.collection('users').getFullList({ filter: 'username = "nora"' });
  await pb.collection('host_permissions').create({ user: nora?.id, host: host.id, view: true });
  await theirs.page.goto(`/host/${host.id}?tab=traefik`);
  await expect(theirs.page.getByLabel('Image')).toBeDisabled();
  await expect(theirs.page.getByRole('button', { name: 'Ask', exact: true })).toHaveCount(0);
  await expect(theirs.page.getByRole('button', { name: 'Add port' })).toHaveCount(0);
  await theirs.page.goto(`/host/${host.id}?tab=nvidia-driver`);
  await expect(theirs.page.getByLabel('Driver', { exact: true })).toBeDisabled();
  await expect(theirs.page.getByRole('button', { name: 'Look' })).toHaveCount(0);
  await lookAt(theirs.page, 'host-nvidia-seen');
  theirs.expectQuiet();
  await theirs.page.context().close();
});
