import path from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import Database from 'better-sqlite3';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, localHost, PASSWORD, reaches, request, setUp } from '../setup/journey';
import { expectAccessible, logIn, openWindow, type WatchedPage } from './browser';

/** What every list does: batches, addresses, columns and counts. */
test.describe.configure({ mode: 'serial' });

const REFERENCE = 'registry.research.example.org:5000/data-science/jupyterlab-gpu:2026-11';

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
  host = await localHost(pb);
  const pull = { creationType: 'pullAnImage', enabled: true, build_on: host.id };
  await pb.collection('images').create({ ...pull, name: 'jupyter', dockerImageName: REFERENCE });
  image = await pb
    .collection('images')
    .create({ ...pull, name: 'postgres', dockerImageName: 'docker.io/library/postgres:17' });
  await request(pb, 'image', image.id, 'build');
  for (let index = 0; index < 11; index += 1)
    workspace = await makeWorkspace(`space-${String(index).padStart(2, '0')}`);
  office = await openWindow(browser, berth.url);
  page = office.page;
  await logIn(page, admin.username);
  await page.evaluate(() => localStorage.setItem('berth-userPreferences', '{"isFirstUseOver":true}'));
});

test.afterEach(() => office.expectQuiet());

test.afterAll(async () => {
  await page?.context().close();
  await berth?.dispose();
});

function makeWorkspace(name: string): Promise<RecordModel> {
  const body = { name, host: host.id, image: image.id, enabled: true, memoryLimit: 1_000_000_000 };
  return pb.collection('workspaces').create(body);
}

const templateId = (table: string) => `template${table}0000`.slice(0, 15);

/** Templates can't be made by pages yet. */
function addTemplates(): void {
  const db = new Database(path.join(berth.dataDir, 'berth.db'));
  for (const [table, id] of [
    ['workspaces', workspace.id],
    ['images', image.id],
  ] as const) {
    const row = db.prepare(`SELECT * FROM ${table} WHERE id = ?`).get(id) as Record<string, unknown>;
    const names = Object.keys(row);
    const insert = `INSERT INTO ${table} (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`;
    db.prepare(insert).run({ ...row, id: templateId(table), name: `template of ${table}`, template: 1 });
  }
  db.close();
}

