import { expect, test, type Browser, type Page } from '@playwright/test';
import { freePort, startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, PASSWORD, setUp } from '../setup/journey';
import { startOidcProvider, type RealProvider } from '../setup/oidc-provider';
import { expectAccessible, logIn, openWindow, type WatchedPage } from './browser';

/** Single sign-on from its settings to its end, with a real provider on loopback. The steps build on each other. */
test.describe.configure({ mode: 'serial' });

let berth: ConsoleProcess;
let provider: RealProvider;
let office: WatchedPage;

test.beforeAll(async ({ browser }) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  provider = await startOidcProvider([`${url}/login/callback`]);
  berth = await startConsole({ port, env: { BERTH_LOCAL_AGENT: 'simulated', BERTH_PUBLIC_URL: url } });
  const pb = await setUp(berth.url);
  const kim = { username: 'kim', email: 'kim@example.org', name: 'Kim Known', verified: true };
  await pb.collection('users').create({ ...kim, password: PASSWORD, passwordConfirm: PASSWORD });
  office = await openWindow(browser, berth.url);
  await logIn(office.page, admin.username);
});

test.afterEach(() => office.expectQuiet());

test.afterAll(async () => {
  await office?.page.context().close();
  await berth?.dispose();
  await provider?.close();
});

/** A window of someone else. The provider's own pages ask for a font of the web, which is not there. */
async function openOther(browser: Browser): ReturnType<typeof openWindow> {
  const opened = await openWindow(browser, berth.url);
  await opened.context.route(/^https:/, (route) => route.fulfill({ contentType: 'text/css', body: '' }));
  return opened;
}

/** Keeps a picture of the page in both looks and on a small screen where PICTURES names a folder. */
async function keepPictures(page: Page, name: string): Promise<void> {
  await expectAccessible(page);
  const folder = process.env.PICTURES;
  for (const scheme of ['light', 'dark'] as const) {
    await page.evaluate((isDark) => document.body.classList.toggle('dark', isDark), scheme === 'dark');
    await expectAccessible(page);
    if (folder) await page.screenshot({ path: `${folder}/${name}-${scheme}.png` });
  }
  await page.evaluate(() => document.body.classList.remove('dark'));
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  if (folder) await page.screenshot({ path: `${folder}/${name}-small.png` });
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** Logs in at the provider under the name and agrees to hand over the profile. */
async function passProvider(page: Page, name: string): Promise<void> {
  await page.waitForURL(`${provider.issuer}/**`);
  await page.locator('input[name=login]').fill(name);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: /continue/i }).click();
}

const results = (page: Page) => page.getByRole('list', { name: 'What the test found' });
const cont = (page: Page) => page.getByRole('button', { name: 'Continue with University' });

