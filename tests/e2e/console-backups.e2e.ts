import fs from 'node:fs';
import { expect, test, type Page } from '@playwright/test';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, PASSWORD, setUp } from '../setup/journey';
import { expectAccessible, logIn, openWindow, type WatchedPage } from './browser';

/** Backups of the console and its health, as an admin sees and uses them. */
let berth: ConsoleProcess;
let mara: WatchedPage;

test.beforeAll(async ({ browser }) => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  await setUp(berth.url);
  mara = await openWindow(browser, berth.url);
  await logIn(mara.page, admin.username);
});
test.afterAll(async () => {
  await mara?.page.context().close();
  await berth?.dispose();
});

/** Looked at by a person when PICTURES names a folder. */
async function lookAt(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  // A button under the pointer is paler.
  await page.mouse.move(0, 0);
  for (const [width, scheme] of [
    [1440, 'light'],
    [1440, 'dark'],
    [390, 'light'],
  ] as const) {
    await page.evaluate((isDark) => document.body.classList.toggle('dark', isDark), scheme === 'dark');
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page);
    if (folder) await page.screenshot({ path: `${folder}/${name}-${width}-${scheme}.png` });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('a backup is made, downloaded, and restored once its name and the password were typed', async () => {
  const { page } = mara;
  await page.goto('/settings?tab=backups');
  await expect(page.getByText('No backups yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Back up now' }).click();
  const list = page.getByRole('list', { name: 'Backups' });
  await expect(list.getByRole('listitem')).toHaveCount(1);
  const name = (await list.locator('.mono').textContent())!;
  await lookAt(page, 'backups');

  await page.getByRole('button', { name: `Download ${name}` }).click();
  const ask = page.getByRole('dialog');
  await ask.getByRole('button', { name: 'Download' }).click();
  await expect(ask.getByText('Enter your password to confirm this.')).toBeVisible();
  await lookAt(page, 'backup-download');
  await ask.getByLabel('Your password').fill(PASSWORD);
  const coming = page.waitForEvent('download');
  await ask.getByRole('button', { name: 'Download' }).click();
  const file = await (await coming).path();
  expect(fs.readFileSync(file).subarray(0, 2).toString()).toBe('PK');

  await page.goto('/profile');
  await page.getByLabel('Name', { exact: true }).first().fill('Somebody else');
  await page.getByRole('button', { name: /^Save/ }).first().click();
  await expect(page.getByText('Somebody else').first()).toBeVisible();

  await page.goto('/settings?tab=backups');
  await page.getByRole('button', { name: `Restore ${name}` }).click();
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Restore' });
  await expect(confirm).toBeDisabled();
  await dialog.getByRole('textbox').first().fill(name);
  await confirm.click();
  await expect(dialog.getByText('Enter your password to confirm this.')).toBeVisible();
  await lookAt(page, 'backup-restore');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await confirm.click();
  await page.waitForEvent('load', { timeout: 30_000 });
  // The session that logged in before the backup is in it.
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  await expect(page.getByText('Somebody else')).toHaveCount(0);
});

test('a schedule is saved and says when the next is made', async () => {
  const { page } = mara;
  await page.goto('/settings?tab=backups');
  await page.getByLabel('How often').click();
  await page.getByRole('option', { name: 'Every week' }).click();
  await page.getByRole('spinbutton', { name: 'Keep' }).fill('0');
  await page.getByRole('button', { name: 'Save schedule' }).click();
  await expect(page.locator('.text-bad-text')).toBeVisible();
  await page.getByRole('spinbutton', { name: 'Keep' }).fill('3');
  await page.getByRole('button', { name: 'Save schedule' }).click();
  await expect(page.getByText(/^Next backup: /)).toBeVisible();
  await lookAt(page, 'backup-schedule');
});

test('the health page names what is wrong first, with a cure', async () => {
  const { page } = mara;
  await page.goto('/settings?tab=health');
  const list = page.getByRole('list', { name: 'Checks' });
  await expect(list.getByRole('listitem').first()).toBeVisible();
  await expect(list.getByText('Set BERTH_SMTP_URL', { exact: false })).toBeVisible();
  await lookAt(page, 'health');
  mara.expectQuiet();
});
