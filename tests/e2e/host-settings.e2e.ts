import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, localHost, PASSWORD, setUp } from '../setup/journey';
import { logIn, openWindow, type WatchedPage } from './browser';
import { lookAt } from './forms';

/** The tabs of a host on which it is set up: registry accounts, intervals, timeouts. */
test.describe.configure({ mode: 'serial' });

let berth: ConsoleProcess;
let pb: PocketBase;
let watched: WatchedPage;
let page: Page;
let host: RecordModel;

test.beforeAll(async ({ browser }) => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  pb = await setUp(berth.url);
  host = await localHost(pb);
  const person = { username: 'nora', email: 'nora@example.org', name: 'Nora Berg', verified: true };
  await pb.collection('users').create({ ...person, password: PASSWORD, passwordConfirm: PASSWORD });
  watched = await openWindow(browser, berth.url);
  page = watched.page;
  await logIn(page, admin.username);
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await page?.context().close();
  await berth?.dispose();
});

const stored = () => pb.collection('hosts').getOne(host.id);
async function save(): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`${host.name} is saved`).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
}

test('an account is added with a password that is never shown again', async () => {
  await page.goto(`/host/${host.id}?tab=registry-auths`);
  await expect(page.getByText('No accounts yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Add account' }).click();
  await page.getByLabel('Registry', { exact: true }).fill('registry.example.org');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('This field is required').first()).toBeVisible();
  await page.getByLabel('Username').fill('robot');
  await page.getByLabel('Password').fill('hush hush');
  await save();
  await expect(page.getByLabel('Password')).toHaveValue('');
  await expect(page.getByLabel('Password')).toHaveAttribute('placeholder', 'kept, never shown again');
  expect(await stored()).toMatchObject({
    registry_auths: [{ serveraddress: 'registry.example.org', username: 'robot', password: '', pullRepositories: [] }],
  });
  await lookAt(page, 'host-registries');
});

test('an account is tested before it is saved, and what came of it goes when it is changed', async () => {
  await page.goto(`/host/${host.id}?tab=registry-auths`);
  const account = page.getByRole('group', { name: 'Account 1' });
  await account.getByRole('button', { name: 'Test account 1' }).click();
  // This engine is a simulated one; tests/engines asks a real registry.
  await expect(account.getByText('The engine of this host asks no registry.')).toBeVisible();
  await account.getByLabel('Password').fill('another');
  await expect(account.getByText('The engine of this host asks no registry.')).toHaveCount(0);
  await account.getByLabel('Password').fill('');
});

test('it is opened to a person for some repositories, and its password stays', async () => {
  await page.getByLabel('Others pull from').fill('team/base, tools');
  await expect(page.getByText('All who may create images here')).toBeVisible();
  const pull = page.getByRole('group', { name: 'Who may pull' });
  await pull.getByRole('button', { name: 'Add person' }).click();
  await page.getByRole('option', { name: /Nora Berg/ }).click();
  await expect(pull).toContainText('Nora Berg');
  await lookAt(page, 'host-registries-opened');
  await save();
  const [nora] = await pb.collection('users').getFullList({ filter: 'username = "nora"' });
  await expect.poll(stored).toMatchObject({
    registry_auths: [{ pullRepositories: ['team/base', 'tools'], pullUsers: [nora?.id], pushRepositories: [] }],
  });
  await page.getByLabel('Username').fill('other');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('This field is required').first()).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'Remove account 1' }).click();
  await save();
  await expect.poll(async () => (await stored()).registry_auths as unknown).toEqual([]);
});

test('a timeout is set, and emptied again', async () => {
  await page.getByRole('tab', { name: 'Timeouts' }).click();
  await page.getByLabel('Push timeout').fill('soon');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Please enter a number.').first()).toBeVisible();
  await page.getByLabel('Push timeout').fill('90');
  await save();
  await expect.poll(stored).toMatchObject({ push_timeout: 90, pull_timeout: 1800 });
  await lookAt(page, 'host-timeouts');
  await page.getByLabel('Push timeout').fill('');
  await save();
  await expect.poll(stored).toMatchObject({ push_timeout: 0 });
});

test('an interval is set', async () => {
  await page.getByRole('tab', { name: 'Intervals' }).click();
  await page.getByLabel('Heartbeat interval').fill('0');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Must be a whole number between 1 and 86,400.').first()).toBeVisible();
  await page.getByLabel('Heartbeat interval').fill('7');
  await save();
  await expect.poll(stored).toMatchObject({ heartbeat_interval_seconds: 7 });
  await lookAt(page, 'host-intervals');
});

test('hosts are disabled and enabled several at once, but for those that others manage', async () => {
  await page.goto('/hosts');
  const row = page.getByRole('row', { name: new RegExp(host.name as string) });
  await row.getByRole('checkbox').check();
  const bar = page.getByRole('toolbar', { name: 'Actions on the selected rows' });
  await bar.getByRole('button', { name: 'Disable' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Disable/ })
    .click();
  await expect.poll(async () => (await stored()).enabled as boolean).toBe(false);
  await expect(row).toContainText('Disabled');
  if (!(await row.getByRole('checkbox').isChecked())) await row.getByRole('checkbox').check();
  await bar.getByRole('button', { name: 'Enable' }).click();
  await expect.poll(async () => (await stored()).enabled as boolean).toBe(true);
});

test('its agent looks what is wrong when it is asked, and says what to do', async () => {
  await page.goto(`/host/${host.id}`);
  await page.getByRole('button', { name: 'Run checks' }).click();
  const checks = page.getByRole('list', { name: 'Checks' });
  await expect(checks.getByRole('listitem').filter({ hasText: 'Console: fine' })).toContainText('The console answers');
  await expect(checks.getByRole('listitem').filter({ hasText: 'WebSocket' })).toContainText(': fine');
  await lookAt(page, 'host-checks');
  await page.getByRole('button', { name: 'Run again' }).click();
  await expect(page.getByRole('button', { name: 'Run again' })).toBeEnabled();
});

test('who only sees a host changes nothing of it', async ({ browser }) => {
  const theirs = await openWindow(browser, berth.url);
  await logIn(theirs.page, 'nora');
  const [nora] = await pb.collection('users').getFullList({ filter: 'username = "nora"' });
  await pb.collection('host_permissions').create({ user: nora?.id, host: host.id, view: true });
  await theirs.page.goto('/hosts');
  await theirs.page
    .getByRole('row', { name: new RegExp(host.name as string) })
    .getByRole('checkbox')
    .check();
  const bar = theirs.page.getByRole('toolbar', { name: 'Actions on the selected rows' });
  await expect(bar.getByRole('button', { name: 'Disable' })).toHaveAttribute('aria-disabled', 'true');
  await expect(bar).toContainText('skips 1, not allowed');
  await theirs.page.goto(`/host/${host.id}`);
  await expect(theirs.page.getByRole('heading', { name: 'Machine' })).toBeVisible();
  await expect(theirs.page.getByRole('button', { name: 'Run checks' })).toHaveCount(0);
  await theirs.page.goto(`/host/${host.id}?tab=registry-auths`);
  await expect(theirs.page.getByText('No accounts yet.')).toBeVisible();
  await expect(theirs.page.getByRole('button', { name: 'Add account' })).toHaveCount(0);
  expect((await stored()).enabled).toBe(true);
  theirs.expectQuiet();
  await theirs.page.context().close();
});
