import { expect, test } from '@playwright/test';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { PASSWORD } from '../setup/journey';
import { expectAccessible, openWindow } from './browser';

let berth: ConsoleProcess;

test.beforeAll(async () => {
  // Names under localhost are workspaces' otherwise.
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off', BERTH_APPS_DOMAIN: 'off' } });
});
test.afterAll(() => berth.dispose());

test('over a network the first page asks for the set-up code', async ({ browser }) => {
  // Browsers take such a name for this machine; the console sees a name that is not its own.
  const { page, expectQuiet } = await openWindow(browser, `http://berth.localhost:${berth.port}`);
  await page.goto('/');
  await page.waitForURL('**/first-steps');
  const code = page.getByLabel('Set-up code');
  await expect(code).toHaveAccessibleDescription(/docker compose logs console/);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.getByLabel('Name', { exact: true }).fill('Ada');
  await page.getByLabel('Username').fill('ada');
  await page.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.org');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Password again').fill(PASSWORD);
  const submit = page.getByRole('button', { name: 'Create account and continue' });
  await submit.click();
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute('aria-invalid', 'true');
  await code.fill('AAAA-AAAA');
  await submit.click();
  await expect(code).toHaveAccessibleDescription(/not the set-up code/);
  await expectAccessible(page);
  await code.fill(/^set-up code: (\S+)$/m.exec(berth.output())![1]!.toLowerCase());
  await submit.click();
  await page.waitForURL('**/workspaces');
  expectQuiet();
});

test('at this machine’s own address it does not', async ({ browser }) => {
  const { page } = await openWindow(browser, berth.url);
  await page.goto('/first-steps');
  await expect(page.getByLabel('Set-up code')).toHaveCount(0);
});
