import fs from 'node:fs';
import { expect, test, type BrowserContext, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { PASSWORD, setUp } from '../setup/journey';
import { AuthenticatorApp } from './authenticator-app';
import { expectAccessible, openWindow } from './browser';

/** How people secure their accounts, by the pages: second factor, log-ins and API tokens. */
test.describe.configure({ mode: 'serial' });

let berth: ConsoleProcess;
let url: string;
let pb: PocketBase;
let watched: Awaited<ReturnType<typeof openWindow>>;
let page: Page;
let noraId: string;
let app: AuthenticatorApp;
let codes: string[] = [];
let password = PASSWORD;
const WRONG_CODE = 'The code is wrong, too old, or was used already.';

test.beforeAll(async ({ browser }) => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  // Passkeys belong to a host name: browsers make none for an IP address.
  url = `http://localhost:${berth.port}`;
  pb = await setUp(berth.url);
  const nora = { username: 'nora', email: 'nora@example.org', name: 'Nora Berg' };
  noraId = (await pb.collection('users').create({ ...nora, password, passwordConfirm: password })).id;
  watched = await openWindow(browser, url);
  page = watched.page;
  await addAuthenticator(page);
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await watched?.context.close();
  await berth?.dispose();
});

/** A fingerprint reader of the browser that always says yes. */
async function addAuthenticator(on: Page): Promise<void> {
  const devtools = await on.context().newCDPSession(on);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Goes as far as the password goes. */
async function typePassword(on: Page, target = '/profile?tab=security'): Promise<void> {
  await on.goto(`/login?redirect=${encodeURIComponent(target)}`);
  await on.getByLabel('E-mail or username').fill('nora');
  await on.getByRole('textbox', { name: 'Password' }).fill(password);
  await on.getByRole('button', { name: 'Log in', exact: true }).click();
}

async function leave(context: BrowserContext, on: Page): Promise<void> {
  await context.clearCookies();
  await on.goto('/login');
  await on.evaluate(() => localStorage.clear());
}

const arrive = (on: Page, pathname = '/profile') => on.waitForURL((address) => address.pathname === pathname);
const dialog = () => page.getByRole('dialog');
const listed = (name: string) => page.getByRole('list', { name, exact: true }).getByRole('listitem');
const factor = () => pb.send<Record<string, unknown>>('/api/second-factor', { query: { user: noraId } });

test('an authenticator app is set up with the password and its first code, and brings recovery codes', async () => {
  await typePassword(page);
  await arrive(page);
  await expect(page.getByText('Your password alone logs you in.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Set up authenticator app' }).click();
  await dialog().getByRole('button', { name: 'Continue' }).click();
  await expect(dialog().getByText('This field is required.')).toBeVisible();
  await dialog().getByLabel('Your password').fill('Wrong!pass1');
  await dialog().getByRole('button', { name: 'Continue' }).click();
  await expect(dialog().getByText('Incorrect password!')).toBeVisible();
  await expect(dialog().getByLabel('Your password')).toBeFocused();
  await expectAccessible(page);
  await dialog().getByLabel('Your password').fill(password);
  await dialog().getByRole('button', { name: 'Continue' }).click();
  const picture = dialog().getByRole('img', { name: /QR code/ });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  const key = await dialog().locator('code').innerText();
  expect(key).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
  app = new AuthenticatorApp(key);

  const field = dialog().getByLabel('Then type the code that the app shows');
  await field.fill('000000');
  await expect(dialog().getByText(WRONG_CODE)).toBeVisible();
  await expectAccessible(page);
  expect(await factor()).toMatchObject({ enabled: false, totp: null });
  const code = await app.nextCode();
  await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`);

  await expect(listed('Recovery codes')).toHaveCount(10);
  codes = await listed('Recovery codes').allInnerTexts();
  await page.keyboard.press('Escape');
  await dialog().getByRole('button', { name: 'Done' }).click();
  await expect(dialog().getByText('Save them first: they are not shown again.')).toBeVisible();
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await dialog().getByRole('button', { name: 'Download .txt' }).click();
  const file = fs.readFileSync(await (await download).path(), 'utf8');
  for (const each of codes) expect(file).toContain(each);
  await dialog().getByLabel('I have saved them').click();
  await dialog().getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('Logging in takes your second factor.')).toBeVisible();
  await expect(page.getByText('10 left')).toBeVisible();
  expect(await factor()).toMatchObject({ enabled: true, recoveryCodesLeft: 10 });
});

test('logging in takes a code after the password, and says when it is wrong', async () => {
  await leave(watched.context, page);
  await typePassword(page);
  const field = page.getByLabel('Six-digit code');
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute('autocomplete', 'one-time-code');
  await expectAccessible(page);
  await field.fill('000000');
  await expect(page.getByText(WRONG_CODE)).toBeVisible();
  await expect(field).toHaveValue('000000');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Back to log in' }).click();
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
  await typePassword(page);
  await field.fill(await app.nextCode());
  await arrive(page);
});

test('a recovery code logs in once', async () => {
  const use = async (code: string) => {
    await leave(watched.context, page);
    await typePassword(page);
    await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
    await page.getByLabel('Recovery code').fill(code);
    await page.getByRole('button', { name: 'Confirm' }).click();
  };
  await use(codes[0]!.toUpperCase());
  await arrive(page);
  await expect(page.getByText('9 left')).toBeVisible();
  await use(codes[0]!);
  await expect(page.getByText(WRONG_CODE)).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Recovery code').fill(codes[1]!);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await arrive(page);
});

test('a new password logs this tab in again with a code that is asked for in place', async () => {
  const next = 'Another!pass2';
  await page.getByRole('tab', { name: 'Password' }).click();
  await page.getByLabel('Current password').fill(password);
  await page.getByLabel('New password').fill(next);
  await page.getByLabel('Password again').fill(next);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(dialog().getByText('Log this browser in again with your second factor.')).toBeVisible();
  await expectAccessible(page);
  password = next;
  await dialog()
    .getByLabel('Six-digit code')
    .fill(await app.nextCode());
  await expect(page.getByText('Everyone else who was logged in').first()).toBeVisible();
  // The connection that tells of changes is one of the new log-in.
  const connected = page.waitForResponse(
    (response) => response.url().endsWith('/api/realtime') && response.request().method() === 'POST',
  );
  expect((await connected).status()).toBe(204);
  await pb.collection('users').update(noraId, { name: 'Nora B. Berg' });
  await expect(page.getByRole('heading', { name: 'Nora B. Berg' })).toBeVisible();
  await page.getByRole('tab', { name: 'Security' }).click();
  await expect(page.getByText('This one')).toBeVisible();
  await expect(page).toHaveURL(/\/profile\?tab=security$/);
});

test('a log-in that waited too long begins anew, and says so', async () => {
  await leave(watched.context, page);
  await typePassword(page);
  await expect(page.getByLabel('Six-digit code')).toBeVisible();
  // A new password ends what waits, as five minutes do.
  password = 'Third!pass3';
  await pb.collection('users').update(noraId, { password, passwordConfirm: password });
  await page.getByLabel('Six-digit code').fill(await app.nextCode());
  await expect(page.getByText('That took too long. Please log in again.')).toBeVisible();
  await expectAccessible(page);
  await typePassword(page);
  await page.getByLabel('Six-digit code').fill(await app.nextCode());
  await arrive(page);
});

test('a passkey is added, once a device, and renamed', async () => {
  const add = async () => {
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await expectAccessible(page);
    await dialog().getByLabel('Your password').fill(password);
    await dialog().getByRole('button', { name: 'Make the passkey' }).click();
  };
  await add();
  const row = page.getByRole('listitem').filter({ hasText: 'Passkey' });
  await expect(row).toContainText('Chrome on Linux');
  await add();
  await expect(dialog().getByText('This device holds a passkey of your account already.')).toBeVisible();
  expect((await factor()).passkeys).toHaveLength(1);
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await row.getByRole('button', { name: 'Rename' }).click();
  await expectAccessible(page);
  await dialog().getByLabel('Name').fill('Work laptop');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('Work laptop');
});

test('a passkey logs in without a password, and serves as the second factor', async ({ browser }) => {
  await leave(watched.context, page);
  await page.goto('/login?redirect=/hosts');
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await arrive(page, '/hosts');
  await leave(watched.context, page);
  await typePassword(page);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await arrive(page);
  await expect(page.getByRole('listitem').filter({ hasText: 'Work laptop' })).toContainText(/last used \d+ s ago/);

  const stranger = await openWindow(browser, url);
  await addAuthenticator(stranger.page);
  await stranger.page.goto('/login');
  await stranger.page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await expect(stranger.page.getByText('It was cancelled, or it took too long. You can try again.')).toBeVisible();
  await expectAccessible(stranger.page);
  await stranger.page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'));
  await stranger.page.reload();
  await expect(stranger.page.getByLabel('E-mail or username')).toBeFocused();
  await expect(stranger.page.getByRole('button', { name: 'Log in with a passkey' })).toHaveCount(0);
  await stranger.context.close();
});

test('new recovery codes take the place of the old, and few left are warned of', async () => {
  const made = async () => {
    await page.getByRole('button', { name: 'Make new codes' }).click();
    await expectAccessible(page);
    await dialog().getByLabel('Your password').fill(password);
    await dialog().getByRole('button', { name: 'Make new codes' }).click();
    await expect(listed('Recovery codes')).toHaveCount(10);
    const shown = await listed('Recovery codes').allInnerTexts();
    await dialog().getByLabel('I have saved them').click();
    await dialog().getByRole('button', { name: 'Done' }).click();
    return shown;
  };
  const fresh = await made();
  expect(fresh.filter((code) => codes.includes(code))).toEqual([]);
  codes = fresh;
  for (let count = 0; count < 7; count += 1) {
    const { pendingToken } = await pendingSignIn();
    await pb.send('/api/second-factor/finish', { method: 'POST', body: { pendingToken, code: codes[count] } });
  }
  await page.reload();
  await expect(page.getByText('3 left')).toBeVisible();
  await expect(page.getByText('Make new ones before you run out.')).toBeVisible();
});

async function pendingSignIn(): Promise<{ pendingToken: string }> {
  const answer = await fetch(`${url}/api/collections/users/auth-with-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identity: 'nora', password }),
  });
  return ((await answer.json()) as { data: { pendingToken: string } }).data;
}

