import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, localHost, PASSWORD, setUp } from '../setup/journey';
import { fileProxy } from '../setup/file-proxy';
import { logIn, openWindow, type WatchedPage } from './browser';
import { lookAt } from './forms';

/** Templates of workspaces: made, used, copied, and open to those who were given them. */
test.describe.configure({ mode: 'serial' });

let berth: ConsoleProcess;
let pb: PocketBase;
let watched: WatchedPage;
let page: Page;
let host: RecordModel;
let image: RecordModel;
let template: RecordModel;
let nora: RecordModel;

test.beforeAll(async ({ browser }) => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  pb = await setUp(berth.url);
  host = await localHost(pb);
  image = await pb.collection('images').create({
    name: 'postgres',
    creationType: 'pullAnImage',
    dockerImageName: 'docker.io/library/postgres:17',
    build_on: host.id,
    enabled: true,
  });
  const person = { username: 'nora', email: 'nora@example.org', name: 'Nora Berg', verified: true };
  nora = await pb.collection('users').create({ ...person, password: PASSWORD, passwordConfirm: PASSWORD });
  await pb
    .collection('host_permissions')
    .create({ user: nora.id, host: host.id, view: true, canCreateWorkspaces: true });
  await pb.collection('image_permissions').create({ user: nora.id, image: image.id, view: true, deploy: true });
  watched = await openWindow(browser, berth.url);
  page = watched.page;
  await logIn(page, admin.username);
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await page?.context().close();
  await berth?.dispose();
});

const named = (name: string) => pb.collection('workspaces').getFirstListItem(pb.filter('name = {:name}', { name }));
const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });

