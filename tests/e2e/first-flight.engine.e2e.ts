import { expect, test, type Page } from '@playwright/test';
import { eventually, freePort, startConsole, type ConsoleProcess } from '../setup/console-process';
import { BASE_IMAGE, docker, engineIsThere, ensureBaseImage } from '../setup/docker';
import { admin, cleanHost, containersOf, isRunning, localHost, PASSWORD, signIn } from '../setup/journey';
import { expectAccessible, logIn, openWindow, type WatchedPage } from './browser';

/**
 * The whole first flight as people walk it, on a real engine: set up, host, image, workspace, a second person. The steps
 * build on each other, so they run in order and stop at the first that fails.
 */
test.describe.configure({ mode: 'serial' });
test.skip(!engineIsThere(), 'needs a Docker engine');

const DOCKERFILE = [
  `FROM ${BASE_IMAGE}`,
  'RUN echo "made by Berth" > /www/index.html',
  'STOPSIGNAL SIGKILL',
  `CMD ["sh", "-c", "echo serving $GREETING; httpd -f -vv -p 8080 -h /www"]`,
  '',
].join('\n');

let berth: ConsoleProcess;
let watched: WatchedPage;
let page: Page;
let hostId: string;
let hostPort: number;
let workspaceId: string;

test.beforeAll(async ({ browser }) => {
  await ensureBaseImage();
  hostPort = await freePort();
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'docker' } });
  watched = await openWindow(browser, berth.url);
  page = watched.page;
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await berth?.dispose();
  if (hostId) await cleanHost(hostId);
});

async function pick(field: string, option: string | RegExp, on = page): Promise<void> {
  await on.getByLabel(field, { exact: true }).click();
  await on.getByRole('option', { name: option }).first().click();
}

async function writeDockerfile(text: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'Dockerfile text' });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

test('the first page sets up the administrator and signs in', async () => {
  await page.goto('/');
  await page.waitForURL('**/first-steps');
  await expectAccessible(page);
  await page.getByLabel('Name', { exact: true }).fill(admin.name);
  await page.getByLabel('Username').fill(admin.username);
  await page.getByRole('textbox', { name: 'E-mail' }).fill(admin.email);
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByLabel('Password again').fill('other');
  await page.getByRole('button', { name: 'Create account and continue' }).click();
  await expect(page.getByText('Your passwords do not match.')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Password again').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account and continue' }).click();
  await page.waitForURL('**/workspaces');
  await expect(page.getByText('No workspaces yet')).toBeVisible();
  await expect(page).toHaveTitle('Workspaces · Berth');
  await expectAccessible(page);
});

test('this machine is there as host local, online, with what it has', async () => {
  hostId = (await localHost(await signIn(berth.url, admin.username))).id;
  await page.goto('/hosts');
  const row = page.getByRole('row', { name: /local/ });
  await expect(row).toContainText('Online');
  await expect(row).toContainText('docker');
  await expectAccessible(page);
  await row.getByRole('link', { name: 'local' }).click();
  await expect(page).toHaveTitle('local · Berth');
  await expect(page.getByText('Live link')).toBeVisible();
  await expectAccessible(page);
});

test('a Dockerfile with a mistake is refused at its field, a good one is built with its log live', async () => {
  await page.goto('/images/create?tab=write');
  await page.getByLabel('Name', { exact: true }).fill('web');
  await pick('Build host', /local/);
  await writeDockerfile('FRMO nothing\n');
  await page.getByRole('button', { name: /Create and build/ }).click();
  await expect(page.getByText(/line 1/i).first()).toBeVisible();
  await expectAccessible(page);
  await writeDockerfile(DOCKERFILE);
  await page.getByRole('button', { name: /Create and build/ }).click();
  await page.waitForURL('**/image/**');
  await expect(page.getByText('Build finished').first()).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('made by Berth').first()).toBeVisible();
  await expectAccessible(page);
});

