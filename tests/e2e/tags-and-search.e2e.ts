import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, localHost, PASSWORD, setUp } from '../setup/journey';
import { expectAccessible, logIn, lookAtSizes, openWindow, type WatchedPage } from './browser';

/** Tags on records, and the search box that reads `key:value`. */
test.describe.configure({ mode: 'serial' });

let berth: ConsoleProcess;
let pb: PocketBase;
let office: WatchedPage;
let page: Page;
let host: RecordModel;
let nora: RecordModel;

test.beforeAll(async ({ browser }) => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  pb = await setUp(berth.url);
  host = await localHost(pb);
  const person = { username: 'nora', email: 'nora@example.org', name: 'Nora Berg', verified: true };
  nora = await pb.collection('users').create({ ...person, password: PASSWORD, passwordConfirm: PASSWORD });
  for (const [name, tags] of [
    ['alpha', ['course', 'team/a']],
    ['beta', ['course']],
    ['gamma', []],
  ] as const)
    await pb.collection('volumes').create({ name, host: host.id, tags });
  office = await openWindow(browser, berth.url);
  page = office.page;
  await logIn(page, admin.username);
});

test.afterEach(() => office.expectQuiet());

test.afterAll(async () => {
  await page?.context().close();
  await berth?.dispose();
});

const box = () => page.getByRole('combobox', { name: 'Search volumes' });
const names = () => page.locator('tr[data-key-row] [data-key-open]');
const tagBox = () => page.getByRole('combobox', { name: 'Tags' });
const option = (name: string | RegExp) => page.getByRole('option', { name });

test('a volume is made with tags, by keyboard, and one is proposed', async () => {
  await page.goto('/volumes/create');
  await page.getByLabel('Name', { exact: true }).fill('delta');
  await tagBox().fill('Physics 101');
  await page.keyboard.press('Enter');
  await tagBox().pressSequentially('x,');
  await page.keyboard.press('Backspace');
  await tagBox().pressSequentially('cou');
  await expect(option(/^course/)).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await tagBox().pressSequentially('say "hi",');
  await expect(page.getByText('Tags have letters, digits').first()).toBeVisible();
  await expect(tagBox()).toHaveAttribute('aria-invalid', 'true');
  await lookAtSizes(page, 'tags-form');
  await tagBox().fill('');
  await page.getByRole('button', { name: 'Create volume' }).click();
  await expect(page.getByRole('heading', { name: 'delta' })).toBeVisible();
  const tags = page.getByRole('list', { name: 'Tags' });
  await expect(tags.getByRole('listitem')).toHaveText(['physics 101', 'course']);
  await lookAtSizes(page, 'tags-detail');
  await tags.getByRole('link', { name: 'course' }).click();
  await expect(page).toHaveURL(/\/volumes\?tag=course$/);
  await expect(names()).toHaveText(['alpha', 'beta', 'delta']);
});

test('a click on a tag of a row narrows the list, and a chip takes it back', async () => {
  await page.goto('/volumes');
  await expect(names()).toHaveText(['alpha', 'beta', 'delta', 'gamma']);
  await lookAtSizes(page, 'tags-list', 'light');
  await page.getByRole('button', { name: 'Show only what has the tag team/a' }).click();
  await expect(names()).toHaveText(['alpha']);
  await expect(page).toHaveURL(/tag=team%2Fa/);
  await page.getByRole('button', { name: 'Clear the filter Tag' }).click();
  await expect(names()).toHaveText(['alpha', 'beta', 'delta', 'gamma']);
  await page.getByRole('button', { name: 'Tag', exact: true }).click();
  await option(/physics/).click();
  await expect(names()).toHaveText(['delta']);
  await page.getByRole('button', { name: 'Clear filters' }).click();
});

