import path from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import Database from 'better-sqlite3';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, localHost, PASSWORD, setUp, signIn } from '../setup/journey';
import { expectAccessible, logIn, openWindow, type WatchedPage } from './browser';

/** A console with thousands of everything: what is counted is right, and everything can be found by typing. */
test.describe.configure({ mode: 'serial' });

const MANY = 5_000;

let berth: ConsoleProcess;
let pb: PocketBase;
let office: WatchedPage;
let page: Page;
let host: RecordModel;
let image: RecordModel;
let workspace: RecordModel;

test.beforeAll(async ({ browser }) => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  pb = await setUp(berth.url);
  const nora = { username: 'nora', email: 'nora@example.org', name: 'Nora Berg' };
  const person = await pb.collection('users').create({ ...nora, password: PASSWORD, passwordConfirm: PASSWORD });
  host = await localHost(pb);
  const pull = { creationType: 'pullAnImage', dockerImageName: 'docker.io/library/postgres:17', enabled: true };
  image = await pb.collection('images').create({ ...pull, name: 'postgres', build_on: host.id });
  workspace = await pb
    .collection('workspaces')
    .create({ name: 'db', host: host.id, image: image.id, enabled: true, description: 'the first' });
  addCopies(person.id);
  office = await openWindow(browser, berth.url);
  page = office.page;
  await logIn(page, admin.username);
});

test.afterEach(() => office.expectQuiet());

test.afterAll(async () => {
  await page?.context().close();
  await berth?.dispose();
});

/** Thousands of people, hosts, images and workspaces, as copies of the first of each; every person may view the workspace. */
function addCopies(personId: string): void {
  const db = new Database(path.join(berth.dataDir, 'berth.db'));
  const copy = (table: string, id: string, prefix: string, change: (index: number) => Record<string, unknown>) => {
    const row = db.prepare(`SELECT * FROM ${table} WHERE id = ?`).get(id) as Record<string, unknown>;
    const names = Object.keys(row);
    const insert = db.prepare(
      `INSERT INTO ${table} (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`,
    );
    for (let index = 0; index < MANY; index += 1) {
      insert.run({ ...row, id: `${prefix}${String(index).padStart(15 - prefix.length, '0')}`, ...change(index) });
    }
  };
  const number = (index: number) => String(index).padStart(4, '0');
  db.transaction(() => {
    copy('users', personId, 'person', (index) => ({
      username: `person${index}`,
      email: `person${index}@example.org`,
      name: `Person ${number(index)}`,
      token_key: `key-of-person-${index}`,
    }));
    copy('hosts', host.id, 'host', (index) => ({ name: `host-${number(index)}` }));
    copy('images', image.id, 'image', (index) => ({ name: `image-${number(index)}`, tag: `v${index}` }));
    copy('workspaces', workspace.id, 'space', (index) => ({ name: `space-${number(index)}` }));
    const grant = db.prepare(
      `INSERT INTO workspace_permissions (id, created, updated, user, workspace, view) VALUES (?, ?, ?, ?, ?, 1)`,
    );
    for (let index = 0; index < 600; index += 1) {
      const at = `2026-11-20 12:00:00.${String(index).padStart(3, '0')}Z`;
      grant.run(
        `grant${String(index).padStart(10, '0')}`,
        at,
        at,
        `person${String(index).padStart(9, '0')}`,
        workspace.id,
      );
    }
  }).immediate();
  db.close();
}

