import path from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import Database from 'better-sqlite3';
import PocketBase from 'pocketbase';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, localHost, PASSWORD, setUp } from '../setup/journey';
import { readOutbox, tokenIn } from '../setup/outbox';
import { expectAccessible, openWindow } from './browser';

/** What people do with accounts, by the pages, on a console without a mail server: mails are read from its outbox. */
test.describe.configure({ mode: 'serial' });

let berth: ConsoleProcess;
let pb: PocketBase;
let watched: Awaited<ReturnType<typeof openWindow>>;
let page: Page;
let noraId: string;
const nora = { username: 'nora', email: 'nora@example.org', name: 'Nora Berg' };
let email = nora.email;
let password = PASSWORD;

test.beforeAll(async ({ browser }) => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  pb = await setUp(berth.url);
  noraId = (await pb.collection('users').create({ ...nora, password, passwordConfirm: password })).id;
  watched = await openWindow(browser, berth.url);
  page = watched.page;
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await watched?.context.close();
  await berth?.dispose();
});

const alerts = () => page.getByRole('alert');

async function logIn(identity: string, secret: string): Promise<void> {
  await page.getByLabel('E-mail or username').fill(identity);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

/** Ends the window's session without a page. */
async function leave(): Promise<void> {
  await watched.context.clearCookies();
  await page.goto('/login');
  await page.evaluate(() => localStorage.clear());
}

/** The token of the n-th mail, once it is there. */
function mailedToken(count: number, to: string): Promise<string> {
  return eventually(`mail ${count}`, () => {
    // Notices carry no link.
    const mails = readOutbox(berth.dataDir).filter((mail) => mail.replace(/=\r?\n/g, '').includes('/confirm-'));
    if (mails.length < count) return undefined;
    expect(mails).toHaveLength(count);
    expect(mails[count - 1]).toContain(to);
    return tokenIn(mails[count - 1]!);
  });
}

function canLogIn(identity: string, secret: string): Promise<boolean> {
  return new PocketBase(berth.url)
    .collection('users')
    .authWithPassword(identity, secret)
    .then(
      () => true,
      () => false,
    );
}

let resetToken: string;

test('a wrong password is refused in words, and too many tries with how long to wait', async () => {
  await page.goto('/login');
  await logIn('nora', 'Wrong!pass1');
  await expect(alerts().getByText('The username or password you entered is incorrect!')).toBeVisible();
  const sentence = 'Quota exceeded. Maximum allowed: 5 requests per minute. Please try again in 42 seconds.';
  await page.route('**/auth-with-password', (route) =>
    route.fulfill({ status: 429, json: { code: 429, message: sentence, data: {} } }),
  );
  await logIn('nora', 'Wrong!pass1');
  await expect(page.getByText('Limit exceeded')).toBeVisible();
  await expect(page.getByText(sentence)).toBeVisible();
  await page.unroute('**/auth-with-password');
});

test('a forgotten password is asked for, and the answer is the same for an address that nobody has', async () => {
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.waitForURL('**/forgot-password');
  await expect(page).toHaveTitle('Forgot password · Berth');
  await expectAccessible(page);
  await page.getByLabel('E-mail').fill('nobody');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByText('Please enter a valid e-mail address.')).toBeVisible();
  await page.getByLabel('E-mail').fill('nobody@example.org');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByText(/If an account has the address nobody@example.org, its link lies in/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No mail was sent' })).toBeFocused();
  await page.getByRole('button', { name: 'Use another address' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByText(`If an account has the address ${email}, its link lies in`)).toBeVisible();
  await expect(page.getByText('This console has no mail server.')).toBeVisible();
  await expect(page.getByText(/on its way/)).toHaveCount(0);
  await expect(page.getByRole('button', { name: /Send again in \d+ s/ })).toBeDisabled();
  await expectAccessible(page);
  resetToken = await mailedToken(1, email);
});

test('the mailed link sets a password by its rules, and works once', async () => {
  await page.goto(`/confirm-password-reset/${resetToken}`);
  await expectAccessible(page);
  await page.getByLabel('New password').fill('weakpassword');
  await page.getByLabel('Password again').fill('other');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await expect(page.getByText('Your passwords do not match.')).toBeVisible();
  await expect(page.getByText(/at least one capital letter, one number and one special character/)).toBeVisible();
  expect(await canLogIn('nora', PASSWORD)).toBe(true);

  const other = await watched.context.newPage();
  await other.goto(`/confirm-password-reset/${resetToken}`);
  password = 'Another!pass2';
  await page.getByLabel('New password').fill(password);
  await page.getByLabel('Password again').fill(password);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await expect(page.getByRole('heading', { name: 'Your password is set' })).toBeFocused();
  await expectAccessible(page);
  expect(await canLogIn('nora', PASSWORD)).toBe(false);

  await other.getByLabel('New password').fill('Third!pass3');
  await other.getByLabel('Password again').fill('Third!pass3');
  await other.getByRole('button', { name: 'Set the password' }).click();
  await expect(other.getByRole('heading', { name: 'This link works no more' })).toBeVisible();
  await other.close();
  for (const token of [resetToken, 'a.b.c', `${resetToken}x`]) {
    await page.goto(`/confirm-password-reset/${token}`);
    await expect(page.getByText('It is too old or was used already.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Ask for a new link' })).toHaveAttribute('href', '/forgot-password');
  }
  await expectAccessible(page);
  expect(await canLogIn('nora', password)).toBe(true);
});

test('a signed-out visitor comes back to where they wanted to go, and nowhere else', async () => {
  for (const evil of [
    '//evil.example',
    '/\\evil.example',
    'https:evil.example',
    '/..//evil.example',
    '/%09/evil.example',
  ]) {
    await leave();
    await page.goto(`/login?redirect=${encodeURIComponent(decodeURIComponent(evil))}`);
    await logIn('nora', password);
    await page.waitForURL((url) => url.pathname === '/workspaces');
    expect(new URL(page.url()).origin).toBe(berth.url);
    await page.goto(`/login?redirect=${encodeURIComponent(evil)}`);
    expect(new URL(page.url()).origin).toBe(berth.url);
  }
  await leave();
  await page.goto('/images?perPage=25');
  await page.waitForURL('**/login?redirect=**');
  await logIn('nora', password);
  await page.waitForURL('**/images?perPage=25');
});

test('whoever is signed in is kept out of the signed-out pages, and non-admins out of the admins’', async () => {
  for (const address of ['/login', '/forgot-password', '/first-steps', '/confirm-password-reset/a.b.c']) {
    await page.goto(address);
    await page.waitForURL('**/workspaces');
  }
  await page.goto('/forgot-password?redirect=/hosts');
  await page.waitForURL('**/hosts');
  await page.goto('/users/create');
  await page.waitForURL('**/users');
  await page.goto(`/user/${noraId}`);
  await page.waitForURL('**/profile');
});

test('a profile is changed with a picture cut to a square, and what is wrong stands beside its field', async () => {
  await page.goto('/workspaces');
  await page.getByRole('link', { name: /Nora Berg/ }).click();
  await page.waitForURL('**/profile');
  await expect(page).toHaveTitle('Profile · Berth');
  await expect(page.getByText('Verified', { exact: true })).toBeVisible();
  await expectAccessible(page);
  const chooser = page.getByLabel('Choose a picture');
  await chooser.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') });
  await expect(page.getByText('Please choose a PNG, JPG, WEBP or GIF picture.')).toBeVisible();
  await chooser.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.alloc(5_242_881) });
  await expect(page.getByText('This picture is larger than 5 MB.')).toBeVisible();
  await chooser.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('not really one') });
  await expect(page.getByText('This file could not be read as a picture.')).toBeVisible();
  await chooser.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await drawPicture() });
  const dialog = page.getByRole('dialog', { name: 'Cut out your picture' });
  await expect(dialog.getByRole('button', { name: 'Use this part' })).toBeEnabled();
  await dialog.getByRole('slider', { name: 'Zoom' }).fill('2');
  await dialog.getByRole('group', { name: /Part of the picture/ }).press('ArrowRight');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Use this part' }).click();
  await expect(dialog).toBeHidden();
  await page.getByLabel('Username').fill(admin.username);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('This username is already in use.')).toBeVisible();
  await expect(page.getByText('1 field needs attention:')).toBeVisible();
  await page.getByLabel('Username').fill('nora.b');
  await page.getByLabel('Name', { exact: true }).fill('Nora B. Berg');
  await page.getByLabel('Others may see the e-mail address').click();
  await page.getByRole('tab', { name: 'Password' }).click();
  await page.getByRole('tab', { name: 'Profile' }).click();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByText('Nora B. Berg is saved')).toBeVisible();
  await expect(page.getByRole('complementary').getByText('Nora B. Berg')).toBeVisible();

  const saved = await pb.collection('users').getOne(noraId);
  expect(saved).toMatchObject({ name: 'Nora B. Berg', username: 'nora.b', emailVisibility: true });
  const sides = await page.evaluate(async (url) => {
    const picture = await createImageBitmap(await (await fetch(url)).blob());
    return [picture.width, picture.height];
  }, `/api/files/users/${noraId}/${saved.avatar}`);
  expect(sides[0]).toBe(sides[1]);
  await page.getByRole('button', { name: 'Remove the picture' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await pb.collection('users').getOne(noraId)).avatar).toBe('');
});

