import { expect, test, type Page, type Route } from '@playwright/test';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, PASSWORD, setUp } from '../setup/journey';
import { openWindow, type WatchedPage } from './browser';

/** What is done on a page whose scripts are still on their way is done once they are there. */
test.describe.configure({ mode: 'serial' });

let berth: ConsoleProcess;
let watched: WatchedPage;
let page: Page;

test.beforeAll(async ({ browser }) => {
  berth = await startConsole({});
  await setUp(berth.url);
  watched = await openWindow(browser, berth.url);
  page = watched.page;
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await page?.context().close();
  await berth?.dispose();
});

/** Goes to a page whose scripts wait; the answer lets them come, with so many ms between one and the next. */
async function openAsleep(path: string, betweenMs = 0): Promise<() => Promise<void>> {
  const held: Route[] = [];
  const scripts = /\/_next\/static\/chunks\/.*\.js/;
  let isAwake = false;
  await page.unroute(scripts);
  await page.route(scripts, (route) => (isAwake ? route.continue() : void held.push(route)));
  await page.goto(path, { waitUntil: 'commit' });
  await expect.poll(() => held.length).toBeGreaterThan(0);
  return async () => {
    isAwake = true;
    for (const route of held) {
      await route.continue();
      await new Promise((resolve) => setTimeout(resolve, betweenMs));
    }
  };
}

test('a log-in that is typed and sent early is not sent as an address, and goes through', async () => {
  const wake = await openAsleep('/login');
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await page.getByRole('textbox', { name: 'E-mail' }).fill(admin.username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await wake();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
  expect(addresses.filter((address) => address.includes(encodeURIComponent(PASSWORD)))).toEqual([]);
});

test('an early click opens a dialog once, and what comes later opens when it is there', async () => {
  let wake = await openAsleep('/images/create');
  const button = page.getByRole('button', { name: 'Import', exact: true }).filter({ visible: true });
  await button.focus();
  await page.keyboard.press('Enter');
  await wake();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  // What can't take a press yet is not there to be pressed.
  wake = await openAsleep('/users');
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Rows per page' })).toHaveCount(0);
  await wake();
  await page.getByRole('combobox', { name: 'Rows per page' }).click();
  await expect(page.getByRole('listbox')).toBeVisible();
});

test('an early press is not lost in a render that is under way', async () => {
  const wake = await openAsleep('/images/create?tab=write', 200);
  await page.getByLabel('Name', { exact: true }).fill('web');
  await page.getByLabel('Build host', { exact: true }).click();
  await wake();
  await expect(page.getByPlaceholder('Search hosts')).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('web');
});

test('text that is typed early is what the form sends', async () => {
  const wake = await openAsleep('/users/create');
  await page.getByLabel('Name', { exact: true }).fill('Priya Nair');
  await wake();
  await page.getByLabel('Username').fill('priya');
  await page.getByRole('textbox', { name: 'E-mail' }).fill('priya@example.org');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Password again').fill(PASSWORD);
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().includes('/api/collections/users/records'),
  );
  await page.getByRole('button', { name: 'Create user' }).click();
  expect((await sent).postDataJSON()).toMatchObject({ name: 'Priya Nair', username: 'priya' });
});

test('what is clicked on a page that is awake is done once', async () => {
  await page.goto('/images/create');
  const button = page.getByRole('button', { name: 'Import', exact: true }).filter({ visible: true });
  await expect
    .poll(() => button.evaluate((each) => Object.keys(each).some((key) => key.startsWith('__reactProps'))))
    .toBe(true);
  await button.click();
  await expect(page.getByRole('dialog')).toBeVisible();
});
