import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { engineIsThere } from '../setup/docker';
import { admin, cleanHost, localHost, reaches, request, setUp } from '../setup/journey';
import { type PackageIndex, startPackageIndex } from '../setup/package-index';
import { ensurePythonBase, PYTHON_BASE_IMAGE, pythonBaseObstacle } from '../setup/python-base';
import { logIn, openWindow, type WatchedPage } from './browser';
import { lookAt } from './forms';

/** Builds of an image beside one another, and one made again as it was, on a real engine. The steps build on each other. */
test.describe.configure({ mode: 'serial' });
test.skip(!engineIsThere() || pythonBaseObstacle() !== '', 'needs a Docker engine and a Python of its own');

let berth: ConsoleProcess;
let index: PackageIndex;
let pb: PocketBase;
let watched: WatchedPage;
let page: Page;
let host: RecordModel;
let image: RecordModel;

const pypi = (name: string) => ({ manager: 'pypi', name });
const card = (name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });
async function build(): Promise<void> {
  await request(pb, 'image', image.id, 'build');
  await reaches(pb, { collection: 'images', id: image.id, status: 'build_finished' });
}

test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000);
  await ensurePythonBase();
  index = await startPackageIndex([
    { module: 'demo', version: '1.0', requires: ['demo-part'] },
    { module: 'demo_part', version: '1.0' },
    { module: 'steady', version: '3.1' },
    { module: 'clashing', version: '1.0', requires: ['demo<2'] },
  ]);
  const env = { BERTH_LOCAL_AGENT: 'docker', BERTH_PYPI_INDEX_URL: index.url };
  berth = await startConsole({ env });
  pb = await setUp(berth.url);
  host = await localHost(pb);
  await pb.collection('hosts').update(host.id, { local_images: [PYTHON_BASE_IMAGE] });
  image = await pb.collection('images').create({
    name: 'science',
    build_on: host.id,
    baseImage: PYTHON_BASE_IMAGE,
    environments: [{ name: 'main', packages: [pypi('demo'), pypi('steady')] }],
  });
  await build();
  await index.add({ module: 'demo', version: '2.0' });
  const environments = [{ name: 'main', packages: [pypi('Demo'), pypi('steady')] }];
  await pb.collection('images').update(image.id, { environments });
  await build();
  watched = await openWindow(browser, berth.url);
  page = watched.page;
  await logIn(page, admin.username);
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await page?.context().close();
  await berth?.dispose();
  await index?.dispose();
  if (host) await cleanHost(host.id);
});

test('two builds stand beside one another, package by package', async () => {
  await page.goto(`/image/${image.id}`);
  await expect(card('Build 2')).toContainText(/\d+ packages, Python 3\./);
  await expect(card('Build 2')).toContainText(PYTHON_BASE_IMAGE);
  await lookAt(page, 'image-builds');
  await card('Build 2').getByRole('button', { name: 'Compare' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('status')).toHaveText('1 changed, 0 added, 1 removed');
  const rowOf = (name: string) => dialog.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
  await expect(rowOf('demo').getByRole('cell')).toHaveText(['1.0', '2.0']);
  await expect(rowOf('demo-part').getByRole('cell')).toHaveText(['1.0', '–']);
  await expect(rowOf('steady')).toBeHidden();
  await dialog.getByText(/lines are the same/).click();
  await expect(rowOf('steady').getByRole('cell')).toHaveText(['3.1', '3.1']);
  await lookAt(page, 'image-compare');
  await page.keyboard.press('Escape');
});

test('a build is made again as it was', async () => {
  await page.getByRole('button', { name: /^Build 1/ }).click();
  await card('Build 1').getByRole('button', { name: 'Build again with these versions' }).click();
  await expect(page.getByText('A build with the versions of build 1 is queued').first()).toBeVisible();
  await reaches(pb, { collection: 'images', id: image.id, status: 'build_finished' });
  await page.getByRole('button', { name: /^Build 3/ }).click();
  await expect(card('Build 3')).toContainText('with the versions of build 1');
  await card('Build 3').getByRole('button', { name: 'Compare' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('status')).toHaveText('1 changed, 1 added, 0 removed');
  await dialog.getByRole('combobox', { name: 'Compare with' }).click();
  await page.getByRole('option', { name: 'Build 1' }).click();
  await expect(dialog.getByRole('status')).toHaveText('0 changed, 0 added, 0 removed');
  await page.keyboard.press('Escape');
});

test('packages that do not fit together are found before anything is built', async () => {
  await page.getByRole('tab', { name: 'Packages' }).click();
  const panel = page.getByRole('tabpanel').filter({ visible: true });
  await panel.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(panel.getByText('All packages can be had together.')).toBeVisible({ timeout: 60_000 });
  await panel.getByRole('button', { name: 'Add from PyPI' }).click();
  await panel.getByLabel('Package, row 3').fill('clashing');
  await expect(panel.getByText('The lists have changed since.')).toBeVisible();
  await panel.getByRole('combobox', { name: 'Version, row 1', exact: true }).click();
  await page.getByRole('option', { name: 'exactly', exact: true }).click();
  await panel.getByLabel('Version number, row 1').fill('2.0');
  await panel.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(
    panel.getByText(/^Environment main: Demo==2\.0 is asked for, but clashing 1\.0 needs demo<2\.$/),
  ).toBeVisible({
    timeout: 60_000,
  });
  await panel.getByText('What the tools print').click();
  await expect(panel.getByText(/ResolutionImpossible/)).toBeVisible();
  await lookAt(page, 'image-check');
  const { totalItems } = await pb.collection('builds').getList(1, 1);
  expect(totalItems).toBe(3);
});

test('a workspace goes back to an earlier build of its image', async () => {
  const made = await pb
    .collection('workspaces')
    .create({ name: 'lab', host: host.id, image: image.id, command: 'sleep 3600' });
  await request(pb, 'workspace', made.id, 'start');
  await reaches(pb, { collection: 'workspaces', id: made.id, status: 'running' });
  await page.goto(`/workspace/${made.id}`);
  await page.getByRole('button', { name: 'Redeploy', exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Build of the image' }).click();
  await page.getByRole('option', { name: /^Build 2,/ }).click();
  await expect(dialog.getByText(/It runs this build from now on/)).toBeVisible();
  await lookAt(page, 'workspace-roll-back');
  await dialog.getByRole('button', { name: 'Redeploy' }).click();
  const second = await pb.collection('builds').getFirstListItem('number = 2');
  await expect
    .poll(async () => (await pb.collection('workspaces').getOne(made.id)).observedContainer?.imageId as string, {
      timeout: 60_000,
    })
    .toBe(second.imageId);
  await expect(page.getByText('Stays with build 2 until another is chosen at a redeploy.')).toBeVisible();
});
