import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, localHost, PASSWORD, setUp } from '../setup/journey';
import { logIn, lookAtSizes, openWindow } from './browser';

/** A shell on the machine itself, as an admin uses it and a member does not see it. The engine is simulated, the shell is not. */
let berth: ConsoleProcess;
let pb: PocketBase;
let host: RecordModel;

test.beforeAll(async () => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated', BERTH_HOST_TERMINAL: '1' } });
  pb = await setUp(berth.url);
  host = await localHost(pb);
  const person = { username: 'nora', email: 'nora@example.org', name: 'Nora Berg' };
  const secret = { password: PASSWORD, passwordConfirm: PASSWORD, verified: true };
  const nora = await pb.collection('users').create({ ...person, ...secret });
  await pb.collection('host_permissions').create({ host: host.id, user: nora.id, view: true });
});
test.afterAll(() => berth?.dispose());

const screen = (page: Page) => page.locator('.xterm-rows');

async function type(page: Page, text: string): Promise<void> {
  await page.locator('.xterm-helper-textarea').focus();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

test('an admin opens a shell on a host, works in it, comes back to it and ends it', async ({ browser }) => {
  const { page, expectQuiet } = await openWindow(browser, berth.url);
  await logIn(page, admin.username);
  await page.goto(`/host/${host.id}`);
  await page.getByRole('tab', { name: 'Terminal' }).click();
  await expect(page.getByRole('heading', { name: 'A terminal on local itself' })).toBeVisible();
  await expect(page.locator('.xterm')).toHaveCount(0);
  await lookAtSizes(page, 'host-terminal-asked');

  await page.getByRole('button', { name: 'Open terminal' }).click();
  await page.locator('.xterm-helper-textarea').waitFor({ state: 'attached' });
  await type(page, 'echo grüße-$((6 * 7)); env | grep -c BERTH_; X=kept');
  await expect(screen(page)).toContainText('grüße-42');
  await expect(screen(page)).toContainText(/grüße-42\s*0/);
  await lookAtSizes(page, 'host-terminal');

  await expect(page).toHaveURL(/session=[A-Za-z0-9]{32}/);
  await page.reload();
  await expect(page.getByText('Only you look on')).toBeVisible();
  await type(page, 'clear; echo [$X]');
  await expect(screen(page)).toContainText('[kept]');
  await page.getByRole('button', { name: 'End session' }).click();
  await expect(page.getByText('The session has ended.')).toBeVisible();
  await page.getByRole('button', { name: 'New terminal' }).click();
  await type(page, 'exit 3');
  await expect(page.getByText('The session has ended with code 3.')).toBeVisible();
  const { items } = await pb.send<{ items: { action: string }[] }>('/api/collections/audit/records?sort=-created', {});
  expect(items.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['host.openTerminal', 'host.leaveTerminal']),
  );
  expectQuiet();
});

test('a member sees no tab, and is refused', async ({ browser }) => {
  const { page } = await openWindow(browser, berth.url);
  await logIn(page, 'nora');
  await page.goto(`/host/${host.id}?tab=terminal`);
  await expect(page.getByRole('tab', { name: 'Workspaces' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Terminal' })).toHaveCount(0);
  expect(await page.evaluate((id) => fetch(`/api/host/${id}/terminal`).then(({ status }) => status), host.id)).toBe(
    403,
  );
});