/** A picture twice as wide as high. */
async function drawPicture(): Promise<Buffer> {
  const url = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [800, 400];
    const context = canvas.getContext('2d')!;
    context.fillStyle = 'teal';
    context.fillRect(0, 0, 400, 400);
    return canvas.toDataURL('image/png');
  });
  return Buffer.from(url.split(',')[1]!, 'base64');
}

test('the theme counts at once', async () => {
  await page.getByRole('radio', { name: 'Dark' }).check();
  await expect(page.locator('body')).toHaveClass(/dark/);
  expect(await page.evaluate(() => localStorage.getItem('berth-theme'))).toBe('dark');
  await expectAccessible(page);
  await page.getByRole('radio', { name: 'As the system' }).check();
  await expect(page.locator('body')).not.toHaveClass(/dark/);
  expect(await page.evaluate(() => localStorage.getItem('berth-theme'))).toBeNull();
});

test('what was typed is not left behind unasked', async () => {
  await page.getByLabel('Name', { exact: true }).fill('Somebody else');
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await page.getByRole('link', { name: 'Hosts' }).first().click();
  const asked = page.getByRole('dialog', { name: 'Leave this page?' });
  await expectAccessible(page);
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(/\/profile$/);
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Nora B. Berg');
});

test('a new password needs the old one, logs everyone else out and this tab not', async ({ browser }) => {
  const other = await openWindow(browser, berth.url);
  await other.page.goto('/login?redirect=/hosts');
  await other.page.getByLabel('E-mail or username').fill('nora.b');
  await other.page.getByLabel('Password', { exact: true }).fill(password);
  await other.page.getByRole('button', { name: 'Log in', exact: true }).click();
  await other.page.waitForURL('**/hosts');

  await page.getByRole('tab', { name: 'Password' }).click();
  await expect(page).toHaveURL(/\?tab=password$/);
  await expectAccessible(page);
  const next = 'Fourth!pass4';
  await page.getByLabel('Current password').fill('Wrong!pass1');
  await page.getByLabel('New password').fill(next);
  await page.getByLabel('Password again').fill(next);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Current password entered is incorrect.')).toBeVisible();
  expect(await canLogIn('nora.b', password)).toBe(true);
  await page.getByLabel('Current password').fill(password);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Everyone else who was logged in').first()).toBeVisible();
  password = next;
  expect(await canLogIn('nora.b', password)).toBe(true);
  await page.goto('/hosts');
  await expect(page.getByRole('heading', { name: 'Hosts', exact: true })).toBeVisible();

  await expect(other.page.getByText('Your session has expired! Please log in.')).toHaveCount(1);
  await other.page.waitForURL('**/login?redirect=%2Fhosts');
  other.expectQuiet();
  await other.context.close();
});

