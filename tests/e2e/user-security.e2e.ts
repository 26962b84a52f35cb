import { expect, test, type Page } from '@playwright/test';
import PocketBase from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, PASSWORD, setUp, signIn } from '../setup/journey';
import { AuthenticatorApp } from './authenticator-app';
import { expectAccessible, openWindow } from './browser';

/** What admins see and do of how another person's account is secured. */
test.describe.configure({ mode: 'serial' });

let berth: ConsoleProcess;
let pb: PocketBase;
let nora: PocketBase;
let noraId: string;
let watched: Awaited<ReturnType<typeof openWindow>>;
let page: Page;

test.beforeAll(async ({ browser }) => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  pb = await setUp(berth.url);
  const person = { username: 'nora', email: 'nora@example.org', name: 'Nora Berg' };
  noraId = (await pb.collection('users').create({ ...person, password: PASSWORD, passwordConfirm: PASSWORD })).id;
  nora = await signIn(berth.url, 'nora');
  watched = await openWindow(browser, berth.url);
  page = watched.page;
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await watched?.context.close();
  await berth?.dispose();
});

async function logIn(on: Page, identity: string, target: string): Promise<void> {
  await on.goto(`/login?redirect=${encodeURIComponent(target)}`);
  await on.getByLabel('E-mail or username').fill(identity);
  await on.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await on.getByRole('button', { name: 'Log in', exact: true }).click();
}

const dialog = () => page.getByRole('dialog');

test('an admin sees a person’s log-ins and API tokens and ends them', async ({ browser }) => {
  const other = await openWindow(browser, berth.url);
  await logIn(other.page, 'nora', '/hosts');
  await other.page.waitForURL('**/hosts');
  const body = { name: 'nightly build', scope: 'full', expiresInDays: 2 };
  const { token } = await nora.send<{ token: string }>('/api/tokens', { method: 'POST', body });

  await logIn(page, admin.username, `/user/${noraId}?tab=security`);
  await expect(page.getByText('The password alone logs this person in.')).toBeVisible();
  const tokens = page.getByRole('list', { name: 'API tokens' });
  await expect(tokens).toContainText('Ends in 2 days');
  await expect(page.getByRole('button', { name: 'New API token' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Log out everywhere' })).toHaveCount(0);
  await expectAccessible(page);
  await tokens.getByRole('button', { name: 'Revoke nightly build' }).click();
  await dialog().getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('This person has no API token.')).toBeVisible();
  const headers = { authorization: token };
  expect((await fetch(`${berth.url}/api/collections/users/records/${noraId}`, { headers })).status).toBe(404);

  await page.getByRole('button', { name: /^End the log-in/ }).click();
  await expectAccessible(page);
  await dialog().getByRole('button', { name: 'End' }).click();
  await expect(page.getByText('Logged in nowhere.')).toBeVisible();
  await expect(other.page.getByText('Your session has expired! Please log in.')).toBeVisible();
  other.expectQuiet();
  await other.context.close();
});

test('an admin resets a lost second factor after typing whose', async () => {
  const { secret } = await nora.send<{ secret: string }>('/api/second-factor/totp', {
    method: 'POST',
    body: { password: PASSWORD },
  });
  const code = await new AuthenticatorApp(secret).nextCode();
  await nora.send('/api/second-factor/totp/confirm', { method: 'POST', body: { code } });
  await page.reload();
  await expect(page.getByText('Logging in takes a second factor.')).toBeVisible();
  await expect(page.getByText('10 left')).toBeVisible();
  await page.getByRole('button', { name: 'Reset second factor' }).click();
  await expect(dialog().getByRole('button', { name: 'Reset second factor' })).toBeDisabled();
  await expectAccessible(page);
  const state = () => pb.send<{ enabled: boolean }>('/api/second-factor', { query: { user: noraId } });
  expect((await state()).enabled).toBe(true);
  await dialog().getByRole('textbox').fill('nora');
  await dialog().getByRole('button', { name: 'Reset second factor' }).click();
  await expect(page.getByText('The second factor of Nora Berg is reset')).toBeVisible();
  await expect(page.getByText('The password alone logs this person in.')).toBeVisible();
  expect((await state()).enabled).toBe(false);
  await new PocketBase(berth.url).collection('users').authWithPassword('nora', PASSWORD);
});
