import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, localHost, PASSWORD, setUp } from '../setup/journey';
import { expectAccessible, logIn, openWindow } from './browser';

/** Volumes and networks: made, looked at and deleted on their pages. */
let berth: ConsoleProcess;
let pb: PocketBase;
let host: RecordModel;
let root: string;

test.beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'berth-e2e-roots-'));
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated', BERTH_BIND_ROOTS: root } });
  pb = await setUp(berth.url);
  const person = { username: 'nora', email: 'nora@example.org', name: 'Nora Berg' };
  await pb.collection('users').create({ ...person, password: PASSWORD, passwordConfirm: PASSWORD, verified: true });
  host = await localHost(pb);
});
test.afterAll(async () => {
  await berth?.dispose();
  await rm(root, { recursive: true, force: true });
});

/** Looked at by a person when PICTURES names a folder. */
async function look(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  for (const [width, scheme] of [
    [1280, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: scheme });
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    if (folder) await page.screenshot({ path: path.join(folder, `${name}-${width}-${scheme}.png`) });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('a volume and a network are made, used, and deleted', async ({ browser }) => {
  test.setTimeout(120_000);
  const { page, context, expectQuiet } = await openWindow(browser, berth.url);
  await logIn(page, admin.username);
  await page.getByRole('link', { name: /^Volumes/ }).click();
  await expect(page.getByText('No volumes yet')).toBeVisible();
  await look(page, 'volumes-empty');
  await page.getByRole('link', { name: 'New volume' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill('models');
  await expect(page.getByText(`A folder has to lie in ${root}/`)).toBeVisible();
  await page.getByLabel('Folder on the host').fill('/etc');
  await page.getByRole('button', { name: 'Create volume' }).click();
  await expect(page.getByText(/it must lie in your folder/).first()).toBeVisible();
  await look(page, 'volume-create');
  await page.getByLabel('Folder on the host').fill('');
  await page.getByRole('button', { name: 'Create volume' }).click();
  await expect(page.getByText('Ready')).toBeVisible();
  await expect(page.getByText('No workspace uses it.')).toBeVisible();
  const volume = await pb.collection('volumes').getFirstListItem('name = "models"');

  await page.goto('/networks/create');
  await page.getByRole('textbox', { name: 'Name' }).fill('lab');
  await page.getByRole('button', { name: 'Create network' }).click();
  await expect(page.getByText('Ready')).toBeVisible();
  const network = await pb.collection('networks').getFirstListItem('name = "lab"');

  const image = await pb.collection('images').create({
    name: 'base',
    build_on: host.id,
    creationType: 'writeDockerfile',
    dockerfile: 'FROM scratch\n',
    enabled: true,
  });
  const workspace = await pb.collection('workspaces').create({
    name: 'notebook',
    host: host.id,
    image: image.id,
    volumes: [volume.id],
    volumePaths: { [volume.id]: { path: '/data', readOnly: true } },
    networks: [network.id],
  });
  for (const [kind, id] of [
    ['volume', volume.id],
    ['network', network.id],
  ] as const) {
    await page.goto(`/${kind}/${id}`);
    await expect(page.getByRole('link', { name: 'notebook' })).toBeVisible();
    await look(page, kind);
    await page.goto(`/${kind}/${id}?tab=delete`);
    await expect(page.getByText(`A ${kind} that a workspace uses can’t be deleted.`)).toBeVisible();
    await look(page, `${kind}-used`);
  }
  await page.goto('/volumes');
  await expect(page.getByRole('link', { name: 'models' })).toBeVisible();
  await look(page, 'volumes');

  await pb.collection('workspaces').delete(workspace.id);
  await page.goto(`/volume/${volume.id}?tab=delete`);
  await page.getByRole('button', { name: 'Delete volume' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete models?' });
  await expect(dialog.getByRole('radio', { name: 'Keep it' })).toBeChecked();
  await dialog.getByRole('radio', { name: 'Delete it too' }).check();
  await expect(dialog.getByRole('button', { name: 'Delete volume' })).toBeDisabled();
  await dialog.getByRole('textbox').fill('models');
  await look(page, 'volume-delete');
  await dialog.getByRole('button', { name: 'Delete volume' }).click();
  await expect(page.getByText('No volumes yet')).toBeVisible();
  await page.goto(`/network/${network.id}?tab=delete`);
  await page.getByRole('button', { name: 'Delete network' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('lab');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete network' }).click();
  await expect(page.getByText('No networks yet')).toBeVisible();
  expectQuiet();
  await context.close();
});

test('who may make none is told whom to ask, and finds nothing of others', async ({ browser }) => {
  const hidden = await pb.collection('volumes').create({ name: 'hidden', host: host.id });
  const { page, context } = await openWindow(browser, berth.url);
  await logIn(page, 'nora');
  await page.goto('/volumes');
  await expect(page.getByText('No host lets you make one yet: ask an admin.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'New volume' })).toHaveCount(0);
  await look(page, 'volumes-none');
  await page.goto(`/volume/${hidden.id}`);
  await expect(page.getByRole('heading', { name: 'There is nothing here' })).toBeVisible();
  await context.close();
});