test('a linked account of a provider is listed, and unlinked after a question', async () => {
  await page.goto('/profile?tab=external-accounts');
  await expect(page.getByText('No external account is linked.')).toBeVisible();
  await expectAccessible(page);
  linkAccount();
  const own = new PocketBase(berth.url);
  await own.collection('users').authWithPassword('nora.b', password);

  await page.reload();
  const row = page.getByRole('listitem').filter({ hasText: 'nora-7' });
  await expect(row).toContainText('oidc');
  await row.getByRole('button', { name: 'Unlink' }).click();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(await own.collection('users').listExternalAuths(noraId)).toHaveLength(1);
  await row.getByRole('button', { name: 'Unlink' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
  await expect(page.getByText('No external account is linked.')).toBeVisible();
  expect(await own.collection('users').listExternalAuths(noraId)).toHaveLength(0);
});

/** Puts the link into the console's database: signing in through a provider is no subject here. */
function linkAccount(): void {
  const database = new Database(path.join(berth.dataDir, 'berth.db'));
  const now = new Date().toISOString().replace('T', ' ');
  database
    .prepare(
      'INSERT INTO external_auths (id, created, updated, record_id, provider, provider_id) VALUES (?, ?, ?, ?, ?, ?)',
    )
    .run('linkofnora00001', now, now, noraId, 'oidc', 'nora-7');
  database.close();
}

const isVerified = async () => (await pb.collection('users').getOne(noraId)).verified as boolean;

test('an address is verified by a button behind the mailed link, not by opening it', async () => {
  await pb.collection('users').update(noraId, { verified: false });
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Send verification mail' }).click();
  await expect(page.getByText('This console has no mail server.')).toBeVisible();
  await expect(page.getByText(/on its way/)).toHaveCount(0);
  await expect(page.getByRole('button', { name: /Send again in/ })).toBeDisabled();
  const token = await mailedToken(2, email);
  await page.goto(`/confirm-verification/${token}`);
  await expect(page.getByText(`Does ${email} belong to you?`)).toBeVisible();
  await expectAccessible(page);
  expect(await isVerified()).toBe(false);
  await page.getByRole('button', { name: 'Confirm this address' }).click();
  await expect(page.getByRole('heading', { name: 'Your address is confirmed' })).toBeFocused();
  await expectAccessible(page);
  expect(await isVerified()).toBe(true);
  await page.goto(`/confirm-verification/${token}x`);
  await expect(page.getByRole('heading', { name: 'This link works no more' })).toBeVisible();
  await expectAccessible(page);
});

async function askForAddress(address: string): Promise<void> {
  await page.getByLabel('New e-mail').fill(address);
  await page.getByRole('button', { name: 'Send the link' }).click();
}

test('a new address is confirmed with the password, and ends every log-in', async () => {
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Change e-mail' }).click();
  await expectAccessible(page);
  await askForAddress(admin.email);
  await expect(page.getByText('This e-mail address is already in use.')).toBeVisible();
  await askForAddress('nora@new.example');
  await expect(page.getByText(/No mail was sent to nora@new.example/)).toBeVisible();
  await expect(page.getByText(/on its way/)).toHaveCount(0);
  const token = await mailedToken(3, 'nora@new.example');

  await page.goto(`/confirm-email-change/${token}`);
  await expect(page.getByText('nora@new.example')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Password', { exact: true }).fill('Wrong!pass1');
  await page.getByRole('button', { name: 'Change the address' }).click();
  await expect(page.getByText('Incorrect password!')).toBeVisible();
  expect((await pb.collection('users').getOne(noraId)).email).toBe(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Change the address' }).click();
  await expect(page.getByRole('heading', { name: 'Your address is changed' })).toBeFocused();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Log in' }).click();
  await logIn(email, password);
  await expect(alerts().getByText('The username or password you entered is incorrect!')).toBeVisible();
  email = 'nora@new.example';
  await logIn(email, password);
  await page.waitForURL('**/workspaces');

  await page.goto(`/confirm-email-change/${token}`);
  await expect(page.getByRole('heading', { name: 'This link works no more' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to my profile' }).click();
  await page.waitForURL('**/profile');
});

test('an address that someone else took meanwhile is not given twice', async () => {
  await page.getByRole('button', { name: 'Change e-mail' }).click();
  await askForAddress('wanted@example.org');
  const token = await mailedToken(4, 'wanted@example.org');
  await page.goto(`/confirm-email-change/${token}`);
  await page.getByLabel('Password', { exact: true }).fill(password);
  const passwords = { password: PASSWORD, passwordConfirm: PASSWORD };
  const otto = { username: 'otto', name: 'Otto Quick', email: 'wanted@example.org' };
  await pb.collection('users').create({ ...otto, ...passwords });
  await page.getByRole('button', { name: 'Change the address' }).click();
  await expect(page.getByRole('heading', { name: 'This address is taken' })).toBeFocused();
  await expectAccessible(page);
  expect((await pb.collection('users').getOne(noraId)).email).toBe(email);
});

test('others see a person, and change nothing of them', async () => {
  const { id } = await pb.collection('users').getFirstListItem('username = "otto"');
  await page.goto(`/user/${id}`);
  await expect(page.getByRole('heading', { name: 'Otto Quick' })).toBeVisible();
  await expect(page.getByText('hidden')).toBeVisible();
  await expect(page.getByText(/Member since/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0);
  await expect(page.getByRole('tab')).toHaveCount(0);
  await expectAccessible(page);
  await page.goto('/user/doesnotexist000');
  await expect(page.getByRole('heading', { name: 'There is nothing here' })).toBeVisible();
});

test('an admin finds a person by name, username or address, and opens their page', async () => {
  await leave();
  await page.goto('/login?redirect=/users');
  await logIn(admin.username, PASSWORD);
  await page.waitForURL((url) => url.pathname === '/users');
  await expect(page.getByRole('link', { name: 'Otto Quick' })).toBeVisible();
  for (const words of ['Berg', 'nora.b', 'new.example']) {
    await page.getByRole('combobox', { name: 'Search people' }).fill(words);
    // The address follows shortly after the typing; a click before that would be taken back by it.
    await expect(page).toHaveURL(new RegExp(`search=${words}`));
    await expect(page.getByRole('link', { name: 'Otto Quick' })).toBeHidden();
    await expect(page.getByRole('link', { name: 'Nora B. Berg' })).toBeVisible();
  }
  await page.getByLabel('Rows per page').click();
  await expect(page.getByRole('option')).toHaveText(['10', '25', '50', '100']);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Nora B. Berg' }).click();
  await page.waitForURL(`**/user/${noraId}`);
  await expect(page).toHaveTitle('Nora B. Berg · Berth');
  await expectAccessible(page);
});

test('an admin changes an account, sees what it was granted, and mails a reset', async () => {
  await page.getByLabel('E-mail', { exact: true }).fill(admin.email);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('This e-mail address is already in use.')).toBeVisible();
  await page.getByLabel('E-mail', { exact: true }).fill(email);
  await page.getByLabel('Admin', { exact: true }).click();
  password = 'Given!pass5';
  await page.getByRole('textbox', { name: 'New password' }).fill(password);
  await page.getByLabel('Password again').fill(password);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Nora B. Berg is saved')).toBeVisible();
  expect(await canLogIn('nora.b', password)).toBe(true);
  expect((await pb.collection('users').getOne(noraId)).isAdmin).toBe(true);

  const host = await localHost(pb);
  await pb.collection('host_permissions').create({ user: noraId, host: host.id, view: true, canCreateImages: true });
  await page.getByRole('tab', { name: 'Permissions' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'local' })).toContainText('Create images');
  await expect(page.getByText('Admins may do everything, whatever is listed here.')).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole('link', { name: 'local', exact: true })).toHaveAttribute(
    'href',
    `/host/${host.id}?tab=permissions`,
  );
  await page.getByRole('button', { name: 'Send password reset' }).click();
  await expect(page.getByText(/No mail was sent to/)).toBeVisible();
  await expect(page.getByText(/on its way/)).toHaveCount(0);
});

test('an admin deletes a person after their name was typed', async () => {
  // A notice stays while the pointer rests on it.
  await page.mouse.move(10, 400);
  await page.getByRole('tab', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete user' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('nora');
  await expect(dialog.getByRole('button', { name: 'Delete user' })).toBeDisabled();
  await expectAccessible(page);
  await dialog.getByRole('textbox').fill('nora.b');
  await dialog.getByRole('button', { name: 'Delete user' }).click();
  await page.waitForURL('**/users');
  await expect(page.getByRole('link', { name: 'Otto Quick' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Nora B. Berg' })).toBeHidden();
  expect(await canLogIn('nora.b', password)).toBe(false);
});
