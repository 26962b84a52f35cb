import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, localHost, setUp } from '../setup/journey';
import { logIn, openWindow, type WatchedPage } from './browser';
import { lookAt } from './forms';

/** Images that are made of lists of packages: the form that makes them, and the tabs that change them. */
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
  const form = new FormData();
  form.set('name', 'settings.json');
  form.set('type', 'upload');
  form.set('file', new Blob(['{}']), 'settings.json');
  await pb.collection('files').create(form);
  watched = await openWindow(browser, berth.url);
  page = watched.page;
  await logIn(page, admin.username);
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await page?.context().close();
  await berth?.dispose();
});

const shown = () => page.getByRole('tabpanel').filter({ visible: true });
const label = (name: string) => shown().getByLabel(name, { exact: true });
const stored = () => pb.collection('images').getFirstListItem('name = "science"');
const preview = () => shown().getByRole('region', { name: 'Dockerfile', exact: true }).filter({ visible: true }).last();
async function pick(name: string, option: string): Promise<void> {
  await shown().getByRole('combobox', { name, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

test('an image is put together from packages', async () => {
  await page.goto('/images/create');
  await label('Name').fill('science');
  await expect(shown().getByRole('textbox', { name: 'Base image' })).toHaveValue('ubuntu:24.04');
  await shown().getByRole('button', { name: 'Add environment' }).click();
  await expect(label('Environment name')).toHaveValue('main');
  await shown().getByRole('button', { name: 'Add from PyPI' }).click();
  await label('Package, row 1').fill('requests');
  await pick('Version, row 1', 'at least');
  await shown().getByRole('button', { name: 'Create and build' }).click();
  await expect(shown().getByText('Cannot be blank.').first()).toBeVisible();
  await label('Version number, row 1').fill('2.31');
  await expect(shown().getByText('Cannot be blank.')).toHaveCount(0);

  await label('New channel').fill('bioconda');
  await shown().getByRole('button', { name: 'Add channel' }).click();
  await shown().getByRole('button', { name: 'Add from conda' }).click();
  await label('Package, row 2').fill('samtools');
  await pick('From, row 2', 'bioconda');
  await shown().getByRole('button', { name: 'Remove channel bioconda' }).click();
  await expect(shown().getByText('A channel cannot be deleted while a package depends on it.').first()).toBeVisible();

  await label('New channel of every environment').fill('conda-forge');
  await page.keyboard.press('Enter');
  await expect(shown().getByRole('button', { name: 'Remove channel conda-forge of every environment' })).toBeVisible();

  await shown().getByRole('button', { name: 'Add command' }).click();
  await label('Command, row 1').fill('python -m http.server');
  await pick('Environment of the command, row 1', 'main');
  await shown().getByRole('switch', { name: 'Run as a user of its own' }).click();
  await label('User name').fill('ada');
  await label('User id').fill('70000');
  await shown().getByRole('button', { name: 'Add file' }).click();
  await page.getByRole('option', { name: /settings\.json/ }).click();
  await label('Path, row 1').fill('/opt/settings.json');
  await shown().getByRole('button', { name: 'Create and build' }).click();
  await expect(
    shown()
      .getByText(/65,?535/)
      .first(),
  ).toBeVisible();
  await label('User id').fill('1001');
});

test('what the lists come to is shown while they are typed', async () => {
  await expect(preview()).toContainText('requests>=2.31');
  await expect(preview()).toContainText('samtools');
  await expect(preview()).toContainText('python -m http.server');
  await label('Version number, row 1').fill('2.32');
  await expect(preview()).toContainText('requests>=2.32');
  await lookAt(page, 'image-generate');
});

test('it is stored as it was typed, and built', async () => {
  await shown().getByRole('button', { name: 'Create and build' }).click();
  await page.waitForURL(/\/image\//);
  await expect.poll(async () => (await stored()).status as string).toBe('build_finished');
  const [file] = await pb.collection('files').getFullList();
  expect(await stored()).toMatchObject({
    creationType: 'generateDockerfile',
    baseImage: 'ubuntu:24.04',
    channels: ['conda-forge'],
    environments: [
      {
        name: 'main',
        channels: [{ name: 'bioconda', isUserGenerated: false }],
        packages: [
          { manager: 'pypi', name: 'requests', version: { constraint: 'minimum', specifier: '2.32' } },
          { manager: 'conda', channel: 'bioconda', name: 'samtools', version: { constraint: 'unconstrained' } },
        ],
      },
    ],
    startupCommands: [{ command: 'python -m http.server', environment: 'main' }],
    userConfiguration: { isAdded: true, uid: 1001, name: 'ada', gid: null, group: '' },
    files: [file?.id],
    filePaths: { [file?.id ?? '']: '/opt/settings.json' },
    build_on: host.id,
  });
});

test('each part is changed on a tab of its own', async () => {
  await expect(page.getByRole('tab')).toHaveText([
    'Overview',
    'General',
    'Image settings',
    'Build host',
    'Packages',
    'Files',
    'Startup',
    'User',
    'Permissions',
    'Delete',
  ]);
  await page.getByRole('tab', { name: 'General' }).click();
  await label('Description').fill('For the lab');
  await lookAt(page, 'image-general');
  await shown().getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await stored()).description as string).toBe('For the lab');
  await page.getByRole('tab', { name: 'Build host' }).click();
  await expect(page.getByRole('combobox', { name: 'Build host' })).toBeDisabled();
  await lookAt(page, 'image-build-host');
  await page.getByRole('tab', { name: 'Packages' }).click();
  await shown().getByRole('button', { name: 'Remove row 2' }).click();
  await shown().getByRole('button', { name: 'Remove channel bioconda', exact: true }).click();
  await shown().getByRole('button', { name: 'Remove channel conda-forge of every environment' }).click();
  await expect(preview()).not.toContainText('samtools');
  await lookAt(page, 'image-packages');
  await shown().getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('science is saved').first()).toBeVisible();
  await expect
    .poll(async () => (await stored()).environments as unknown)
    .toMatchObject([{ name: 'main', channels: [], packages: [{ name: 'requests' }] }]);
  expect((await stored()).channels).toEqual([]);

  await page.getByRole('tab', { name: 'Startup' }).click();
  await label('Command, row 1').fill('');
  await shown().getByRole('button', { name: 'Save' }).click();
  await expect(shown().getByText('Cannot be blank.').first()).toBeVisible();
  await shown().getByRole('button', { name: 'Remove command 1' }).click();
  await shown().getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await stored()).startupCommands as unknown).toEqual([]);

  await page.getByRole('tab', { name: 'User' }).click();
  await label('User id').fill('');
  await shown().getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await stored()).userConfiguration as unknown)
    .toMatchObject({ uid: null, name: 'ada' });

  await page.getByRole('tab', { name: 'Files' }).click();
  await shown().getByRole('button', { name: 'Remove file 1' }).click();
  await shown().getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await stored()).files as unknown).toEqual([]);
  await lookAt(page, 'image-files');
});

test('a template of it makes another with the same lists', async () => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Save as template' }).click();
  await expect(page.getByRole('tab', { name: 'Generate image' })).toHaveAttribute('aria-selected', 'true');
  await expect(label('Package, row 1')).toHaveValue('requests');
  await expect(label('User name')).toHaveValue('ada');
});
