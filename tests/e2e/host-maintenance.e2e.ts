import { expect, test } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, buildImage, localHost, PASSWORD, reaches, request, setUp } from '../setup/journey';
import { expectAccessible, logIn, lookAtSizes, openWindow } from './browser';

/** A host goes into maintenance and comes out of it, before the eyes of an admin and of a member. */
let berth: ConsoleProcess;
let pb: PocketBase;
let host: RecordModel;
let workspace: RecordModel;

test.beforeAll(async () => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  pb = await setUp(berth.url);
  host = await localHost(pb);
  const image = await buildImage(pb, host.id, { name: 'base', dockerfile: 'FROM scratch\n' });
  const person = { username: 'nora', email: 'nora@example.org', name: 'Nora Berg' };
  const nora = await pb
    .collection('users')
    .create({ ...person, password: PASSWORD, passwordConfirm: PASSWORD, verified: true });
  await pb
    .collection('host_permissions')
    .create({ host: host.id, user: nora.id, view: true, canCreateWorkspaces: true });
  workspace = await pb.collection('workspaces').create({ name: 'notebook', host: host.id, image: image.id });
  const seen = { workspace: workspace.id, user: nora.id, view: true, deploy: true };
  await pb.collection('workspace_permissions').create(seen);
  await request(pb, 'workspace', workspace.id, 'start');
  await reaches(pb, { collection: 'workspaces', id: workspace.id, status: 'running', limitMs: 60_000 });
});
test.afterAll(() => berth?.dispose());

test('an admin drains a host, a member sees it at once, and the end starts again what it stopped', async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const nora = await openWindow(browser, berth.url);
  await logIn(nora.page, 'nora');
  await nora.page.goto(`/workspace/${workspace.id}`);
  await expect(nora.page.getByRole('heading', { name: 'notebook' })).toBeVisible();

  const { page, expectQuiet } = await openWindow(browser, berth.url);
  await logIn(page, admin.username);
  await page.goto(`/host/${host.id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Start maintenance…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Maintenance of local' });
  await dialog.getByRole('button', { name: 'Start maintenance' }).click();
  await expect(dialog.getByText('This field is required.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('New disks until 18:00');
  await dialog.getByRole('checkbox', { name: 'Stop the workspace that runs' }).click();
  await expectAccessible(page);
  await lookAtSizes(page, 'host-maintenance-dialog');
  await dialog.getByRole('button', { name: 'Start maintenance' }).click();
  await expect(page.getByText('local is in maintenance').first()).toBeVisible();

  const told = nora.page.getByText('nothing new is begun on it: New disks until 18:00');
  await expect(told).toBeVisible();
  await reaches(pb, { collection: 'workspaces', id: workspace.id, status: 'stopped', limitMs: 30_000 });
  await nora.page.getByRole('button', { name: 'Start', exact: true }).first().click();
  await expect(nora.page.getByText('Host local is in maintenance (New disks until 18:00).').first()).toBeVisible();
  await lookAtSizes(nora.page, 'host-maintenance-workspace', 'light');
  await nora.page.goto('/hosts');
  await expect(nora.page.getByText('Maintenance', { exact: true }).first()).toBeVisible();
  await nora.page.goto(`/host/${host.id}`);
  await expect(told).toBeVisible();
  await expect(nora.page.getByRole('button', { name: 'More actions' })).toHaveCount(0);

  await lookAtSizes(page, 'host-maintenance-host');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'End maintenance…' }).click();
  const end = page.getByRole('dialog', { name: 'End the maintenance of local' });
  await expect(end.getByRole('checkbox', { name: 'Start the stopped workspace again' })).toBeChecked();
  await lookAtSizes(page, 'host-maintenance-end');
  await end.getByRole('button', { name: 'End maintenance' }).click();
  await expect(end).toHaveCount(0);
  await expect(told).toHaveCount(0);
  await reaches(pb, { collection: 'workspaces', id: workspace.id, status: 'running', limitMs: 30_000 });
  await page
    .getByRole('button', { name: /Notifications|Jobs/ })
    .first()
    .click();
  await expect(
    page.getByText('notebook was stopped for the maintenance of local: New disks until 18:00'),
  ).toBeVisible();
  await lookAtSizes(page, 'host-maintenance-bell');
  expectQuiet();
});