const bar = () => page.getByRole('toolbar', { name: 'Actions on the selected rows' });
const select = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` }).click();
const count = (area: string) => page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: area });

test('no button of the batch bar moves under the pointer, whatever the bar says', async () => {
  await page.goto('/workspaces?sort=name');
  const first = await pb.collection('workspaces').getFirstListItem('name = "space-00"');
  await request(pb, 'workspace', first.id, 'start');
  await reaches(pb, { collection: 'workspaces', id: first.id, status: 'running' });
  await expect(page.getByRole('row', { name: /space-00/ })).toContainText('Running', { timeout: 60_000 });
  await select('space-00');
  await select('space-01');
  const places = async () => {
    const boxes = await bar().getByRole('button').all();
    return Promise.all(boxes.map(async (button) => (await button.boundingBox())?.x));
  };
  const before = await places();
  for (const name of ['Start', 'Stop', 'Redeploy', 'Delete']) {
    await bar().getByRole('button', { name }).hover();
    expect(await places(), name).toEqual(before);
  }
  await bar().getByRole('button', { name: 'Stop' }).hover();
  await expect(bar()).toContainText('Stop skips 1, not possible now');
  await expectAccessible(page);
});

test('a batch that stops something asks once, with number, names and what it skips', async () => {
  await bar().getByRole('button', { name: 'Stop' }).click();
  const asked = page.getByRole('dialog', { name: 'Stop 1 workspace?' });
  await expect(asked.getByRole('listitem')).toHaveText(['space-00']);
  await expect(asked).toContainText('Stop skips 1, not possible now');
  await expectAccessible(page);
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await bar().getByRole('button', { name: 'Redeploy' }).click();
  const many = page.getByRole('dialog', { name: 'Redeploy 2 workspaces?' });
  await expect(many.getByRole('listitem')).toHaveText(['space-00', 'space-01']);
  await many.getByRole('button', { name: 'Cancel' }).click();
  expect((await pb.collection('deployments').getList(1, 1)).totalItems).toBe(1);
  await bar().getByRole('button', { name: 'Stop' }).click();
  await asked.getByRole('button', { name: 'Stop 1' }).click();
  await expect(page.getByRole('row', { name: /space-00/ })).toContainText('Stopped');
  await bar().getByRole('button', { name: 'Clear the selection' }).click();
  await expect(bar()).toBeHidden();
});

test('a batch of builds and of accounts asks too', async () => {
  await page.goto('/images');
  await select('postgres');
  await bar().getByRole('button', { name: 'Build', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Build 1 image?' })).toContainText('postgres');
  await page.keyboard.press('Escape');
  const nora = { username: 'nora', email: 'nora@example.org', name: 'Nora Berg', enabled: true };
  await pb.collection('users').create({ ...nora, password: PASSWORD, passwordConfirm: PASSWORD });
  await page.goto('/users');
  await select('Nora Berg');
  await bar().getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('dialog', { name: 'Disable 1 account?' }).getByRole('button', { name: 'Disable 1' }).click();
  await expect(page.getByRole('row', { name: /Nora Berg/ })).toContainText('Disabled');
});

test('a list comes with its page, before anything is asked for', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/collections/workspaces/records**', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/workspaces?perPage=25');
  await expect(page.getByRole('row', { name: /space-10/ })).toBeVisible();
  release();
  await page.unrouteAll({ behavior: 'wait' });
  await expect(page.getByRole('row', { name: /space-10/ })).toBeVisible();
});

test('a page past the end becomes the last one, a sort that is none the usual one', async () => {
  await page.goto('/workspaces?page=999&sort=name');
  await expect(page.getByRole('link', { name: 'space-10', exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/workspaces\?page=1&sort=name$/);
  await expect(page.getByText('11–11 of 11')).toBeVisible();
  await page.goto('/workspaces?sort=foo&search=space');
  await expect(page.getByRole('link', { name: 'space-10', exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/workspaces\?search=space$/);
  await page.goto('/hosts?page=7');
  await expect(page.getByRole('link', { name: 'local', exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/hosts$/);
});

test('counts and lists know no templates, and a template is not built or started', async () => {
  addTemplates();
  await page.goto('/images');
  await expect(count('Images')).toContainText('2');
  await expect(count('Workspaces')).toContainText('11');
  await page.goto(`/image/${templateId('images')}`);
  await expect(page.getByRole('heading', { name: 'template of images' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Template');
  for (const name of ['Pull', 'Build']) await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0);
  await page.goto(`/workspace/${templateId('workspaces')}`);
  await expect(page.getByRole('heading', { name: 'template of workspaces' })).toBeVisible();
  for (const name of ['Start', 'Redeploy']) {
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0);
  }
});

/** What is cut off: columns whose text goes on, apart from long names, and what lies outside of the page. */
async function cutOff(): Promise<string[]> {
  return page.evaluate(() => {
    const wrong: string[] = [];
    const { right } = document.querySelector('main')!.getBoundingClientRect();
    for (const cell of document.querySelectorAll<HTMLElement>('main th, main td')) {
      const box = cell.getBoundingClientRect();
      if (box.width === 0) continue;
      if (box.right > right + 1) wrong.push(`${cell.textContent} ends at ${box.right}`);
      if (cell.tagName === 'TH' && cell.scrollWidth > cell.clientWidth) wrong.push(`head ${cell.textContent}`);
    }
    for (const button of document.querySelectorAll<HTMLElement>('main button')) {
      const box = button.getBoundingClientRect();
      if (box.width > 0 && box.right > right + 1 && !button.closest('[role=tablist], .overflow-x-auto'))
        wrong.push(`${button.textContent || button.ariaLabel} ends at ${box.right}`);
    }
    return wrong;
  });
}

test('columns have room for what they hold at every width, the least important goes first', async () => {
  const heads = () => page.getByRole('columnheader').allInnerTexts();
  for (const width of [1440, 1280, 1100, 1030, 390]) {
    await page.setViewportSize({ width, height: 800 });
    for (const list of ['workspaces', 'images', 'hosts', 'users', 'audit']) {
      await page.goto(`/${list}`);
      await expect(page.locator('tr[data-key-row]').first()).toBeVisible();
      expect(await cutOff(), `${list} at ${width}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/images');
  await expect(page.getByRole('columnheader', { name: 'Owner' })).toBeVisible();
  const cell = page.getByRole('cell', { name: 'docker.io/library/postgres:17' });
  const isWhole = () => cell.evaluate((element) => element.scrollWidth <= element.clientWidth);
  await expect.poll(isWhole).toBe(true);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(isWhole).toBe(true);
  await page.setViewportSize({ width: 1100, height: 800 });
  await expect(page.getByRole('columnheader', { name: 'Owner' })).toBeHidden();
  await expect.poll(isWhole).toBe(true);
  expect((await heads()).map((head) => head.trim())).toContain('Image name');
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('the editors of rows show all of a row at every width', async () => {
  for (const width of [1280, 1100, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/workspaces/create');
    await page.getByRole('button', { name: 'Add port' }).click();
    await page.getByRole('textbox', { name: 'Host IP' }).fill('255.255.255.255');
    await page.getByRole('textbox', { name: 'Container port' }).fill('30000-30010');
    await page.getByRole('button', { name: 'Add variable' }).click();
    expect(await cutOff(), `at ${width}`).toEqual([]);
    for (const field of await page.getByRole('table').getByRole('textbox').all()) {
      const isCut = await field.evaluate((input) => input.scrollWidth > input.clientWidth);
      expect(isCut, `${await field.getAttribute('aria-label')} at ${width}`).toBe(false);
    }
    await page.getByRole('table', { name: 'Ports' }).getByRole('button', { name: 'Remove row 1' }).click();
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.reload();
});

test('the title of the tab is that of the page, however quickly one goes on', async () => {
  const names = ['space-10', 'space-09', 'space-08'];
  await page.goto('/workspaces');
  await expect(page).toHaveTitle('Workspaces · Berth');
  for (const name of names) {
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { name })).toBeVisible();
    await expect(page).toHaveTitle(`${name} · Berth`);
    await page.getByRole('link', { name: 'Images' }).first().click();
    await page.getByRole('link', { name: 'Hosts' }).first().click();
    await page.getByRole('link', { name: 'Workspaces' }).first().click();
    await expect(page).toHaveTitle('Workspaces · Berth');
  }
  // What comes late is no reason to take another name.
  await page.getByRole('link', { name: 'space-10', exact: true }).click();
  await expect(page).toHaveTitle('space-10 · Berth');
  await page.evaluate(() => void (document.querySelector('title')!.textContent = 'Workspace · Berth'));
  await expect(page).toHaveTitle('space-10 · Berth');
  await page.goBack();
  await expect(page).toHaveTitle('Workspaces · Berth');
});

test('saving a description leaves the limits as they are', async () => {
  await page.goto(`/workspace/${workspace.id}?tab=settings`);
  await page.getByRole('textbox', { name: 'Description' }).fill('for the limits');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`${workspace.name} is saved`).first()).toBeVisible();
  const saved = await pb.collection('workspaces').getOne(workspace.id);
  expect(saved).toMatchObject({ description: 'for the limits', memoryLimit: 1_000_000_000 });
});
