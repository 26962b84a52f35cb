import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { localHost, PASSWORD, setUp } from '../setup/journey';
import { logIn, openWindow, type WatchedPage } from './browser';
import { lookAt } from './forms';

/** Who may only look sees what is stored, no button that can't succeed, and whom to ask. */
test.describe.configure({ mode: 'serial' });

let berth: ConsoleProcess;
let pb: PocketBase;
let watched: WatchedPage;
let page: Page;
let host: RecordModel;
let image: RecordModel;
let workspace: RecordModel;
let priyaId: string;

test.beforeAll(async ({ browser }) => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  pb = await setUp(berth.url);
  const person = { username: 'priya', email: 'priya@example.org', name: 'Priya Nair' };
  const body = { ...person, password: PASSWORD, passwordConfirm: PASSWORD };
  priyaId = (await pb.collection('users').create(body)).id;
  host = await localHost(pb);
  image = await pb.collection('images').create({
    name: 'lab',
    creationType: 'writeDockerfile',
    dockerfile: 'FROM ubuntu:24.04\nRUN echo kept as it is\n',
    description: 'For the lab',
    build_on: host.id,
    enabled: true,
  });
  workspace = await pb.collection('workspaces').create({
    name: 'notebook',
    description: 'Of the group',
    host: host.id,
    image: image.id,
    cpuLimit: 2,
    portMappings: [{ containerPort: 8888, protocol: 'tcp', hostPort: 18888, hostIp: '' }],
    environmentVariables: [{ name: 'MODE', value: 'fast', secret: false }],
    enabled: true,
  });
  await pb.collection('workspace_permissions').create({ user: priyaId, workspace: workspace.id, view: true });
  watched = await openWindow(browser, berth.url);
  page = watched.page;
  await logIn(page, 'priya');
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await watched?.page.context().close();
  await berth?.dispose();
});

const READ_ONLY = 'You may see these settings, not change them. Ask';

test('a workspace shows its stored settings, and nothing to change them with', async () => {
  await page.goto(`/workspace/${workspace.id}?tab=settings`);
  await expect(page.getByText(READ_ONLY)).toContainText('an admin for a change.');
  const name = page.getByLabel('Name', { exact: true });
  await expect(name).toHaveValue('notebook');
  await expect(name).toBeDisabled();
  await expect(page.getByLabel('Description')).toHaveValue('Of the group');
  await expect(page.getByLabel('CPU limit')).toHaveValue('2');
  await expect(page.getByLabel('Container port, row 1')).toHaveValue('8888');
  await expect(page.getByLabel('Host port, row 1')).toHaveValue('18888');
  await expect(page.getByLabel('Name, row 1')).toHaveValue('MODE');
  await expect(page.getByLabel('Value, row 1')).toHaveValue('fast');
  // Host and image are not shared with her.
  await expect(page.getByRole('combobox', { name: 'Host', exact: true })).toContainText('not open to you');
  await expect(page.getByRole('combobox', { name: 'Image', exact: true })).toContainText('not open to you');
  for (const button of [/Add port/, /Add variable/, /Remove/, /Save/, /Paste/, /^Start$/, /Redeploy/])
    await expect(page.getByRole('button', { name: button })).toHaveCount(0);
  await lookAt(page, 'member-workspace');
});

test('whom to ask is named once they may be seen', async () => {
  await expect(page.getByText(READ_ONLY)).toContainText('Ask Mara Lindqvist or an admin');
});

test('there is nothing to create for those whom no host lets', async () => {
  await page.goto('/workspaces');
  await expect(page.getByRole('row', { name: /notebook/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /New workspace|New image/ })).toHaveCount(0);
  await page.goto('/images');
  await expect(page.getByText('No host lets you make one yet: ask an admin.', { exact: false })).toBeVisible();
  await expect(page.getByRole('link', { name: /New workspace|New image/ })).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option', { name: 'Images', exact: true })).toBeVisible();
  await expect(page.getByRole('option', { name: /New (workspace|image)/ })).toHaveCount(0);
});

test('an image shows its Dockerfile, which can’t be typed in', async () => {
  await pb.collection('image_permissions').create({ user: priyaId, image: image.id, view: true });
  await page.goto(`/image/${image.id}?tab=image-settings`);
  await expect(page.getByText(READ_ONLY)).toBeVisible();
  const editor = page.getByRole('textbox', { name: 'Dockerfile text' });
  await expect(editor).toContainText('RUN echo kept as it is');
  await editor.click();
  await page.keyboard.type('something else');
  await expect(editor).not.toContainText('something else');
  await expect(page.getByRole('button', { name: /^(Build|Save)/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'More actions' }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Export']);
  await page.keyboard.press('Escape');
  await lookAt(page, 'member-image');
  await page.getByRole('tab', { name: 'General' }).click();
  await expect(page.getByLabel('Description')).toHaveValue('For the lab');
});

test('a host shows what is set', async () => {
  await pb.collection('host_permissions').create({ user: priyaId, host: host.id, view: true });
  await page.goto(`/host/${host.id}?tab=basic-information`);
  await expect(page.getByText(READ_ONLY)).toBeVisible();
  await expect(page.getByLabel('Default runtime')).toHaveValue('runc');
  await expect(page.getByLabel('Default runtime')).toBeDisabled();
  await expect(page.getByRole('button', { name: /Save|More actions/ })).toHaveCount(0);
  await lookAt(page, 'member-host');

  await page.goto(`/workspace/${workspace.id}?tab=settings`);
  await expect(page.getByRole('combobox', { name: 'Host', exact: true })).toContainText('local');
  await expect(page.getByRole('combobox', { name: 'Image', exact: true })).toContainText('lab');
});

test('with the right to create, the buttons come as far as they lead anywhere', async () => {
  const [permission] = await pb.collection('host_permissions').getFullList({ filter: `user = '${priyaId}'` });
  await pb.collection('host_permissions').update(permission!.id, { canCreateWorkspaces: true });
  await page.goto('/workspaces');
  await expect(page.getByRole('row', { name: /notebook/ })).toBeVisible();
  // No image may be deployed by her yet.
  await expect(page.getByRole('link', { name: /New workspace/ })).toHaveCount(0);
  const [given] = await pb.collection('image_permissions').getFullList({ filter: `user = '${priyaId}'` });
  await pb.collection('image_permissions').update(given!.id, { deploy: true });
  await page.reload();
  await expect(page.getByRole('link', { name: /New workspace/ }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: /New image/ })).toHaveCount(0);
});
