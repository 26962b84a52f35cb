import fs from 'node:fs';
import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, localHost, setUp } from '../setup/journey';
import { logIn, openWindow, type WatchedPage } from './browser';
import { lookAt, writeDockerfile } from './forms';

/** Lists of packages that come from files of other tools, and go into them. */
test.describe.configure({ mode: 'serial' });

let berth: ConsoleProcess;
let pb: PocketBase;
let watched: WatchedPage;
let page: Page;

test.beforeAll(async ({ browser }) => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
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
});

const shown = () => page.getByRole('tabpanel').filter({ visible: true });
const dialog = () => page.getByRole('dialog');
const textOf = () => dialog().getByLabel('Or paste its text');
const stored = () => pb.collection('images').getFirstListItem('name = "lab"');
/** A click on a page that is not awake yet is heard by nobody. */
const open = () =>
  expect(async () => {
    if (!(await dialog().isVisible())) await shown().getByRole('button', { name: 'Import', exact: true }).click();
    await expect(dialog()).toBeVisible({ timeout: 1000 });
  }).toPass();
const choose = (name: string, text: string) =>
  dialog()
    .getByLabel('Choose a file')
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

test('a requirements.txt is shown with what is left out, and fills the form', async () => {
  await page.goto('/images/create');
  await shown().getByLabel('Name', { exact: true }).fill('lab');
  await open();
  await choose('requirements.txt', 'numpy>=2\nrich\n-r more.txt\ntomli; python_version < "3.11"\n');
  await expect(dialog().getByRole('region', { name: 'What is taken' })).toContainText('numpy>=2, rich');
  const leftOut = dialog().getByRole('region', { name: 'What is left out' });
  await expect(leftOut).toContainText('2 parts are left out');
  await expect(leftOut.getByRole('listitem').first()).toContainText('line 3');
  await expect(leftOut).toContainText('Another file is named here. Import it by itself.');
  await lookAt(page, 'image-import');
  await dialog().getByLabel('Into the environment').fill('no good');
  await expect(dialog().getByRole('button', { name: 'Take 2 packages' })).toBeDisabled();
  await dialog().getByLabel('Into the environment').fill('science');
  await dialog().getByRole('button', { name: 'Take 2 packages' }).click();
  await expect(dialog()).toHaveCount(0);
  await expect(shown().getByLabel('Environment name')).toHaveValue('science');
  await expect(shown().getByLabel('Package, row 1')).toHaveValue('numpy');
  await expect(shown().getByLabel('Version number, row 1')).toHaveValue('2');
});

test('what can’t be read is said, and nothing is taken of it', async () => {
  await open();
  await textOf().fill('dependencies: [');
  await expect(dialog().getByText(/^The file can not be read: line 1/)).toBeVisible();
  await expect(dialog().getByRole('button', { name: /^Take/ })).toBeDisabled();
  await choose('big.txt', 'a'.repeat(52_000));
  await expect(dialog().getByText('This file is longer than 50 KB, or no text.')).toBeVisible();
  await choose('image.txt', 'a\u0000b');
  await expect(dialog().getByText('This file is longer than 50 KB, or no text.')).toBeVisible();
  await textOf().fill('name: bio\nchannels: [bioconda]\ndependencies: [samtools=1.20]\n');
  await expect(dialog().getByRole('region', { name: 'What is taken' })).toContainText('samtools==1.20.*');
  await dialog().getByRole('button', { name: 'Take 1 package' }).click();
  await expect(shown().getByLabel('Environment name')).toHaveCount(2);
  await shown().getByRole('button', { name: 'Create and build' }).click();
  await page.waitForURL(/\/image\//);
  expect((await stored()).environments).toMatchObject([
    { name: 'science', packages: [{ name: 'numpy' }, { name: 'rich' }] },
    { name: 'bio', channels: [{ name: 'bioconda' }], packages: [{ manager: 'conda', name: 'samtools' }] },
  ]);
});

test('the steps of its build stand beside the log, and show their own lines', async () => {
  const steps = page.getByRole('navigation', { name: 'Steps of the build' });
  await expect(steps.getByRole('button').first()).toContainText(/FROM .*\d s/);
  const log = page
    .getByRole('region', { name: /^Log of build 1/ })
    .or(page.getByLabel(/^Log of build 1/))
    .first();
  await expect(log).toContainText('#1 ');
  await lookAt(page, 'image-build-steps');
  await steps.getByRole('button').first().click();
  await expect(steps.getByRole('button', { pressed: true })).toHaveCount(1);
  await expect(log).not.toContainText('#2 ');
  await steps.getByRole('button').first().click();
  await expect(log).toContainText('#2 ');
});

test('on the tab of the packages they are added to, or replaced', async () => {
  await page.getByRole('tab', { name: 'Packages' }).click();
  await open();
  await textOf().fill('FROM python:3.12-slim\nRUN pip install flask==3.0\nCMD ["flask", "run"]\nEXPOSE 5000\n');
  await expect(dialog().getByText('python:3.12-slim')).toBeVisible();
  await expect(dialog().getByText('flask run')).toBeVisible();
  await dialog().getByText('Replace what is there').click();
  await dialog().getByRole('button', { name: 'Take 1 package' }).click();
  await shown().getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => stored())
    .toMatchObject({
      baseImage: 'python:3.12-slim',
      environments: [{ name: 'main', packages: [{ name: 'flask' }] }],
      startupCommands: [{ command: 'flask run', environment: 'main' }],
    });
});

