import path from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import Database from 'better-sqlite3';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, buildImage, localHost, PASSWORD, reaches, request, setUp, signIn } from '../setup/journey';
import { logIn, lookAtSizes, openWindow } from './browser';

/** The time of workspaces: bounded in the settings, set in the form, told on the page, held off by its button. */
let berth: ConsoleProcess;
let pb: PocketBase;
let host: RecordModel;
let image: RecordModel;

test.beforeAll(async () => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  pb = await setUp(berth.url);
  host = await localHost(pb);
  image = await buildImage(pb, host.id, { name: 'base', dockerfile: 'FROM scratch\n' });
  const person = { username: 'nora', email: 'nora@example.org', name: 'Nora Berg' };
  const nora = await pb
    .collection('users')
    .create({ ...person, password: PASSWORD, passwordConfirm: PASSWORD, verified: true });
  await pb
    .collection('host_permissions')
    .create({ host: host.id, user: nora.id, view: true, canCreateWorkspaces: true });
  await pb.collection('image_permissions').create({ image: image.id, user: nora.id, view: true, deploy: true });
});
test.afterAll(() => berth?.dispose());

/** On the small screen in light; what follows is looked at in light too. */
async function look(page: Page, name: string): Promise<void> {
  await lookAtSizes(page, name, 'light');
  await page.emulateMedia({ colorScheme: 'light' });
}

test('an admin bounds it, and a member sets it within the bounds', async ({ browser }) => {
  test.setTimeout(180_000);
  const { page, context, expectQuiet } = await openWindow(browser, berth.url);
  await logIn(page, admin.username);
  await page.goto('/settings?tab=times');
  await page.getByLabel('New ones stop after').fill('90');
  await page.getByLabel('Ceiling').first().fill('60');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('This is more than the ceiling.').first()).toBeVisible();
  await look(page, 'times-settings');
  await page.getByLabel('New ones stop after').fill('30');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('This is more than the ceiling.')).toHaveCount(0);
  await expect
    .poll(async () => (await pb.collection('settings').getFullList()).map(({ key }) => key))
    .toContain('times');
  expectQuiet();
  await context.close();

  const nora = await openWindow(browser, berth.url);
  await logIn(nora.page, 'nora');
  await nora.page.goto(`/workspaces/create?image=${image.id}`);
  await nora.page.getByRole('textbox', { name: 'Name', exact: true }).fill('notebook');
  const idle = nora.page.getByRole('textbox', { name: 'Stop when nobody uses it' });
  await expect(idle).toHaveValue('30');
  await idle.fill('600');
  await nora.page.getByRole('switch', { name: 'Start by the clock' }).click();
  await nora.page.getByRole('switch', { name: 'Stop by the clock' }).click();
  await nora.page.getByLabel('Starts at').fill('07:30');
  await nora.page.getByRole('group', { name: 'Days on which it stops' }).getByLabel('Saturday').check();
  await nora.page.getByLabel('Time zone').fill('Mars/Olympus');
  await nora.page.getByRole('button', { name: 'Create, start later' }).click();
  await expect(nora.page.getByText('Must be the name of a time zone.').first()).toBeVisible();
  await nora.page.getByLabel('Time zone').scrollIntoViewIfNeeded();
  await look(nora.page, 'times-form');
  await nora.page.getByLabel('Time zone').fill('Europe/Budapest');
  await nora.page.getByRole('button', { name: 'Create, start later' }).click();
  await expect(nora.page.getByText('Enter at most 60 minutes: admins allow no more.').first()).toBeVisible();
  await idle.fill('45');
  await nora.page.getByRole('button', { name: 'Create, start later' }).click();
  await nora.page.waitForURL(/\/workspace\//);
  const [made] = await pb.collection('workspaces').getFullList({ filter: 'name = "notebook"' });
  expect(made).toMatchObject({
    idleMinutes: 45,
    schedule: {
      timeZone: 'Europe/Budapest',
      start: { at: '07:30', weekdays: [1, 2, 3, 4, 5] },
      stop: { at: '18:00', weekdays: [1, 2, 3, 4, 5, 6] },
    },
  });
  await expect(nora.page.getByRole('listitem').filter({ hasText: /^Starts at .*\.$/ })).toBeVisible();
  nora.expectQuiet();
  await nora.context.close();
});

