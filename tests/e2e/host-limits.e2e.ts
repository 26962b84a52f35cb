import path from 'node:path';
import { expect, test } from '@playwright/test';
import Database from 'better-sqlite3';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, localHost, PASSWORD, setUp } from '../setup/journey';
import { expectAccessible, logIn, openWindow } from './browser';

/** What a host keeps containers from: admins change it, its owner sees it. */
let berth: ConsoleProcess;
let pb: PocketBase;
let host: RecordModel;

test.beforeAll(async () => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  pb = await setUp(berth.url);
  const person = { username: 'nora', email: 'nora@example.org', name: 'Nora Berg' };
  const nora = await pb
    .collection('users')
    .create({ ...person, password: PASSWORD, passwordConfirm: PASSWORD, verified: true });
  host = await localHost(pb);
  // Whose token let a host in owns it; this one came with the console.
  const database = new Database(path.join(berth.dataDir, 'berth.db'));
  database.prepare('UPDATE hosts SET created_by = ? WHERE id = ?').run(nora.id, host.id);
  database.close();
});
test.afterAll(() => berth?.dispose());

const stored = async () => (await pb.collection('hosts').getOne(host.id)).isolation as Record<string, unknown>;

test('an admin loosens a limit, and is told what is wrong', async ({ browser }) => {
  const { page, context, expectQuiet } = await openWindow(browser, berth.url);
  await logIn(page, admin.username);
  await page.goto(`/host/${host.id}?tab=basic-information`);
  const ports = page.getByLabel('Host ports');
  await expect(ports).toHaveValue('1024-65535');
  await ports.fill('443, nonsense');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter ports or ranges such as 443, 8000-8999.').first()).toBeVisible();
  await ports.fill('443, 8000-8999');
  await page.getByLabel('Memory').fill('2');
  await page.getByLabel('More runtimes').fill('kata, runsc');
  await page.getByRole('switch', { name: 'Allow new privileges' }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`${host.name} is saved`).first()).toBeVisible();
  expect(await stored()).toMatchObject({
    hostPorts: '443, 8000-8999',
    runtimes: ['kata', 'runsc'],
    memoryLimit: 2 * 1024 ** 3,
    pidsLimit: 4096,
    allowNewPrivileges: true,
    keepNetRaw: false,
    sharedBindFolders: false,
  });
  const folder = process.env.PICTURES;
  for (const [width, scheme] of [
    [1280, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.evaluate((isDark) => document.body.classList.toggle('dark', isDark), scheme === 'dark');
    await page.setViewportSize({ width, height: 900 });
    await page.getByRole('heading', { name: 'Limits and isolation' }).scrollIntoViewIfNeeded();
    await page.getByRole('switch', { name: 'Allow raw network packets' }).scrollIntoViewIfNeeded();
    await expectAccessible(page);
    if (folder) await page.screenshot({ path: `${folder}/limits-${width}-${scheme}.png` });
  }
  expectQuiet();
  await context.close();
});

test('the owner of a host who is no admin sees the limits and saves the rest', async ({ browser }) => {
  const { page, context, expectQuiet } = await openWindow(browser, berth.url);
  await logIn(page, 'nora');
  await page.goto(`/host/${host.id}?tab=basic-information`);
  await expect(page.getByText('Only admins change these.')).toBeVisible();
  await expect(page.getByLabel('Host ports')).toBeDisabled();
  await expect(page.getByRole('switch', { name: 'Allow new privileges' })).toBeDisabled();
  await page.getByLabel('Default GPU runtime').fill('nvidia-cdi');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`${host.name} is saved`).first()).toBeVisible();
  expect((await pb.collection('hosts').getOne(host.id)).default_gpu_runtime).toBe('nvidia-cdi');
  await expectAccessible(page);
  if (process.env.PICTURES) {
    await page.getByText('Only admins change these.').scrollIntoViewIfNeeded();
    await page.screenshot({ path: `${process.env.PICTURES}/limits-owner.png` });
  }
  expectQuiet();
  await context.close();
});