test('tags of several are changed at once', async () => {
  for (const name of ['beta', 'gamma']) await page.getByRole('checkbox', { name: `Select ${name}` }).click();
  await page.getByRole('toolbar').getByRole('button', { name: 'Tags' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tags of 2 records' });
  await dialog.getByRole('combobox', { name: 'Add' }).fill('Spring');
  await page.keyboard.press('Enter');
  await dialog.getByRole('combobox', { name: 'Remove' }).fill('cou');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expectAccessible(page);
  await lookAtSizes(page, 'tags-dialog');
  await dialog.getByRole('button', { name: 'Change tags' }).click();
  await expect(page.getByText('The tags of 2 records were changed.')).toBeVisible();
  const rows = await pb.collection('volumes').getFullList({ filter: `tags ~ '"spring"'`, sort: 'name' });
  expect(rows.map(({ name, tags }) => [name, tags as string[]])).toEqual([
    ['beta', ['spring']],
    ['gamma', ['spring']],
  ]);
});

test('a search is typed in keys, completed by keyboard, and stays over a reload', async () => {
  await page.goto('/volumes');
  await box().pressSequentially('-ta');
  await expect(option(/^tag/)).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(box()).toHaveValue('-tag:');
  await box().pressSequentially('phy');
  await expect(option(/^physics 101/)).toBeVisible();
  await lookAtSizes(page, 'search-completion');
  await page.keyboard.press('ArrowDown');
  await expect(box()).toHaveAttribute('aria-activedescendant', /-0$/);
  await page.keyboard.press('Tab');
  await expect(box()).toHaveValue('-tag:"physics 101" ');
  await expect(names()).toHaveText(['alpha', 'beta', 'gamma']);
  await box().pressSequentially('owner:me a host:local');
  await expect(page).toHaveURL(/host%3Alocal/);
  await expect(names()).toHaveText(['alpha', 'beta', 'gamma']);
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await expect(names()).toHaveText(['gamma', 'beta', 'alpha']);
  await page.reload();
  await expect(box()).toHaveValue('-tag:"physics 101" owner:me a host:local');
  await expect(names()).toHaveText(['gamma', 'beta', 'alpha']);
});

test('what comes is there without a reload, and what no longer matches is told', async () => {
  await page.goto('/volumes?search=tag:spring');
  await expect(names()).toHaveText(['beta', 'gamma']);
  await pb.collection('volumes').create({ name: 'omega', host: host.id, tags: ['spring'] });
  await expect(names()).toHaveText(['beta', 'gamma', 'omega']);
  await box().fill('tag:summer');
  await expect(page.getByText('Nothing matches these filters.')).toBeVisible();
  await expect(names()).toHaveCount(0);
});

test('an unknown key or value is text, and that is said', async () => {
  await box().fill('color:red');
  await expect(page.getByText('“color:” is no key here')).toBeVisible();
  await box().fill('status:odd');
  await expect(page.getByText('There is no status “odd”')).toBeVisible();
  await lookAtSizes(page, 'search-hint');
  for (const odd of ["it's \\", '\\', "x\\' || id != ''", '@request.auth', 'tag:\\', "owner:'"]) {
    await box().fill(odd);
    await expect(page.getByText('Nothing matches these filters.'), odd).toBeVisible();
  }
  await box().fill('');
  await expect(names()).toHaveCount(5);
});

test('who sees little is told little, and may not change what is only seen', async ({ browser }) => {
  const shown = await pb.collection('volumes').getFirstListItem("name = 'alpha'");
  await pb.collection('volume_permissions').create({ volume: shown.id, user: nora.id, attach: true });
  const theirs = await openWindow(browser, berth.url);
  await logIn(theirs.page, 'nora');
  await theirs.page.goto('/volumes');
  await theirs.page.getByRole('button', { name: 'Tag', exact: true }).click();
  await expect(theirs.page.getByRole('option')).toHaveText([/^course/, /^team\/a/]);
  await theirs.page.keyboard.press('Escape');
  await theirs.page.getByRole('checkbox', { name: 'Select alpha' }).click();
  const act = theirs.page.getByRole('toolbar').getByRole('button', { name: 'Tags' });
  await expect(act).toHaveAttribute('aria-disabled', 'true');
  await expect(theirs.page.getByRole('toolbar')).toContainText('Tags skips 1, not allowed');
  await theirs.page.goto(`/volume/${shown.id}?tab=basic-information`);
  await expect(theirs.page.getByText('course').first()).toBeVisible();
  await expect(theirs.page.getByRole('button', { name: 'Remove the tag course' })).toBeHidden();
  theirs.expectQuiet();
  await theirs.page.context().close();
});
