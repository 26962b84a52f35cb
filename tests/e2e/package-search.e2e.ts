import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, localHost, setUp } from '../setup/journey';
import { json, simple, startPackageServer, type PackageServer } from '../setup/package-server';
import { logIn, openWindow, type WatchedPage } from './browser';
import { lookAt } from './forms';

/** Packages and their versions picked by keyboard, and the cache that they are kept in. */
test.describe.configure({ mode: 'serial' });

let index: PackageServer;
let berth: ConsoleProcess;
let pb: PocketBase;
let watched: WatchedPage;
let page: Page;

test.beforeAll(async ({ browser }) => {
  index = await startPackageServer();
  index.pages.set('/simple/', json(simple('numpy', 'numpy-stl', 'numpydoc', 'pandas', 'requests')));
  const numpy = { summary: 'Fundamental package for array computing', version: '2.1.0' };
  const releases = { '1.26.4': [{}], '2.0.0': [{}], '2.1.0': [{}], '2.2.0rc1': [{}] };
  index.pages.set('/pypi/numpy/json', json({ info: numpy, releases }));
  index.pages.set('/pypi/numpydoc/json', json({ info: { summary: 'Sphinx extension', version: '1.8' }, releases: {} }));
  index.pages.set(
    '/conda/conda-forge/channeldata.json',
    json({ packages: { samtools: { summary: 'Tools for alignments', version: '1.21' } } }),
  );
  const env = { BERTH_PYPI_INDEX_URL: `${index.url}/simple`, BERTH_CONDA_URL: `${index.url}/conda` };
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated', ...env } });
  pb = await setUp(berth.url);
  await localHost(pb);
  watched = await openWindow(browser, berth.url);
  page = watched.page;
  await logIn(page, admin.username);
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await page?.context().close();
  await berth?.dispose();
  await index?.dispose();
});

const shown = () => page.getByRole('tabpanel').filter({ visible: true });
const label = (name: string) => shown().getByLabel(name, { exact: true });
const option = (name: RegExp) => page.getByRole('option', { name });
const press = (key: string) => page.keyboard.press(key);

test('packages are typed and picked one after the other, without the mouse', async () => {
  await page.goto('/images/create?tab=generate');
  await label('Name').fill('science');
  await shown().getByRole('button', { name: 'Add environment' }).click();
  await shown().getByRole('button', { name: 'Add from PyPI' }).press('Enter');
  const first = label('Package, row 1');
  await expect(first).toBeFocused();
  await page.keyboard.type('num', { delay: 20 });
  await expect(option(/^numpy/)).toHaveCount(3);
  await expect(first).toHaveAttribute('aria-expanded', 'true');
  await press('ArrowDown');
  await expect(option(/^numpy /)).toHaveAttribute('aria-selected', 'true');
  await expect(option(/^numpy /)).toContainText('Fundamental package for array computing');
  await expect(option(/^numpy /)).toContainText('2.1.0');
  await lookAt(page, 'package-picker');
  await first.focus();
  await press('Escape');
  await expect(option(/^numpy/)).toHaveCount(0);
  await press('ArrowDown');
  await press('ArrowDown');
  await press('Enter');
  await expect(first).toHaveValue('numpy');
  await expect(option(/^numpy/)).toHaveCount(0);

  await press('Enter');
  await expect(label('Package, row 2')).toBeFocused();
  await page.keyboard.type('a-package-of-our-own');
  await expect(page.getByText('No package of this name. It is taken as typed.')).toBeVisible();
  await press('Enter');
  await expect(label('Package, row 3')).toBeFocused();
  await page.keyboard.type('requests');
  await expect(label('Package, row 2')).toHaveValue('a-package-of-our-own');
  await press('Escape');
});

test('versions are offered, the newest first', async () => {
  await shown().getByRole('combobox', { name: 'Version, row 1', exact: true }).click();
  await page.getByRole('option', { name: 'at least', exact: true }).click();
  const number = label('Version number, row 1');
  await number.focus();
  await expect(option(/^\d/)).toHaveText([/^2\.2\.0rc1/, /^2\.1\.0latest/, /^2\.0\.0/, /^1\.26\.4/]);
  await lookAt(page, 'version-picker');
  await number.focus();
  await number.fill('1');
  await expect(option(/^\d/)).toHaveCount(1);
  await press('ArrowDown');
  await press('Enter');
  await expect(number).toHaveValue('1.26.4');
});

test('conda says what its packages are, and a channel that is not there is told of', async () => {
  await shown().getByRole('button', { name: 'Add from conda' }).click();
  const row = label('Package, row 4');
  await row.fill('samt');
  await expect(option(/^samtools/)).toContainText('Tools for alignments');
  await row.fill('samtools');
  await label('New channel').fill('nowhere');
  await press('Enter');
  await row.focus();
  await row.fill('bwa');
  await expect(page.getByText(/conda\/nowhere\/.* is not there/)).toBeVisible();
  await expect(page.getByText('The name can be typed all the same.')).toBeVisible();
  await press('Escape');
  await shown().getByRole('button', { name: 'Create, build later' }).click();
  await expect(page).toHaveURL(/\/image\/\w+/);
  const stored = await pb.collection('images').getFirstListItem('name = "science"');
  const [environment] = stored.environments as { packages: Record<string, unknown>[] }[];
  expect(environment!.packages.map(({ name }) => name)).toEqual(['numpy', 'a-package-of-our-own', 'requests', 'bwa']);
  expect(environment!.packages[0]).toMatchObject({
    description: 'Fundamental package for array computing',
    latestVersion: '2.1.0',
    version: { constraint: 'minimum', specifier: '1.26.4' },
  });
});

test('admins see how much is kept, set where, and empty it', async () => {
  await page.goto('/settings?tab=cache');
  await expect(shown().getByText(/ KB of 1000 MB in .*\/cache$/)).toBeVisible();
  await lookAt(page, 'settings-cache');
  await label('Folder').fill('/proc/berth');
  await shown().getByRole('button', { name: /^Save/ }).click();
  await expect(shown().getByText('No folder can be made there.').first()).toBeVisible();
  await label('Folder').fill(`${berth.dataDir}/elsewhere`);
  await label('Lifetime').fill('60');
  await shown().getByRole('button', { name: /^Save/ }).click();
  const setting = async () => (await pb.collection('settings').getFullList({ filter: 'key = "cache"' }))[0]?.value;
  await expect.poll(setting).toEqual({ directory: `${berth.dataDir}/elsewhere`, lifetime: 60, maxSizeMb: 1000 });
  await expect(shown().getByText(/^0 B of 1000 MB in .*\/elsewhere$/)).toBeVisible();
  await pb.send('/api/packages/search?manager=pypi&query=numpy', {});
  await page.reload();
  await expect(shown().getByText(/ KB of 1000 MB in .*\/elsewhere$/)).toBeVisible();
  await shown().getByRole('button', { name: 'Empty the cache' }).click();
  await expect(shown().getByText(/^0 B of 1000 MB/)).toBeVisible();
});
