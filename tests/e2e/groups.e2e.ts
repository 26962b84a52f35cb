import { expect, test } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, localHost, PASSWORD, setUp } from '../setup/journey';
import { logIn, lookAtSizes, openWindow } from './browser';

/** Groups: made, filled, given a permission, asked about and deleted on their pages. */
let berth: ConsoleProcess;
let pb: PocketBase;
let volume: RecordModel;
let ann: RecordModel;

test.beforeAll(async () => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  pb = await setUp(berth.url);
  for (const [username, name] of [
    ['ann', 'Ann Berg'],
    ['ben', 'Ben Holm'],
  ]) {
    const person = { username, name, email: `${username}@example.org`, verified: true };
    const made = await pb.collection('users').create({ ...person, password: PASSWORD, passwordConfirm: PASSWORD });
    if (username === 'ann') ann = made;
  }
  const host = await localHost(pb);
  volume = await pb.collection('volumes').create({ name: 'models', host: host.id });
});
test.afterAll(() => berth?.dispose());

test('a group is made, filled, given a permission, asked about, and deleted', async ({ browser }) => {
  test.setTimeout(180_000);
  const { page, context, expectQuiet } = await openWindow(browser, berth.url);
  await logIn(page, admin.username);
  await page.getByRole('link', { name: /^Groups/ }).click();
  await expect(page.getByText('No groups yet')).toBeVisible();
  await lookAtSizes(page, 'groups-empty');
  await page.getByRole('link', { name: 'New group' }).first().click();
  await page.getByRole('button', { name: 'Create group' }).click();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('textbox', { name: 'Name' }).fill('Course A');
  await page.getByRole('textbox', { name: 'Description' }).fill('Spring term');
  await lookAtSizes(page, 'group-create');
  await page.getByRole('button', { name: 'Create group' }).click();

  await expect(page.getByText('Nobody is in this group.')).toBeVisible();
  for (const name of ['Ann Berg', 'Ben Holm']) {
    await page.getByRole('button', { name: 'Add members' }).click();
    await page.getByPlaceholder('Search people').fill(name);
    await page.getByRole('option', { name }).click();
    await expect(page.getByRole('list', { name: 'Members' }).getByText(name)).toBeVisible();
  }
  await expect(page.getByText('2 members')).toBeVisible();
  await page.getByRole('button', { name: 'Take Ben Holm out of the group' }).click();
  await expect(page.getByText('1 member', { exact: true })).toBeVisible();
  await lookAtSizes(page, 'group-members');

  await page.goto('/groups/create');
  await page.getByRole('textbox', { name: 'Name' }).fill('Course A');
  await page.getByRole('button', { name: 'Create group' }).click();
  await expect(page.getByText('This name is already taken by another group.').first()).toBeVisible();
  await page.getByRole('textbox', { name: 'Name' }).fill('');

  await page.goto(`/volume/${volume.id}?tab=permissions`);
  await page.getByRole('button', { name: 'Add people or groups' }).click();
  await page.getByPlaceholder('Search people and groups').fill('Course');
  await lookAtSizes(page, 'permission-search');
  await page.getByRole('option', { name: /Course A/ }).click();
  await page.getByRole('checkbox', { name: 'Attach for Course A' }).check();
  await page.getByRole('checkbox', { name: 'Modify for Course A' }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Permissions are saved')).toBeVisible();
  await lookAtSizes(page, 'permission-editor');

  await page.getByRole('button', { name: 'Ask why' }).click();
  await page.getByPlaceholder('Search people').fill('Ann');
  await page.getByRole('option', { name: /Ann Berg/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Ann Berg may attach to it')).toBeVisible();
  await expect(dialog.getByText(/^The group Course A holds attach: .+ set it on .+\.$/)).toBeVisible();
  await expect(dialog.getByText('Ann Berg may not delete it')).toBeVisible();
  await expect(dialog.getByText('Nobody gave it.').first()).toBeVisible();
  await lookAtSizes(page, 'why');
  await page.keyboard.press('Escape');

  await page.goto(`/user/${ann.id}?tab=reach`);
  await expect(page.getByRole('link', { name: 'models' })).toBeVisible();
  await expect(page.getByText(/^The group Course A holds attach and modify/)).toBeVisible();
  await lookAtSizes(page, 'user-reach');
  await page.goto('/groups');
  await expect(page.getByText('1 member', { exact: true })).toBeVisible();
  await lookAtSizes(page, 'groups');
  await page.getByRole('link', { name: 'Course A' }).click();
  await page.getByRole('tab', { name: 'Reach' }).click();
  await expect(page.getByRole('link', { name: 'models' })).toBeVisible();
  await lookAtSizes(page, 'group-reach');
  await page.getByRole('tab', { name: 'Delete' }).click();
  await expect(page.getByText(/One permission goes with it/)).toBeVisible();
  await page.getByRole('button', { name: 'Delete group' }).click();
  await lookAtSizes(page, 'group-delete');
  await page.getByRole('dialog').getByRole('textbox').fill('Course A');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete group' }).click();
  await expect(page.getByText('No groups yet')).toBeVisible();
  expect((await pb.collection('volume_permissions').getList()).totalItems).toBe(0);
  expectQuiet();
  await context.close();
});

test('a member sees at once what their group is given and loses', async ({ browser }) => {
  test.setTimeout(120_000);
  const group = await pb.collection('groups').create({ name: 'Lab' });
  await pb.collection('volume_permissions').create({ group: group.id, volume: volume.id, attach: true });
  const { page, context, expectQuiet } = await openWindow(browser, berth.url);
  await logIn(page, 'ann');
  await expect(page.getByRole('link', { name: /^Groups/ })).toHaveCount(0);
  await page.goto('/volumes');
  await expect(page.getByText('No volumes yet')).toBeVisible();
  const membership = await pb.collection('group_members').create({ group: group.id, user: ann.id });
  await expect(page.getByRole('link', { name: 'models' })).toBeVisible();
  await pb.collection('group_members').delete(membership.id);
  await expect(page.getByRole('link', { name: 'models' })).toHaveCount(0);
  for (const address of ['/groups', '/groups/create', `/group/${group.id}`]) {
    await page.goto(address);
    await page.waitForURL('**/users');
  }
  await page.goto(`/volume/${volume.id}`);
  await expect(page.getByText('models')).toHaveCount(0);
  expectQuiet();
  await context.close();
});