test('a log-in elsewhere is listed and ended, and that page says so', async ({ browser }) => {
  const other = await openWindow(browser, url);
  await typePassword(other.page, '/hosts');
  await other.page.getByLabel('Six-digit code').fill(await app.nextCode());
  await arrive(other.page, '/hosts');
  await expect(other.page.getByRole('heading', { name: 'Hosts', exact: true })).toBeVisible();
  await page.goto('/profile?tab=security');
  const rows = listed('Where you are logged in');
  await expect(rows.first()).toContainText('This one');
  await expect(rows.first()).toContainText('127.0.0.1');
  // The windows of earlier tests are still there, for the console: the last one used is the other's.
  const before = await rows.count();
  await rows
    .nth(1)
    .getByRole('button', { name: /^End the log-in/ })
    .click();
  await expectAccessible(page);
  await dialog().getByRole('button', { name: 'End' }).click();
  await expect(rows).toHaveCount(before - 1);
  await expect(other.page.getByText('Your session has expired! Please log in.')).toBeVisible();
  await other.page.waitForURL('**/login?redirect=%2Fhosts');
  await other.context.close();
});

test('an API token is made, shown once, used by a program, and revoked', async () => {
  const status = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${url}/api/collections/users/records/${noraId}`, { headers })).status;
  };
  await expect(page.getByText(/No API token yet/)).toBeVisible();
  await page.getByRole('button', { name: 'New API token' }).click();
  await dialog().getByRole('button', { name: 'Make the token' }).click();
  await expect(dialog().getByText('This field is required.')).toBeVisible();
  await dialog().getByLabel('Name').fill('nightly build');
  await dialog().getByRole('combobox', { name: 'Ends' }).click();
  await page.getByRole('option', { name: 'Never' }).click();
  await expect(dialog().getByText('Whoever finds this token can use it until you revoke it.')).toBeVisible();
  await expectAccessible(page);
  await dialog().getByRole('button', { name: 'Make the token' }).click();
  await expect(dialog().getByText('Copy it now: it is not shown again.')).toBeVisible();
  await expectAccessible(page);
  const token = await dialog().getByLabel('API token').innerText();
  await expect(dialog().getByLabel('Try it')).toContainText(`Authorization: Bearer ${token}`);
  expect(await status(token)).toBe(200);
  await dialog().getByRole('button', { name: 'Done' }).click();

  await page.reload();
  const row = listed('API tokens');
  await expect(row).toContainText(`berth_…${token.slice(-4)}`);
  await expect(row).toContainText(/Read only.*never ends.*last used .* from 127\.0\.0\.1/);
  expect(await page.content()).not.toContain(token);
  await page.getByRole('button', { name: 'New API token' }).click();
  await dialog().getByLabel('Name').fill('nightly build');
  await dialog().getByRole('button', { name: 'Make the token' }).click();
  await expect(dialog().getByText('You have a token of that name already.')).toBeVisible();
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await row.getByRole('button', { name: 'Revoke' }).click();
  await expectAccessible(page);
  await dialog().getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText(/No API token yet/)).toBeVisible();
  expect(await status(token)).toBe(404);
});

test('the second factor is turned off by removing the last one, by a code or the password', async () => {
  await page.getByRole('button', { name: 'Remove Authenticator app' }).click();
  await dialog().getByRole('button', { name: 'Use a code instead' }).click();
  await dialog().getByLabel('Code of your app, or a recovery code').fill('000000');
  await dialog().getByRole('button', { name: 'Remove' }).click();
  await expect(dialog().getByText(WRONG_CODE)).toBeVisible();
  await expectAccessible(page);
  expect(await factor()).toMatchObject({ enabled: true, totp: { since: expect.stringMatching(/Z$/) as unknown } });
  await dialog().getByLabel('Code of your app, or a recovery code').fill(codes[9]!);
  await dialog().getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Not set up')).toBeVisible();
  await page.getByRole('button', { name: 'Remove Work laptop' }).click();
  await expect(dialog().getByText(/your password alone will log you in/)).toBeVisible();
  await dialog().getByLabel('Your password').fill(password);
  await dialog().getByRole('button', { name: 'Turn off' }).click();
  await expect(page.getByText('Your password alone logs you in.')).toBeVisible();
  expect(await factor()).toMatchObject({ enabled: false, passkeys: [], recoveryCodesLeft: 0 });
});

test('logging out everywhere takes this window along', async () => {
  await page.getByRole('button', { name: 'Log out everywhere' }).click();
  await expectAccessible(page);
  await dialog().getByRole('button', { name: 'Log out everywhere' }).click();
  await arrive(page, '/login');
  await page.goto('/hosts');
  await arrive(page, '/login');
  expect((await pb.send<{ items: unknown[] }>('/api/sessions', { query: { user: noraId } })).items).toEqual([]);
});

test('who has to have a second factor sets it up while logging in, and can’t remove it', async () => {
  const started = await pb.send<{ secret: string }>('/api/second-factor/totp', {
    method: 'POST',
    body: { password: PASSWORD },
  });
  const code = await new AuthenticatorApp(started.secret).nextCode();
  const answer = { method: 'POST', body: { code } };
  // It ends every other token of the account, and answers a new one.
  const { token } = await pb.send<{ token: string }>('/api/second-factor/totp/confirm', answer);
  pb.authStore.save(token, pb.authStore.model);
  await pb.collection('settings').create({ key: 'security', value: { requireSecondFactor: 'everyone' } });

  await typePassword(page);
  await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Authenticator app' }).click();
  app = new AuthenticatorApp(await page.locator('code').innerText());
  const field = page.getByLabel('Then type the code that the app shows');
  await field.fill('000000');
  await expect(page.getByText(WRONG_CODE)).toBeVisible();
  await expectAccessible(page);
  await field.fill(await app.nextCode());
  await expect(listed('Recovery codes')).toHaveCount(10);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Save them first: they are not shown again.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Back to log in' })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByLabel('I have saved them').click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await arrive(page);
  await expect(page.getByText(/requires a second factor of you/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove Authenticator app' })).toBeDisabled();
  await expectAccessible(page);
});