test('an admin sees how the console runs and sends a test mail', async () => {
  const { page } = office;
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  await expect(page.getByText(berth.url, { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Send a test mail' }).click();
  await expect(page.getByText('The mail was written to the outbox folder')).toBeVisible();
  await page.getByLabel('Send a test mail to').fill('nobody');
  await page.getByRole('button', { name: 'Send a test mail' }).click();
  await expect(page.getByText('Must be a valid email address.')).toBeVisible();
  await keepPictures(page, 'settings-general');
  await page.getByRole('tab', { name: 'Log-in' }).click();
  await expect(page.getByLabel('Who has to have a second factor')).toBeVisible();
  await keepPictures(page, 'settings-log-in');
});

test('an admin fills in a provider, is told what is missing, and saves', async () => {
  const { page } = office;
  await page.getByRole('tab', { name: 'Single sign-on' }).click();
  await page.getByRole('switch', { name: 'Log in with this provider' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('4 fields need attention:')).toBeVisible();
  await expect(page.getByLabel('Client id')).toHaveAttribute('aria-invalid', 'true');
  await keepPictures(page, 'settings-sso-missing');
  await page.getByLabel('Name on the button').fill('University');
  await page.getByLabel('Client id').fill(provider.clientId);
  await page.getByLabel('Client secret').fill('wrong');
  await page.getByLabel('Issuer').fill(`${provider.issuer}/nowhere`);
  await page.getByRole('button', { name: 'Fill in' }).click();
  await expect(page.getByText('That address names no provider (404).')).toBeVisible();
  await page.getByLabel('Issuer').fill(provider.issuer);
  await page.getByRole('button', { name: 'Fill in' }).click();
  await expect(page.getByLabel('Token address')).toHaveValue(`${provider.issuer}/token`);
  await expect(page.getByRole('textbox', { name: 'Redirect address' })).toHaveValue(`${berth.url}/login/callback`);
});

test('the test names a wrong secret, and finds all well with the right one', async () => {
  const { page } = office;
  await page.getByRole('button', { name: 'Test the provider' }).click();
  await expect(results(page)).toContainText('The client id or the client secret is wrong.');
  await keepPictures(page, 'settings-sso-wrong');
  await page.getByLabel('Client secret').fill(provider.clientSecret);
  await page.getByRole('button', { name: 'Test the provider' }).click();
  await expect(results(page)).toContainText('Takes the client id and the secret.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Single sign-on is saved')).toBeVisible();
  await expect(page.getByText('A secret is stored. Leave this empty to keep it.')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Client id')).toHaveValue(provider.clientId);
  await expect(page.getByLabel('Client secret')).toHaveValue('');
  await page.getByRole('button', { name: 'Test the provider' }).click();
  await expect(results(page)).toContainText('Takes the client id and the secret.');
  await keepPictures(page, 'settings-sso-well');
});

test('someone new logs in through the provider, with picture, and comes where they wanted', async ({ browser }) => {
  const claims = { name: 'Noor New', preferred_username: 'noor', email: 'noor@example.org', email_verified: true };
  provider.profiles.set('noor', claims);
  const { page, context, expectQuiet } = await openOther(browser);
  await page.goto('/images');
  await expect(cont(page)).toBeVisible();
  await keepPictures(page, 'login');
  await cont(page).click();
  await passProvider(page, 'noor');
  await page.waitForURL(`${berth.url}/images`);
  await expect(page.getByRole('complementary').getByText('Noor New')).toBeVisible();
  await expect(page.getByRole('complementary').locator('img')).toHaveAttribute('src', /avatar_/);
  await page.goto('/settings');
  await page.waitForURL('**/users');
  await page.goto('/profile?tab=external-accounts');
  await page.getByRole('button', { name: /Unlink/ }).click();
  const asking = page.getByRole('dialog');
  await asking.getByRole('button', { name: 'Unlink' }).click();
  await expect(page.getByText('This is the only way to log in to this account.')).toBeVisible();
  expectQuiet();
  await context.close();
});

test('an answer that belongs to no log-in of the tab is refused in words', async ({ browser }) => {
  const { page, context } = await openOther(browser);
  await page.goto('/login/callback?code=stolen&state=foreign');
  await expect(page.getByRole('heading', { name: "State parameters don't match." })).toBeVisible();
  await expect(page).toHaveURL(`${berth.url}/login/callback`);
  await keepPictures(page, 'callback-mismatch');
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(cont(page)).toBeVisible();
  await context.close();
});

test('who says no at the provider reads that, and may try again', async ({ browser }) => {
  const { page, context } = await openOther(browser);
  await page.goto('/login');
  await cont(page).click();
  await page.waitForURL(`${provider.issuer}/**`);
  await page.getByRole('link', { name: /cancel/i }).click();
  await expect(page.getByRole('heading', { name: 'The log-in was cancelled' })).toBeVisible();
  await expect(page.getByText('You or University said no.')).toBeVisible();
  await keepPictures(page, 'callback-denied');
  await context.close();
});

test('an address that nobody vouches for opens no account; linking and unlinking do', async ({ browser }) => {
  provider.profiles.set('kim-there', { name: 'Kim', email: 'kim@example.org', email_verified: false });
  const { page, context, expectQuiet } = await openOther(browser);
  await page.goto('/login');
  await cont(page).click();
  await passProvider(page, 'kim-there');
  await expect(page.getByText('University does not vouch for the address.')).toBeVisible();
  await keepPictures(page, 'callback-not-vouched');
  await logIn(page, 'kim');
  await page.goto('/profile?tab=external-accounts');
  await keepPictures(page, 'profile-link');
  // The provider knows the browser by now, so it asks for nothing.
  await page.getByRole('button', { name: 'Link University', exact: true }).click();

  await expect(page.getByRole('button', { name: /Unlink/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Link University', exact: true })).toBeHidden();
  await keepPictures(page, 'profile-linked');
  await page.getByRole('button', { name: /Unlink/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
  await expect(page.getByRole('button', { name: 'Link University', exact: true })).toBeVisible();
  expectQuiet();
  await context.close();
});

test('a provider’s account that opens another one is not linked a second time', async ({ browser }) => {
  const { page, context } = await openOther(browser);
  await logIn(page, 'kim');
  await page.goto('/profile?tab=external-accounts');
  await page.getByRole('button', { name: 'Link University', exact: true }).click();
  await passProvider(page, 'noor');
  await expect(page.getByRole('heading', { name: 'The account is not linked' })).toBeVisible();
  await expect(page.getByText("This account of University opens someone else's account here.")).toBeVisible();
  await page.getByRole('link', { name: 'To your profile' }).click();
  await expect(page.getByText('Kim Known').first()).toBeVisible();
  await context.close();
});

test('the window of a client of the API ends with a page', async ({ browser }) => {
  const { page, context } = await openOther(browser);
  await page.goto('/api/oauth2-redirect?state=nobody&code=x');
  await expect(page.getByRole('heading', { name: 'The log-in did not work' })).toBeVisible();
  await keepPictures(page, 'popup-failure');
  await page.goto('/_/#/auth/oauth2-redirect-success');
  await page.reload();
  await expect(page.getByText('You can close this window.')).toBeVisible();
  await context.close();
});