test('an image is saved as a file of another tool', async () => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Export' }).click();
  await lookAt(page, 'image-export');
  const saved = async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog().getByRole('link', { name: 'Download' }).click(),
    ]);
    return [download.suggestedFilename(), fs.readFileSync(await download.path(), 'utf8')];
  };
  expect(await saved()).toEqual(['requirements.txt', 'flask==3.0\n']);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Export' }).click();
  await dialog().getByRole('radio', { name: 'Dockerfile' }).check();
  const [name, text] = await saved();
  expect(name).toBe('Dockerfile');
  expect(text).toContain('FROM python:3.12-slim AS recipe');
});

test('a Dockerfile comes into the editor', async () => {
  await page.goto('/images/create?tab=write');
  await open();
  await choose('Dockerfile', 'FROM debian:12\nRUN echo imported\n');
  await dialog().getByRole('button', { name: 'Put it in the editor' }).click();
  await expect(page.getByRole('textbox', { name: 'Dockerfile text' })).toContainText('RUN echo imported');
});

test('a build is given arguments and secrets, which nobody reads again', async () => {
  await page.goto('/images/create?tab=write');
  await shown().getByLabel('Name', { exact: true }).fill('given');
  await writeDockerfile(page, 'FROM debian:12\nARG VERSION\nRUN --mount=type=secret,id=token true\n');
  await shown().getByRole('button', { name: 'Add argument' }).click();
  await shown().getByLabel('Argument, row 1', { exact: true }).fill('OTHER');
  await shown().getByLabel('Value of the argument, row 1').fill('3.12');
  await shown().getByRole('button', { name: 'Add secret' }).click();
  await shown().getByLabel('Secret, row 1', { exact: true }).fill('token');
  await shown().getByRole('button', { name: 'Create and build' }).click();
  await expect(shown().getByText('The Dockerfile has no ARG OTHER.')).toBeVisible();
  await lookAt(page, 'image-parameters');
  await shown().getByLabel('Argument, row 1', { exact: true }).fill('VERSION');
  await shown().getByRole('button', { name: 'Create and build' }).click();
  await expect(shown().getByText('Cannot be blank.').first()).toBeVisible();
  await shown().getByLabel('Value of the secret, row 1').fill('hush-hush');
  await shown().getByRole('button', { name: 'Create and build' }).click();
  await page.waitForURL(/\/image\//);
  const given = () => pb.collection('images').getFirstListItem('name = "given"');
  expect(await given()).toMatchObject({
    buildArguments: [{ name: 'VERSION', value: '3.12' }],
    buildSecrets: [{ name: 'token', value: '' }],
  });
  await page.getByRole('tab', { name: 'Image settings' }).click();
  await expect(shown().getByLabel('Value of the secret, row 1')).toHaveAttribute('placeholder', 'Kept as it is');
  await shown().getByLabel('Value of the argument, row 1').fill('3.13');
  await shown().getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await given()).buildArguments as unknown)
    .toEqual([{ name: 'VERSION', value: '3.13' }]);
  await shown().getByRole('button', { name: 'Remove secret 1' }).click();
  await shown().getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await given()).buildSecrets as unknown).toEqual([]);
});
