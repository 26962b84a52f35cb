import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, localHost, PASSWORD, setUp } from '../setup/journey';
import { logIn, openWindow, type WatchedPage } from './browser';
import { lookAt, writeDockerfile } from './forms';

/** Templates of images: made, used, copied, and open to those who were given them. */
test.describe.configure({ mode: 'serial' });

const DOCKERFILE = 'FROM debian:12\nRUN echo tools\n';

let berth: ConsoleProcess;
let pb: PocketBase;
let watched: WatchedPage;
let page: Page;
let host: RecordModel;
let template: RecordModel;
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
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await page?.context().close();
  await berth?.dispose();
});

const named = (name: string) => pb.collection('images').getFirstListItem(pb.filter('name = {:name}', { name }));
const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
const nameField = (of: Page) => of.getByLabel('Name', { exact: true });

test('a template is made in the form of an image', async () => {
  await page.goto('/images/templates');
  await expect(page.getByRole('heading', { name: 'No image templates yet' })).toBeVisible();
  await lookAt(page, 'image-templates-empty');
  await page.getByRole('link', { name: 'New template' }).first().click();
  await expect(page.getByRole('heading', { name: 'New image template' })).toBeVisible();
  await page.getByRole('tab', { name: 'Write Dockerfile' }).click();
  await nameField(page).fill('tools');
  await writeDockerfile(page, DOCKERFILE);
  await page.getByRole('switch', { name: 'Always pull the base image' }).click();
  await page.getByRole('button', { name: 'Create template' }).click();
  await page.waitForURL(/\/image\//);
  template = await named('tools');
  expect(template).toMatchObject({ template: true, dockerfile: DOCKERFILE, buildNumber: 0 });
});

test('its page has what an image has, but nothing to build', async () => {
  await expect(page.getByRole('link', { name: 'Use template' })).toBeVisible();
  await expect(page.getByRole('tab')).toHaveText([
    'General',
    'Image settings',
    'Build host',
    'Files',
    'Permissions',
    'Delete',
  ]);
  await expect(page.getByRole('button', { name: 'Build', exact: true })).toHaveCount(0);
  await lookAt(page, 'image-template-settings');
  await expect(page.getByRole('combobox', { name: 'Build host' })).toHaveCount(0);
  await page.getByRole('tab', { name: 'Build host' }).click();
  await expect(page.getByRole('combobox', { name: 'Build host' })).toBeEnabled();
  await page.getByRole('tab', { name: 'Permissions' }).click();
  await expect(page.getByRole('columnheader', { name: 'build', exact: false })).toHaveCount(0);
  const refused = pb.send(`/api/image/${template.id}/request`, { method: 'POST', body: { action: 'build' } });
  await expect(refused).rejects.toMatchObject({ status: 400 });
});

test('it is in its own list and count alone, beside those of workspaces', async () => {
  await page.goto('/images');
  await expect(page.getByRole('heading', { name: 'No images yet' })).toBeVisible();
  const nav = page.getByRole('navigation', { name: 'Areas' });
  await expect(nav.getByRole('link', { name: /^Images/ })).not.toContainText('1');
  await nav.getByRole('link', { name: /^Templates/ }).click();
  await expect(page.getByRole('link', { name: 'tools', exact: true })).toBeVisible();
  await expect(page.getByText('A template keeps the settings of a workspace', { exact: false })).toBeVisible();
  await lookAt(page, 'templates-overview');
  await nav.getByRole('link', { name: /Image templates/ }).click();
  await expect(nav.getByRole('link', { name: /Image templates/ })).toContainText('1');
  await expect(row('tools')).toContainText('Written Dockerfile');
  await lookAt(page, 'image-templates');
});

test('an image is made from it and built', async () => {
  await row('tools').getByRole('link', { name: 'Use template tools' }).click();
  await expect(nameField(page)).toHaveValue('tools-2');
  await expect(page.getByRole('switch', { name: 'Always pull the base image' })).toBeChecked();
  await expect(page.getByRole('textbox', { name: 'Dockerfile text' })).toContainText('RUN echo tools');
  await page.getByRole('button', { name: 'Create and build' }).click();
  await page.waitForURL(/\/image\//);
  await expect.poll(async () => (await named('tools-2')).status as string).toBe('build_finished');
  expect(await named('tools-2')).toMatchObject({ template: false, dockerfile: DOCKERFILE, force_pull_base: true });
});

test('an image is duplicated, and kept as a template', async () => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(nameField(page)).toHaveValue('tools-3');
  await page.getByRole('button', { name: 'Create, build later' }).click();
  await page.waitForURL(/\/image\//);
  await expect.poll(async () => (await named('tools-3')).status as string).toBe('build_pending');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Save as template' }).click();
  await nameField(page).fill('kept');
  await page.getByRole('button', { name: 'Create template' }).click();
  await page.waitForURL(/\/image\//);
  expect(await named('kept')).toMatchObject({ template: true, dockerfile: DOCKERFILE });
});

test('what is pulled is in the form of what is pulled', async () => {
  const pulled = await pb.collection('images').create({
    name: 'postgres',
    template: true,
    creationType: 'pullAnImage',
    dockerImageName: 'docker.io/library/postgres:17',
    build_on: host.id,
  });
  await page.goto(`/images/create?templateId=${pulled.id}`);
  await expect(page.getByRole('tab', { name: 'Pull an image' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByLabel('Image to pull')).toHaveValue('docker.io/library/postgres:17');
  await page.getByRole('tab', { name: 'Write Dockerfile' }).click();
  await expect(nameField(page).filter({ visible: true })).toHaveValue('');
  await page.reload();
  await page.getByRole('tab', { name: 'Pull an image' }).click();
  await expect(page.getByLabel('Image to pull')).toHaveValue('docker.io/library/postgres:17');
});

test('a form is started from a template that is picked in it, and is empty where it is gone', async () => {
  await page.goto('/images/create');
  await page.getByRole('button', { name: 'Start from a template' }).click();
  await page.getByRole('option', { name: /^kept/ }).click();
  await expect(nameField(page).filter({ visible: true })).toHaveValue('kept-2');
  await page.goto('/images/create?templateId=nothere00000000');
  await expect(page.getByText('What this was to be made from is gone, or not open to you.').first()).toBeVisible();
  await expect(nameField(page).filter({ visible: true })).toHaveValue('');
});

test('others see and use a template by what they were given', async ({ browser }) => {
  const theirs = await openWindow(browser, berth.url);
  await logIn(theirs.page, 'nora');
  await theirs.page.goto('/images/templates');
  await expect(theirs.page.getByRole('heading', { name: 'No image templates yet' })).toBeVisible();
  await pb.collection('image_permissions').create({ user: nora.id, image: template.id, view: true });
  await theirs.page.reload();
  await expect(theirs.page.getByRole('row', { name: /tools/ })).toBeVisible();
  await expect(theirs.page.getByRole('link', { name: 'Use template tools' })).toHaveCount(0);
  await expect(theirs.page.getByRole('button', { name: 'Actions for tools' })).toHaveCount(0);
  await pb.collection('host_permissions').create({ user: nora.id, host: host.id, view: true, canCreateImages: true });
  await theirs.page.reload();
  await theirs.page.getByRole('link', { name: 'Use template tools' }).click();
  await nameField(theirs.page).fill('mine');
  await theirs.page.getByRole('button', { name: 'Create, build later' }).click();
  await theirs.page.waitForURL(/\/image\//);
  expect(await named('mine')).toMatchObject({ created_by: nora.id, dockerfile: DOCKERFILE });
  theirs.expectQuiet();
  await theirs.page.context().close();
});

test('a template is disabled, and deleted by its name', async () => {
  await page.goto(`/image/${template.id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await expect(page.getByRole('link', { name: 'Use template' })).toHaveCount(0);
  await page.getByRole('tab', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete template' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('tools');
  await dialog.getByRole('button', { name: /^Delete/ }).click();
  await page.waitForURL(/\/images\/templates/);
  await expect(row('kept')).toBeVisible();
  await expect(row('^tools')).toHaveCount(0);
});
