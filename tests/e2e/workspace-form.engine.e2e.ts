import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { engineIsThere, ensureBaseImage } from '../setup/docker';
import { admin, buildImage, cleanHost, localHost, PASSWORD, setUp } from '../setup/journey';
import { startAgent } from '../setup/joined-agent';
import { logIn, openWindow, type WatchedPage } from './browser';
import { lookAt } from './forms';

/** Every field of a workspace is filled with the keyboard, and stored as it was typed. */
test.describe.configure({ mode: 'serial' });
test.skip(!engineIsThere(), 'needs a Docker engine');

const CARDS = ['GPU-1111', 'GPU-2222', 'GPU-3333'];

let berth: ConsoleProcess;
let pb: PocketBase;
let watched: WatchedPage;
let page: Page;
let host: RecordModel;
let image: RecordModel;
let made: RecordModel;
let tools: string;
const mount = { volumes: [] as RecordModel[], networks: [] as RecordModel[] };

/** The driver's own tool, as a host with cards has it. */
function makeTools(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-tools-'));
  const lines = CARDS.map((uuid) => `echo '${uuid}, NVIDIA H100, 81559'`);
  fs.writeFileSync(path.join(folder, 'nvidia-smi'), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
  return folder;
}

test.beforeAll(async ({ browser }) => {
  await ensureBaseImage();
  tools = makeTools();
  berth = await startConsole({
    env: { BERTH_LOCAL_AGENT: 'docker', PATH: `${tools}:${process.env.PATH ?? ''}` },
  });
  pb = await setUp(berth.url);
  host = await localHost(pb);
  image = await buildImage(pb, host.id, { name: 'web' });
  for (const name of ['datasets', 'home'])
    mount.volumes.push(await pb.collection('volumes').create({ name, host: host.id }));
  for (const name of ['lab-net', 'other-net'])
    mount.networks.push(await pb.collection('networks').create({ name, host: host.id }));
  watched = await openWindow(browser, berth.url);
  page = watched.page;
  await logIn(page, admin.username);
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await page?.context().close();
  await berth?.dispose();
  if (host) await cleanHost(host.id);
  fs.rmSync(tools, { recursive: true, force: true });
});

const table = (name: string) => page.getByRole('table', { name });
const problem = (text: string) => page.getByRole('paragraph').filter({ hasText: text });

/** Opens the list of a button, finds by typing and picks with Enter. */
async function add(button: string, search: string, name: string): Promise<void> {
  // News of a host may draw the section anew, and closes the list with it.
  await expect(async () => {
    if (!(await page.getByPlaceholder(search).isVisible())) {
      await page.getByRole('button', { name: button }).focus();
      await page.keyboard.press('Enter');
    }
    await expect(page.getByPlaceholder(search)).toBeFocused({ timeout: 2000 });
  }).toPass({ timeout: 20_000 });
  await page.keyboard.type(name);
  await expect(page.getByRole('option', { name })).toBeVisible();
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page.getByPlaceholder(search)).toHaveCount(0);
}