test('a form finds a host and an image by typing, with the keyboard alone', async () => {
  await page.goto('/workspaces/create');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('typed');
  await page.getByRole('combobox', { name: 'Host', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('The first 20 of 5,001. Type to find others.')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.type('4321');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Host', exact: true })).toContainText('host-4321');
  await expect(page.getByText('host-4321 is online')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Host', exact: true })).toBeFocused();
  await page.getByRole('combobox', { name: 'Image', exact: true }).click();
  await page.getByPlaceholder('Search images').fill('image-4999');
  await page.getByRole('option', { name: /image-4999/ }).click();
  await expect(page.getByRole('combobox', { name: 'Image', exact: true })).toContainText('image-4999');
  await page.getByRole('button', { name: 'Create, start later' }).click();
  await expect(page.getByRole('heading', { name: 'typed' })).toBeVisible();
  const made = await pb.collection('workspaces').getFirstListItem('name = "typed"');
  expect(made).toMatchObject({ host: 'host00000004321', image: 'image0000004999' });
});

test('someone without rights to most hosts finds the ones that are theirs', async ({ browser }) => {
  const nora = await pb.collection('users').getFirstListItem('username = "nora"');
  const grants = pb.collection('host_permissions');
  await grants.create({ user: nora.id, host: 'host00000000007', view: true });
  await grants.create({ user: nora.id, host: 'host00000004000', canCreateWorkspaces: true });
  const own = await openWindow(browser, berth.url);
  await logIn(own.page, 'nora');
  await own.page.goto('/workspaces/create');
  // The one host there is to pick is picked already.
  await expect(own.page.getByRole('combobox', { name: 'Host', exact: true })).toContainText('host-4000');
  await own.page.getByRole('combobox', { name: 'Host', exact: true }).click();
  await expect(own.page.getByRole('option')).toHaveCount(1);
  await own.page.goto('/images/create');
  await expect(own.page.getByText('No host lets you make images. Ask an admin.')).toBeVisible();
  own.expectQuiet();
  await own.context.close();
});

test('a filter finds an owner by typing and keeps their name after a reload', async () => {
  await page.goto('/workspaces');
  await page.getByRole('button', { name: 'Owner' }).click();
  await expect(page.getByRole('option', { name: 'Me', exact: true })).toBeVisible();
  await page.getByPlaceholder('Owner').fill('Person 3456');
  await page.getByRole('option', { name: /Person 3456/ }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Owner Person 3456' })).toBeVisible();
});

test('what uses a host or an image is counted beyond the first hundreds', async () => {
  await page.goto(`/host/${host.id}?tab=delete`);
  await expect(page.getByRole('link', { name: '5,001 workspaces' })).toBeVisible();
  await expect(page.getByRole('link', { name: '5,001 images' })).toBeVisible();
  await page.goto(`/image/${image.id}?tab=delete`);
  await page.getByRole('button', { name: 'Delete image' }).click();
  await expect(page.getByText('5,001 workspaces use this image.')).toBeVisible();
  await expect(page.getByText('and 4,993 more workspaces')).toBeVisible();
  await page.goto('/hosts?search=local');
  await expect(page.getByRole('row', { name: /local/ }).getByRole('cell', { name: '5001', exact: true })).toBeVisible();
});

test('permissions are given to people beyond the first page, and not twice', async () => {
  await page.goto(`/workspace/${workspace.id}?tab=permissions`);
  await expect(page.getByRole('row', { name: /Person 0099/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /Person 0100/ })).toHaveCount(0);
  const add = async (name: string) => {
    await page.getByRole('button', { name: 'Add people' }).click();
    await page.getByPlaceholder('Search people').fill(name);
    await page.getByRole('option', { name: new RegExp(name) }).click();
  };
  await add('Person 4500');
  // One who has a permission that lies on a later page.
  await add('Person 0555');
  await expect(page.getByText('1 change', { exact: true })).toBeVisible();
  await page.getByRole('checkbox', { name: 'Modify for Person 0555' }).click();
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(page.getByRole('row', { name: /Person 0100/ })).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Not saved')).toHaveCount(0);
  const grants = pb.collection('workspace_permissions');
  expect(await grants.getFirstListItem("user.name = 'Person 0555'")).toMatchObject({ view: true, modify: true });
  expect((await grants.getList(1, 1, { filter: `workspace = '${workspace.id}'` })).totalItems).toBe(601);
  const added = await signIn(berth.url, 'person4500');
  expect((await added.collection('workspaces').getOne(workspace.id)).name).toBe('db');
});