test('the page says what comes, and Keep holds it off', async ({ browser }) => {
  test.setTimeout(180_000);
  const own = await signIn(berth.url, 'nora');
  const schedule = { timeZone: 'UTC', start: null, stop: { at: '18:00', weekdays: [0, 1, 2, 3, 4, 5, 6] } };
  const fields = { host: host.id, image: image.id, schedule, deleteAfterDays: 1 };
  const { id } = await own.collection('workspaces').create({ name: 'lab', ...fields });
  const { page, context, expectQuiet } = await openWindow(browser, berth.url);
  await logIn(page, 'nora');
  await page.goto(`/workspace/${id}`);
  await expect(page.getByRole('listitem').filter({ hasText: /^Is deleted at .*\.$/ })).toBeVisible();
  await look(page, 'times-deleted');
  await page.goto('/workspaces');
  await expect(page.getByText(/^Is deleted at .*\.$/).last()).toBeVisible();
  await look(page, 'times-list');
  await request(own, 'workspace', id, 'start');
  await reaches(own, { collection: 'workspaces', id, status: 'running' });
  await page.goto(`/workspace/${id}`);
  await expect(page.getByRole('listitem').filter({ hasText: /^Stops at .*\.$/ })).toBeVisible();
  await page.getByRole('button', { name: 'Keep' }).click();
  await look(page, 'times-keep');
  await page.getByRole('menuitem', { name: 'For 4 hours' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: /^Kept until .*\.$/ })).toBeVisible();
  await look(page, 'times-overview');
  await page.getByRole('button', { name: 'Keep' }).click();
  await page.getByRole('menuitem', { name: 'Until a time' }).click();
  const dialog = page.getByRole('dialog', { name: 'Keep until' });
  await dialog.getByLabel('Until').fill('2099-01-01T12:00');
  await dialog.getByRole('button', { name: 'Keep' }).click();
  await expect(dialog.getByText('Workspaces are kept for at most 168 hours at a time.')).toBeVisible();
  await look(page, 'times-dialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Keep' }).click();
  await page.getByRole('menuitem', { name: 'Keep no longer' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: /^Kept until/ })).toHaveCount(0);
  expect(await own.collection('workspaces').getOne(id)).toMatchObject({ keptUntil: '' });
  expectQuiet();
  await context.close();
});

test('the bell tells what the clock did and will do', async ({ browser }) => {
  test.setTimeout(120_000);
  const own = await signIn(berth.url, 'nora');
  const user = own.authStore.model!.id as string;
  const db = new Database(path.join(berth.dataDir, 'berth.db'));
  const insert = db.prepare(
    'INSERT INTO time_notices (id, created, updated, "user", workspace, name, kind, details) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const at = new Date(Date.now() + 600_000).toISOString().replace('T', ' ');
  const reason = 'You do not have permission to create workspaces on this host.';
  Object.entries({
    idleSoon: { minutes: 60, at },
    idleStopped: { minutes: 60 },
    startFailed: { at, reason },
    startMissed: { at },
    stopMissed: { at },
    deleteSoon: { days: 7, at },
    deleted: { days: 7 },
  }).forEach(([kind, details], index) => {
    const created = new Date(Date.now() - index * 60_000).toISOString().replace('T', ' ');
    const id = `notice${String(index).padStart(9, '0')}`;
    insert.run(id, created, created, user, 'w'.repeat(15), 'notebook', kind, JSON.stringify(details));
  });
  db.close();
  const { page, context, expectQuiet } = await openWindow(browser, berth.url);
  await logIn(page, 'nora');
  await page.getByRole('button', { name: /^Notifications/ }).click();
  for (const words of [
    /^notebook stops at .* if it is not used until then/,
    /^notebook was stopped after 60 minutes without use/,
    `notebook was not started by its schedule: ${reason}`,
    /^notebook is deleted at /,
    /^notebook was deleted: stopped for 7 days/,
  ]) {
    await expect(page.getByText(words).last()).toBeVisible();
  }
  await look(page, 'times-bell');
  expectQuiet();
  await context.close();
});