test('a build that fails shows the engine’s own words, and one under way can be cancelled', async () => {
  await createImage('broken', `FROM ${BASE_IMAGE}\nRUN echo about to fail && exit 3\n`);
  await expect(page.getByText('Error').first()).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(/exit code: 3|code 3/).first()).toBeVisible();
  await createImage('slow', `FROM ${BASE_IMAGE}\nRUN echo started && sleep 600\n`);
  await expect(page.getByText('started').last()).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Cancel build' }).first().click();
  await expect(page.getByText('Build cancelled').first()).toBeVisible();
});

async function createImage(name: string, dockerfile: string): Promise<void> {
  await page.goto('/images/create?tab=write');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await pick('Build host', /local/);
  await writeDockerfile(dockerfile);
  await page.getByRole('button', { name: /Create and build/ }).click();
  await page.waitForURL('**/image/**');
}

test('a workspace is created and started; two windows see it come up by themselves', async ({ browser }) => {
  const other = await openWindow(browser, berth.url);
  await logIn(other.page, admin.username);
  await expect(other.page.getByText('No workspaces yet')).toBeVisible();

  await page.goto('/workspaces/create');
  await page.getByLabel('Name', { exact: true }).fill('site');
  await pick('Host', /local/);
  await pick('Image', /web/);
  await page.getByRole('button', { name: 'Add port' }).click();
  await page.getByLabel('Container port, row 1').fill('8080');
  await page.getByLabel('Host port, row 1').fill(String(hostPort));
  await page.getByRole('button', { name: 'Add variable' }).click();
  await page.getByLabel('Name, row 1').fill('GREETING');
  await page.getByLabel('Value, row 1').fill('good morning');
  await expectAccessible(page);
  await page.getByRole('button', { name: /Create and start/ }).click();
  await page.waitForURL('**/workspace/**');
  workspaceId = new URL(page.url()).pathname.split('/')[2]!;
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible();
  await expect(other.page.getByRole('row', { name: /site/ })).toContainText('Running');
  await expect(page.getByText('Succeeded').first()).toBeVisible();
  await expectAccessible(page);
  other.expectQuiet();
  await other.context.close();

  const containers = await containersOf(workspaceId);
  expect(containers).toHaveLength(1);
  expect(await isRunning(containers[0]!)).toBe(true);
});

test('its published port answers and its log is live', async () => {
  const answer = await eventually('the port answers', () =>
    fetch(`http://127.0.0.1:${hostPort}/`).then((response) => response.text()),
  );
  expect(answer).toContain('made by Berth');
  await page.goto(`/workspace/${workspaceId}/logs`);
  await expect(page.getByText('serving good morning')).toBeVisible();
  await fetch(`http://127.0.0.1:${hostPort}/seen-in-the-log`);
  await expect(page.getByText(/seen-in-the-log/).first()).toBeVisible();
  await expectAccessible(page);
});

test('it stops, starts, and is redeployed with a change that the page shows first', async () => {
  await page.goto(`/workspace/${workspaceId}`);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByText('Stopped', { exact: true }).first()).toBeVisible();
  const [container] = await containersOf(workspaceId);
  expect(await isRunning(container!)).toBe(false);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible();
  expect(await containersOf(workspaceId)).toEqual([container]);

  await page.goto(`/workspace/${workspaceId}?tab=settings`);
  await page.getByLabel('Value, row 1').fill('good evening');
  await page.getByRole('button', { name: /Save/ }).first().click();
  await expect(page.getByText(/Changed since it was deployed/).first()).toBeVisible();
  await page.getByRole('button', { name: /Review and redeploy/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('good evening');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: /Redeploy/ }).click();
  await eventually('another container has taken over', async () => {
    const now = await containersOf(workspaceId);
    return now.length === 1 && now[0] !== container;
  });
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible();
  const [newer] = await containersOf(workspaceId);
  expect(await docker('logs', newer!)).toContain('good evening');
});