test('a template is made in the form of a workspace', async () => {
  await page.goto('/workspaces/templates');
  await expect(page.getByRole('heading', { name: 'No workspace templates yet' })).toBeVisible();
  await lookAt(page, 'templates-empty');
  await page.getByRole('link', { name: 'New template' }).first().click();
  await expect(page.getByRole('heading', { name: 'New workspace template' })).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill('database');
  await page.getByRole('button', { name: 'Add variable' }).click();
  await page.getByLabel('Name, row 1').fill('PASSWORD');
  await page.getByLabel('Value, row 1').fill('hunter2');
  await page.getByRole('switch', { name: 'Secret, row 1' }).click();
  await page.getByRole('button', { name: 'Add port' }).click();
  await page.getByLabel('Container port, row 1').fill('5432');
  await page.getByLabel('Host port, row 1').fill('25432');
  await page.getByLabel('CPU limit').fill('2');
  await page.getByRole('button', { name: 'Create template' }).click();
  await page.waitForURL(/\/workspace\//);
  template = await named('database');
  expect(template).toMatchObject({ template: true, cpuLimit: 2, status: 'stopped' });
});

test('its page has what a workspace has, but nothing to run', async () => {
  await expect(page.getByRole('link', { name: 'Use template' })).toBeVisible();
  await expect(page.getByRole('tab')).toHaveText(['Settings', 'Permissions', 'Delete']);
  for (const name of ['Start', 'Stop', 'Redeploy'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0);
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('database');
  await lookAt(page, 'template-settings');
  const png = await page.screenshot({ clip: { x: 0, y: 0, width: 300, height: 200 } });
  await page.getByLabel('Choose a picture').setInputFiles({ name: 'icon.png', mimeType: 'image/png', buffer: png });
  await page.getByRole('button', { name: 'Use this part' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await named('database')).icon as string).not.toBe('');
});

test('it is in its own list and count alone', async () => {
  await page.goto('/workspaces');
  await expect(page.getByRole('heading', { name: 'No workspaces yet' })).toBeVisible();
  const nav = page.getByRole('navigation', { name: 'Areas' });
  await expect(nav.getByRole('link', { name: /Workspace templates/ })).toContainText('1');
  await expect(nav.getByRole('link', { name: /^Workspaces/ })).not.toContainText('1');
  await nav.getByRole('link', { name: /Workspace templates/ }).click();
  await expect(row('database').locator('img')).toBeVisible();
  await lookAt(page, 'templates');
});

test('a workspace is made from it with all it has, its icon and secrets too', async () => {
  const domain = await pb.collection('domains').create({ url: 'lab.example.org', host: host.id });
  await pb.collection('hosts').update(host.id, { reverse_proxy: fileProxy });
  const externalUrls = [
    { scheme: 'https', subdomain: 'db', domain: domain.id, port: 8080, authentication: 'internal', users: [] },
  ];
  await pb.collection('workspaces').update(template.id, { externalUrls });
  await pb
    .collection('workspace_login_permissions')
    .create({ user: nora.id, workspace: template.id, url: 'https://db.lab.example.org' });
  await row('database').getByRole('link', { name: 'Use template database' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('database-2');
  await expect(page.getByLabel('CPU limit')).toHaveValue('2');
  await expect(page.getByLabel('Host port, row 1')).toHaveValue('25432');
  await expect(page.getByText('kept, never shown again')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Who may log in' })).toContainText('Nora Berg');
  await expect(page.getByLabel('Subdomain, row 1')).toHaveValue('db');
  await expect(page.getByRole('table', { name: 'External addresses' })).toContainText('lab.example.org');
  await page.getByRole('heading', { name: 'From the template' }).scrollIntoViewIfNeeded();
  await lookAt(page, 'template-used');
  await page.getByRole('button', { name: 'Create, start later' }).click();
  await page.waitForURL(/\/workspace\//);
  const made = await named('database-2');
  expect(made).toMatchObject({
    template: false,
    cpuLimit: 2,
    environmentVariables: [{ name: 'PASSWORD', value: '', secret: true }],
    externalUrls,
  });
  expect(made.icon).not.toBe('');
  const icon = async (record: RecordModel) =>
    Buffer.from(await (await fetch(pb.files.getUrl(record, record.icon as string))).arrayBuffer());
  expect((await icon(made)).equals(await icon(await named('database')))).toBe(true);
  const logins = await pb.collection('workspace_login_permissions').getFullList({ filter: `workspace = '${made.id}'` });
  expect(logins.map(({ user, url }) => [user, url])).toContainEqual([nora.id, 'https://db.lab.example.org']);
  await page.getByRole('tab', { name: 'Settings' }).click();
  await expect(page.getByText('kept, never shown again')).toBeVisible();
});

test('a workspace is duplicated with a name and host ports of its own, and kept as a template', async () => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('database-3');
  await expect(page.getByLabel('Host port, row 1')).toHaveValue('');
  await expect(page.getByRole('heading', { name: 'From the template' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Create and start' }).click();
  await page.waitForURL(/\/workspace\//);
  await expect(page.getByText('running').first()).toBeVisible();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Save as template' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('database-4');
  await page.getByLabel('Name', { exact: true }).fill('kept');
  await page.getByRole('button', { name: 'Create template' }).click();
  await page.waitForURL(/\/workspace\//);
  expect(await named('kept')).toMatchObject({ template: true });
});

test('a form is started from a template that is picked in it, and is empty where it is gone', async () => {
  await page.goto('/workspaces/create');
  await page.getByRole('button', { name: 'Start from a template' }).click();
  await page.getByRole('option', { name: /^database/ }).click();
  await expect(page.getByLabel('CPU limit')).toHaveValue('2');
  await page.goto('/workspaces/create?templateId=nothere00000000');
  await expect(page.getByText('What this was to be made from is gone, or not open to you.')).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('');
});

test('others see and use a template by what they were given', async ({ browser }) => {
  const theirs = await openWindow(browser, berth.url);
  await logIn(theirs.page, 'nora');
  await theirs.page.goto('/workspaces/templates');
  await expect(theirs.page.getByRole('heading', { name: 'No workspace templates yet' })).toBeVisible();
  const permission = await pb
    .collection('workspace_permissions')
    .create({ user: nora.id, workspace: template.id, view: true });
  await theirs.page.reload();
  await expect(theirs.page.getByRole('row', { name: /database/ })).toBeVisible();
  await expect(theirs.page.getByRole('link', { name: 'Use template database' })).toHaveCount(0);
  await pb.collection('workspace_permissions').update(permission.id, { deploy: true });
  await theirs.page.reload();
  await theirs.page.getByRole('link', { name: 'Use template database' }).click();
  // Names that are taken by what they don't see are passed over.
  await expect(theirs.page.getByLabel('Name', { exact: true })).toHaveValue('database-4');
  await expect(theirs.page.getByText('kept, never shown again')).toBeVisible();
  // The domain is not theirs to deploy under: the address is left out.
  await theirs.page.getByRole('button', { name: 'Remove address, row 1' }).click();
  await theirs.page.getByLabel('Host port, row 1').fill('');
  await theirs.page.getByRole('button', { name: 'Create, start later' }).click();
  await theirs.page.waitForURL(/\/workspace\//);
  theirs.expectQuiet();
  await theirs.page.context().close();
});

test('a template is deleted by its name', async () => {
  await page.goto(`/workspace/${template.id}?tab=delete`);
  await page.getByRole('button', { name: 'Delete template' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('database');
  await dialog.getByRole('button', { name: /^Delete/ }).click();
  await page.waitForURL(/\/workspaces\/templates/);
  await expect(row('kept')).toBeVisible();
  await expect(row('database')).toHaveCount(0);
});
