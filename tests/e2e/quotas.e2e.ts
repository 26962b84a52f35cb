import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, localHost, PASSWORD, reaches, request, setUp, signIn } from '../setup/journey';
import { logIn, lookAtSizes, openWindow } from './browser';

/** Quotas: set by an admin on the pages of a person, of a group and of the settings; seen and met by whom they bind. */
test.describe.configure({ mode: 'serial' });

let berth: ConsoleProcess;
let pb: PocketBase;
let host: RecordModel;
let image: RecordModel;
let priya: RecordModel;
let group: RecordModel;

test.beforeAll(async () => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  pb = await setUp(berth.url);
  const person = { username: 'priya', email: 'priya@example.org', name: 'Priya Nair' };
  priya = await pb.collection('users').create({ ...person, password: PASSWORD, passwordConfirm: PASSWORD });
  host = await localHost(pb);
  const dockerfile = 'FROM ubuntu:24.04\nRUN echo ready\n';
  const body = { name: 'lab', creationType: 'writeDockerfile', dockerfile, build_on: host.id, enabled: true };
  image = await pb.collection('images').create(body);
  await request(pb, 'image', image.id, 'build');
  await reaches(pb, { collection: 'images', id: image.id, status: 'build_finished' });
  const given = { user: priya.id, view: true };
  await pb.collection('image_permissions').create({ ...given, image: image.id, deploy: true });
  await pb.collection('host_permissions').create({ ...given, host: host.id, canCreateWorkspaces: true });
  group = await pb.collection('groups').create({ name: 'Course A' });
  await pb.collection('group_members').create({ group: group.id, user: priya.id });
});
test.afterAll(() => berth?.dispose());

async function setAmount(page: Page, name: string, value: string, counted = name): Promise<void> {
  await page.getByRole('combobox', { name, exact: true }).click();
  await page.getByRole('option', { name: value === '' ? 'No limit' : 'At most' }).click();
  if (value !== '') await page.getByRole('textbox', { name: `${counted} at most` }).fill(value);
}

test('an admin sets them for everybody, for a group and for a person', async ({ browser }) => {
  test.setTimeout(180_000);
  const { page, context, expectQuiet } = await openWindow(browser, berth.url);
  await logIn(page, admin.username);
  await page.goto('/settings?tab=quotas');
  await setAmount(page, 'GPUs', 'many');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'GPUs at most' })).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('textbox', { name: 'GPUs at most' }).fill('0');
  await lookAtSizes(page, 'quota-default');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Nothing that runs is stopped.')).toBeVisible();

  await page.goto(`/group/${group.id}?tab=quota`);
  await setAmount(page, 'CPU cores', '4');
  await setAmount(page, 'Memory', '1.5');
  await setAmount(page, 'Storage', '');
  await setAmount(page, 'Unused until stopped', '3', 'Minutes');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Enter a whole number within the range.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Minutes at most' }).fill('240');
  await lookAtSizes(page, 'quota-group');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Nothing that runs is stopped.')).toBeVisible();
  const [ofGroup] = await pb.collection('quotas').getFullList({ filter: `group = "${group.id}"` });
  expect(ofGroup).toMatchObject({ cpus: 4, memoryBytes: 1.5 * 1024 ** 3, storageBytes: 'unlimited', gpus: null });
  expect(ofGroup).toMatchObject({ idleMinutesMax: 240, keepHoursMax: null });

  await page.goto(`/user/${priya.id}?tab=quota`);
  const usage = page.getByRole('list', { name: 'In use' });
  await expect(usage.getByRole('listitem').filter({ hasText: 'CPU cores' })).toContainText('0 of 4');
  await expect(usage.getByRole('link', { name: 'Course A' })).toHaveCount(4);
  await expect(usage.getByRole('listitem').filter({ hasText: 'Unused until stopped' })).toContainText(
    'At most 240 minutes',
  );
  await setAmount(page, 'Running workspaces', '1');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(usage.getByRole('listitem').filter({ hasText: 'Running workspaces' })).toContainText('0 of 1');
  await expect(usage.getByRole('listitem').filter({ hasText: 'Running workspaces' })).toContainText('Set by name');
  await lookAtSizes(page, 'quota-user');
  expectQuiet();
  await context.close();
});

test('whom they bind sees them, and meets them in the form', async ({ browser }) => {
  test.setTimeout(180_000);
  const own = await signIn(berth.url, 'priya');
  const body = { host: host.id, image: image.id, enabled: true, cpuLimit: 4, memoryLimit: 1024 ** 3 };
  const running = await own.collection('workspaces').create({ ...body, name: 'first' });
  await request(own, 'workspace', running.id, 'start');
  await reaches(own, { collection: 'workspaces', id: running.id, status: 'running' });

  const { page, context } = await openWindow(browser, berth.url);
  await logIn(page, 'priya');
  await page.goto('/profile?tab=quota');
  const usage = page.getByRole('list', { name: 'In use' });
  await expect(usage.getByRole('listitem').filter({ hasText: 'CPU cores' })).toContainText('4 of 4');
  await lookAtSizes(page, 'quota-profile');

  await page.goto(`/workspaces/create?image=${image.id}`);
  await expect(page.getByText('Running workspaces: 1 of 1, CPU cores: 4 of 4.')).toBeVisible();
  await lookAtSizes(page, 'quota-near');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('second');
  await expect(page.getByText('Set a CPU limit: your quota counts it.').first()).toBeVisible();
  await page.getByRole('textbox', { name: 'CPU limit' }).fill('8');
  await page.getByRole('button', { name: 'Create, start later' }).click();
  const cpu = page.getByRole('textbox', { name: 'CPU limit' });
  await expect(cpu).toHaveAttribute('aria-invalid', 'true');
  const words = 'Your quota of CPU cores is 4; 4 in use (running workspaces: 1), and this one asks for 8.';
  await expect(page.getByText(words).first()).toBeVisible();
  await expect(page.getByText('Set a memory limit: your quota counts it.').first()).toBeVisible();
  await lookAtSizes(page, 'quota-refused');
  await cpu.fill('2');
  await page.getByRole('textbox', { name: 'Memory limit' }).fill('1');
  await page.getByRole('button', { name: 'Create and start' }).click();
  await expect(
    page.getByText('Your quota of running workspaces is 1, and 1 run. Stop one first.').first(),
  ).toBeVisible();

  const [quota] = await pb.collection('quotas').getFullList({ filter: `user = "${priya.id}"` });
  await pb.collection('quotas').update(quota!.id, { cpus: 1 });
  await page.goto('/profile?tab=quota');
  await expect(page.getByText('Nothing is stopped, and nothing more is started.')).toBeVisible();
  await expect(page.getByText('From the group Course A').first()).toBeVisible();
  await expect(usage.getByRole('link')).toHaveCount(0);
  await lookAtSizes(page, 'quota-over');
  await context.close();
});