test('a port that another workspace holds is refused at its field', async () => {
  await page.goto('/workspaces/create');
  await page.getByLabel('Name', { exact: true }).fill('second');
  await pick('Host', /local/);
  await pick('Image', /web/);
  await page.getByRole('button', { name: 'Add port' }).click();
  await page.getByLabel('Container port, row 1').fill('8080');
  await page.getByLabel('Host port, row 1').fill(String(hostPort));
  await page.getByRole('button', { name: /Create and start/ }).click();
  await expect(page.getByText(new RegExp(`${hostPort} is taken`)).first()).toBeVisible();
  await expect(page.getByText(/field needs attention/)).toBeVisible();
});

test('an ordinary person sees nothing until a permission is given, then what it says', async ({ browser }) => {
  await page.goto('/users/create');
  await page.getByLabel('Name', { exact: true }).fill('Priya Nair');
  await page.getByLabel('Username').fill('priya');
  await page.getByRole('textbox', { name: 'E-mail' }).fill('priya@example.org');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Password again').fill(PASSWORD);
  await page
    .getByRole('button', { name: /Create/ })
    .last()
    .click();
  await page.waitForURL((url) => !url.pathname.endsWith('/create'));

  const other = await openWindow(browser, berth.url);
  await logIn(other.page, 'priya');
  await expect(other.page.getByText('No workspaces yet')).toBeVisible();
  await other.page.goto(`/workspace/${workspaceId}`);
  await expect(other.page.getByText(/not found|404/i).first()).toBeVisible();
  const priya = await signIn(berth.url, 'priya');
  await expect(
    priya.send(`/api/workspace/${workspaceId}/request`, { method: 'POST', body: { action: 'stop' } }),
  ).rejects.toMatchObject({ status: 404 });

  await other.page.goto('/workspaces');
  await letIn('Priya');
  await expect(other.page.getByRole('row', { name: /site/ })).toBeVisible();
  await other.page.goto(`/workspace/${workspaceId}`);
  await expect(other.page.getByText('Running', { exact: true }).first()).toBeVisible();
  await expect(other.page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0);
  await expect(
    priya.send(`/api/workspace/${workspaceId}/request`, { method: 'POST', body: { action: 'stop' } }),
  ).rejects.toMatchObject({ status: 403 });
  await expectAccessible(other.page);
  other.expectQuiet();
  await other.context.close();
});

/** Someone who is added may see the workspace, until more is ticked. */
async function letIn(person: string): Promise<void> {
  await page.goto(`/workspace/${workspaceId}?tab=permissions`);
  await page.getByRole('button', { name: 'Add people' }).click();
  await page.getByRole('option', { name: new RegExp(person) }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: /Save/ }).click();
  await expect(page.getByText('Not saved')).toHaveCount(0);
}

test('deleting asks for the name, and nothing stays behind', async () => {
  await page.goto(`/workspace/${workspaceId}?tab=delete`);
  await page
    .getByRole('button', { name: /Delete workspace/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('sit');
  await dialog.getByRole('textbox').fill('site');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: /Delete workspace/ }).click();
  await eventually('its container is gone', async () => (await containersOf(workspaceId)).length === 0);
  await page.goto('/workspaces');
  await expect(page.getByText('No workspaces yet')).toBeVisible();
});

test('every page fits 390 px and has a dark form', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const path of [
    '/workspaces',
    '/workspaces/create',
    '/images',
    '/images/create',
    '/hosts',
    `/host/${hostId}`,
    '/users',
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, `${path} scrolls sideways`).toBeLessThanOrEqual(0);
    await expectAccessible(page);
  }
});

test('signing out leads back to the log-in page', async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/workspaces');
  await page.getByRole('button', { name: /Log out|Sign out/ }).click();
  await page.waitForURL('**/login**');
  await page.goto('/hosts');
  await page.waitForURL('**/login?redirect=%2Fhosts');
  await expectAccessible(page);
});