test('a workspace is made with everything it can have', async () => {
  await page.goto(`/workspaces/create?image=${image.id}`);
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('web');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('whole');
  await page.getByLabel('Description').fill('all of it');
  await page.getByRole('radio', { name: 'Which cards' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('checkbox', { name: /GPU 1/ }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Add port' }).press('Enter');
  await page.keyboard.type('8000-8010');
  await table('Ports').getByLabel('Host port, row 1').fill('28000-28010');
  await page.getByRole('button', { name: 'Add variable' }).press('Enter');
  await table('Environment').getByLabel('Name, row 1').fill('TOKEN');
  await table('Environment').getByLabel('Value, row 1').fill('hunter2');
  await table('Environment').getByRole('switch', { name: 'Secret, row 1' }).press('Space');
  await add('Add volume', 'Search volumes', 'datasets');
  await expect(table('Volumes').getByLabel('Path in workspace, row 1')).toBeFocused();
  await page.keyboard.type('/data');
  await table('Volumes').getByLabel('Access, row 1').press('Enter');
  await page.getByRole('option', { name: 'Read only' }).press('Enter');
  await add('Add network', 'Search networks', 'lab-net');
  await page.getByLabel('Check command').fill('test -e /tmp');
  await page.getByLabel('Every').fill('5');
  await page.getByLabel('Retries').fill('2');
  await page.getByLabel('Command', { exact: true }).fill('sleep 1000');
  await page.getByLabel('Arguments').fill('--verbose');
  await page.getByLabel('CPU limit').fill('1.5');
  await page.getByLabel('Memory limit').fill('0.5');
  await page.getByLabel('Shared memory').fill('128');
  await page.getByLabel('Runtime').press('Enter');
  await page.getByRole('option', { name: 'runc', exact: true }).press('Enter');
  await page.getByRole('switch', { name: 'Start with the host' }).press('Space');
  await lookAt(page, 'workspace-form');
  await page.getByRole('button', { name: 'Create, start later' }).press('Enter');
  await page.waitForURL(/\/workspace\//);
  made = await pb.collection('workspaces').getFirstListItem('name = "whole"');
  expect(made).toMatchObject({
    description: 'all of it',
    gpus: { uuids: [CARDS[1]] },
    portMappings: [{ containerPort: '8000-8010', protocol: 'tcp', hostPort: '28000-28010', hostIp: '' }],
    environmentVariables: [{ name: 'TOKEN', value: '', secret: true }],
    volumes: [mount.volumes[0]!.id],
    volumePaths: { [mount.volumes[0]!.id]: { path: '/data', readOnly: true } },
    networks: [mount.networks[0]!.id],
    healthCheck: { command: 'test -e /tmp', intervalSeconds: 5, timeoutSeconds: 0, retries: 2, startSeconds: 0 },
    command: 'sleep 1000',
    arguments: ['--verbose'],
    cpuLimit: 1.5,
    memoryLimit: 512 * 1024 ** 2,
    shmSize: 128 * 1024 ** 2,
    runtime: 'runc',
    autoStart: false,
  });
});

test('its settings show all of it and store what is changed, nothing else', async () => {
  await page.goto(`/workspace/${made.id}?tab=settings`);
  await expect(page.getByRole('checkbox', { name: /GPU 1/ })).toBeChecked();
  await expect(table('Volumes')).toContainText('datasets');
  await expect(table('Networks')).toContainText('lab-net');
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  await add('Add volume', 'Search volumes', 'home');
  await page.keyboard.type('/home/ada');
  const sent = page.waitForRequest((request) => request.method() === 'PATCH');
  await page.getByRole('button', { name: 'Save' }).press('Enter');
  expect(Object.keys((await sent).postDataJSON() as object).toSorted()).toEqual(['volumePaths', 'volumes']);
  await expect(page.getByText('whole is saved').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  expect((await pb.collection('workspaces').getOne(made.id)).volumePaths).toEqual({
    [mount.volumes[0]!.id]: { path: '/data', readOnly: true },
    [mount.volumes[1]!.id]: { path: '/home/ada', readOnly: false },
  });
});

test('an icon is cut, stored, and shown in the list and on the page', async () => {
  const png = await page.screenshot({ clip: { x: 0, y: 0, width: 300, height: 200 } });
  await page.getByLabel('Choose a picture').setInputFiles({ name: 'icon.png', mimeType: 'image/png', buffer: png });
  await page.getByRole('button', { name: 'Use this part' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await pb.collection('workspaces').getOne(made.id)).icon as string).not.toBe('');
  await expect(page.locator('img[src*="thumb=300x300"]').first()).toBeVisible();
  await page.goto('/workspaces');
  const icon = page.getByRole('row', { name: /whole/ }).locator('img');
  await expect(icon).toBeVisible();
  expect(await icon.evaluate((each) => (each as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
});

test('what is entered twice or wrong is told at its field, and nothing is lost', async () => {
  await page.goto(`/workspaces/create?image=${image.id}`);
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await page.getByLabel('Name', { exact: true }).fill('wrong');
  await add('Add network', 'Search networks', 'lab-net');
  await add('Add network', 'Search networks', 'lab-net');
  await expect(problem('Network already added.')).toHaveText('Network already added.');
  await expect(table('Networks').getByRole('row')).toHaveCount(2);
  await add('Add volume', 'Search volumes', 'datasets');
  await page.keyboard.type('data');
  await add('Add volume', 'Search volumes', 'home');
  await page.getByRole('button', { name: 'Create, start later' }).click();
  await expect(problem('Must be an absolute path without “..”.')).toBeVisible();
  await expect(problem('This field is required.')).toBeVisible();
  await expect(table('Volumes').getByLabel('Path in workspace, row 1')).toBeFocused();
  await table('Volumes').getByLabel('Path in workspace, row 1').fill('/data');
  await table('Volumes').getByLabel('Path in workspace, row 2').fill('/data/');
  await page.getByRole('button', { name: 'Create, start later' }).click();
  await expect(problem('Duplicate path on workspace.')).toBeVisible();
  await table('Volumes').getByLabel('Path in workspace, row 2').fill('/home');
  await page.getByRole('button', { name: 'Add port' }).click();
  await table('Ports').getByLabel('Container port, row 1').fill('80');
  await table('Ports').getByLabel('Host port, row 1').fill('28005');
  await page.getByRole('button', { name: 'Create, start later' }).click();
  await expect(problem('Host port 28005 is taken on local by whole.')).toBeVisible();
  await expect(table('Ports').getByLabel('Host port, row 1')).toBeFocused();
  await expect(table('Volumes').getByLabel('Path in workspace, row 2')).toHaveValue('/home');
  await lookAt(page, 'workspace-form-wrong');
});

test('a .env file is read, several lines and all, or refused in words', async () => {
  await page.goto(`/workspaces/create?image=${image.id}`);
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await page.getByLabel('Name', { exact: true }).fill('env');
  await page.getByRole('button', { name: 'Take from a .env file' }).click();
  const dialog = page.getByRole('dialog');
  const choose = (text: string) =>
    dialog.getByLabel('Choose a file').setInputFiles({ name: '.env', mimeType: '', buffer: Buffer.from(text) });
  await choose(`A=${'x'.repeat(51_200)}`);
  await expect(dialog.getByText('A .env file can have at most 50 KB.')).toBeVisible();
  await choose('A=1\nnonsense\n');
  await expect(dialog.getByText('Line 2 is not NAME=value.')).toBeVisible();
  await choose('MODE=fast # comment\nKEY="one\ntwo"\n');
  await lookAt(page, 'workspace-form-env');
  await dialog.getByRole('button', { name: 'Take over 2 variables' }).click();
  const value = table('Environment').getByLabel('Value, row 2');
  await expect(value).toHaveValue('one\ntwo');
  await value.press('ControlOrMeta+End');
  await page.keyboard.type('!');
  await page.getByRole('button', { name: 'Create, start later' }).click();
  await page.waitForURL(/\/workspace\//);
  expect((await pb.collection('workspaces').getFirstListItem('name = "env"')).environmentVariables).toEqual([
    { name: 'MODE', value: 'fast', secret: false },
    { name: 'KEY', value: 'one\ntwo!', secret: false },
  ]);
});

test('another host takes along what belongs to the first, in words', async () => {
  const second = await startAgent(berth.url, { pb, name: 'second' });
  try {
    await eventually('the second host is there', async () => {
      const { totalItems } = await pb
        .collection('hosts')
        .getList(1, 1, { filter: 'name = "second" && status = "online"' });
      return totalItems === 1 || undefined;
    });
    await page.goto(`/workspaces/create?image=${image.id}`);
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
    await add('Add volume', 'Search volumes', 'datasets');
    await add('Add network', 'Search networks', 'lab-net');
    await page.getByRole('radio', { name: 'Which cards' }).click();
    await page.getByRole('checkbox', { name: /GPU 0/ }).click();
    await page.getByLabel('Host', { exact: true }).click();
    await page.getByRole('option', { name: 'second' }).click();
    await expect(
      page.getByText('Cleared, as it belongs to the other host: volumes, networks, GPU cards.'),
    ).toBeVisible();
    await expect(table('Volumes').getByRole('row')).toHaveCount(1);
    await expect(table('Networks').getByRole('row')).toHaveCount(1);
    await expect(page.getByRole('radio', { name: 'None' })).toBeChecked();
    await page.getByRole('button', { name: 'Add volume' }).click();
    await expect(page.getByText('No volume of this host is open to you.')).toBeVisible();
    await page.keyboard.press('Escape');
  } finally {
    await second.dispose();
  }
});

test('someone is offered only what they may use', async ({ browser }) => {
  const person = { username: 'nora', email: 'nora@example.org', name: 'Nora Berg', verified: true };
  const nora = await pb.collection('users').create({ ...person, password: PASSWORD, passwordConfirm: PASSWORD });
  await pb
    .collection('host_permissions')
    .create({ user: nora.id, host: host.id, view: true, canCreateWorkspaces: true });
  await pb.collection('image_permissions').create({ user: nora.id, image: image.id, view: true, deploy: true });
  await pb.collection('volume_permissions').create({ user: nora.id, volume: mount.volumes[1]!.id, attach: true });
  await pb.collection('network_permissions').create({ user: nora.id, network: mount.networks[0]!.id, modify: true });
  const theirs = await openWindow(browser, berth.url);
  await logIn(theirs.page, 'nora');
  await theirs.page.goto(`/workspaces/create?image=${image.id}`);
  await theirs.page.getByRole('button', { name: 'Add volume' }).click();
  await expect(theirs.page.getByRole('option')).toHaveCount(1);
  await expect(theirs.page.getByRole('option', { name: 'home' })).toBeVisible();
  await theirs.page.keyboard.press('Escape');
  await theirs.page.getByRole('button', { name: 'Add network' }).click();
  await expect(theirs.page.getByText('No network of this host is open to you.')).toBeVisible();
  theirs.expectQuiet();
  await theirs.page.context().close();
});
