import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { BASE_IMAGE, docker, engineIsThere, ensureBaseImage } from '../setup/docker';
import { admin, buildImage, cleanHost, containersOf, localHost, reaches, request, setUp } from '../setup/journey';
import { expectAccessible, logIn, openWindow, type WatchedPage } from './browser';

/** Logs and deployments as a person reads them, on a real engine. The steps build on each other. */
test.describe.configure({ mode: 'serial' });
test.skip(!engineIsThere(), 'needs a Docker engine');

const LINES = 100_134;
const COMMANDS = {
  counter: `seq ${LINES}; exec sleep 3600`,
  levels: 'echo ERROR no disk; echo WARN slow; echo INFO ready; echo DEBUG detail; echo plain words; exec sleep 3600',
  crasher: 'echo no config in /etc >&2; exit 3',
};
type Name = keyof typeof COMMANDS;

let berth: ConsoleProcess;
let watched: WatchedPage;
let page: Page;
let pb: PocketBase;
let hostId: string;
const ids = {} as Record<Name, string>;

test.beforeAll(async ({ browser }) => {
  await ensureBaseImage();
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'docker' } });
  pb = await setUp(berth.url);
  hostId = (await localHost(pb)).id;
  for (const [name, command] of Object.entries(COMMANDS) as [Name, string][]) {
    const dockerfile = `FROM ${BASE_IMAGE}\nSTOPSIGNAL SIGKILL\nCMD ["sh", "-c", "${command}"]\n`;
    const image = await buildImage(pb, hostId, { name, dockerfile });
    const fields = { name, host: hostId, image: image.id, enabled: true, autoStart: name === 'crasher' };
    ids[name] = (await pb.collection('workspaces').create(fields)).id;
    // The engine waits longer with each restart: that one is started when it is looked at.
    if (name !== 'crasher') await request(pb, 'workspace', ids[name], 'start');
  }
  watched = await openWindow(browser, berth.url);
  page = watched.page;
  await logIn(page, admin.username);
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await berth?.dispose();
  if (hostId) await cleanHost(hostId);
});

const log = () => page.getByRole('log', { name: 'Logs' });
const search = () => page.getByRole('textbox', { name: 'Search the log' });

async function picture(name: string): Promise<void> {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png` });
}

test('the end of a long log has its real numbers, and what is not loaded is said', async () => {
  await reaches(pb, { collection: 'workspaces', id: ids.counter, status: 'running' });
  await page.goto(`/workspace/${ids.counter}/logs`);
  await expect(log().getByText('100,134')).toBeVisible();
  await log().evaluate((element) => element.scrollTo(0, 0));
  await expect(page.getByText('90,134 older lines are not loaded')).toBeVisible();
  await picture('logs-older');
  await expectAccessible(page);
});

test('a line among the first hundred is found, shown with its number, and reached', async () => {
  await search().fill('^57$');
  await page.getByRole('button', { name: 'Regular expression' }).click();
  await expect(page.getByText('0 of 1')).toBeVisible();
  await page.getByLabel('Matches only').click();
  await expect(log().getByText('57', { exact: true }).first()).toBeVisible();
  await picture('logs-matches');
  await page.getByLabel('Matches only').click();
  await search().press('Enter');
  await expect(page.getByText('1 of 1')).toBeVisible();
  await expect(log().getByText('56', { exact: true }).first()).toBeVisible();
  await expect(log().getByText('58', { exact: true }).first()).toBeVisible();
  await picture('logs-reached');
  await search().fill('');
  await page.getByRole('button', { name: /Resume/ }).click();
  await expect(log().getByText('100,134')).toBeVisible();
});

test('the exclamation mark shows what does not match', async () => {
  await search().fill('^\\d+$');
  await page.getByRole('button', { name: 'Lines that do not match' }).click();
  await expect(page.getByText('No line matches.')).toBeVisible();
  await search().fill('[1-9]$');
  await expect(log().getByText('100130', { exact: true })).toBeVisible();
  await expect(log().getByText('100131', { exact: true })).toHaveCount(0);
  await picture('logs-inverted');
  await page.getByRole('button', { name: 'Lines that do not match' }).click();
  await page.getByRole('button', { name: 'Regular expression' }).click();
  await search().fill('');
});

test('older lines are loaded up to the first', async () => {
  for (const left of ['70,134', '50,134', '30,134', '10,134']) {
    await log().evaluate((element) => element.scrollTo(0, 0));
    await page.getByRole('button', { name: 'Load 20,000 older' }).click();
    await expect(page.getByText(`${left} older lines are not loaded`)).toBeAttached();
  }
  await log().evaluate((element) => element.scrollTo(0, 0));
  await page.getByRole('button', { name: 'Load 10,134 older' }).click();
  await expect(page.getByText('The log begins here')).toBeAttached();
  await log().evaluate((element) => element.scrollTo(0, 0));
  await expect(log().getByText('1', { exact: true }).first()).toBeVisible();
  await picture('logs-beginning');
  await page.getByRole('button', { name: /Resume/ }).click();
  await expect(log().getByText('100,134')).toBeVisible();
});

test('a link leads to a line, with what was searched, and newer lines are loaded from there', async () => {
  await page.goto(`/workspace/${ids.counter}/logs?search=000%24&regex=1&line=40000`);
  await expect(page.getByRole('button', { name: 'Link to line 40,000' })).toBeVisible();
  await expect(log().getByText('40,000', { exact: true })).toBeInViewport();
  await expect(search()).toHaveValue('000$');
  await expect(page.locator('[data-log-marks] span').first()).toBeAttached();
  await picture('logs-line');
  await expectAccessible(page);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await log().getByRole('button', { name: '40,003', includeHidden: true }).click();
  await expect(page).toHaveURL(/line=40003&container=[0-9a-f]{12}$/);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  await page.reload();
  await expect(page.getByRole('button', { name: 'Link to line 40,003' })).toBeVisible();
  await search().fill('');
  await log().evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await page.getByRole('button', { name: 'Load 20,000 newer' }).click();
  await expect(page.getByText(/^31,\d{3} newer lines are not loaded/)).toBeAttached();
  await page.getByRole('button', { name: 'To the end' }).click();
  await expect(log().getByText('100,134')).toBeVisible();
  await page.goto(`/workspace/${ids.counter}/logs?line=40003&container=0123456789ab`);
  await expect(page.getByText('of a container that is gone')).toBeVisible();
});

test('several levels are shown together', async () => {
  await page.goto(`/workspace/${ids.levels}/logs`);
  await expect(log().getByText('plain words')).toBeVisible();
  await page.getByRole('button', { name: /^Error/ }).click();
  await page.getByRole('button', { name: /^Info/ }).click();
  await expect(log().getByText('no disk')).toBeVisible();
  await expect(log().getByText('ready')).toBeVisible();
  await expect(log().getByText(/slow|detail|plain words/)).toHaveCount(0);
  await picture('logs-levels');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await expect(log().getByText('plain words')).toBeVisible();
});

test('the log goes on through Stop and Start, and its words agree with the status', async () => {
  await expect(page.getByText('following', { exact: true })).toBeVisible();
  await request(pb, 'workspace', ids.levels, 'stop');
  await expect(page.getByText('Stopped', { exact: true }).first()).toBeVisible();
  await expect(page.getByText(/ended with code 137/)).toBeVisible();
  await picture('logs-ended');
  await request(pb, 'workspace', ids.levels, 'start');
  await expect(log().getByText('plain words')).toHaveCount(2);
  await expect(page.getByText('following', { exact: true })).toBeVisible();
  await page.goto(`/workspace/${ids.levels}`);
  const tail = page.getByRole('log', { name: 'Logs' });
  await expect(tail.getByText('plain words').first()).toBeVisible();
  await expect(page.getByText(/^Deployment \d/)).toHaveCount(1);
  await page.goto(`/workspace/${ids.levels}?tab=activity`);
  await expect(page.getByRole('heading', { name: 'Stop' })).toBeVisible();
  await expect(page.getByRole('heading', { name: /^Deployment/ })).toHaveCount(2);
});

test('a redeploy of what is unchanged says what it does and makes another container', async () => {
  await page.goto(`/workspace/${ids.levels}`);
  const [before] = await containersOf(ids.levels);
  await expect(page.getByText('Runs as')).toBeVisible();
  await page.getByRole('button', { name: 'Redeploy', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('the same is run again, in a new container');
  await picture('redeploy-unchanged');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: /Redeploy/ }).click();
  await eventually('another container has taken over', async () => {
    const now = await containersOf(ids.levels);
    return now.length === 1 && now[0] !== before;
  });
  const [after] = await containersOf(ids.levels);
  await expect(page.getByText(after!.slice(0, 12), { exact: true })).toBeVisible();
  await expect(page.getByText('Stayed up')).toBeVisible();
  await expect(page.getByText('Health check passed')).toHaveCount(0);
  await expect(page.getByRole('log', { name: 'Logs' }).getByText('plain words')).toHaveCount(1);
  const imageId = await docker('inspect', '-f', '{{.Image}}', after!);
  await expect(page.getByText(imageId.replace('sha256:', '').slice(0, 12))).toBeVisible();
});

test('what runs is told apart from what was built since', async () => {
  const workspace = await pb.collection('workspaces').getOne(ids.levels);
  const dockerfile = `FROM ${BASE_IMAGE}\nSTOPSIGNAL SIGKILL\nCMD ["sh", "-c", "echo other; exec sleep 3600"]\n`;
  await pb.collection('images').update(workspace.image, { dockerfile });
  await request(pb, 'image', workspace.image, 'build');
  await expect(page.getByText('Build 2 is newer: redeploy to run it')).toBeVisible({ timeout: 60_000 });
  await picture('runs-as');
});

test('what ends again and again is an error with code, restarts and last lines, and its log goes on', async () => {
  await request(pb, 'workspace', ids.crasher, 'start');
  await page.goto(`/workspace/${ids.crasher}`);
  const alert = page.getByRole('alert').filter({ hasText: 'code 3' });
  await expect(alert).toContainText(/It ends again and again: code 3, started again \d+ times/);
  await expect(alert).toContainText('no config in /etc');
  await expect(page.getByText('Starting', { exact: true })).toHaveCount(0);
  await picture('crash-loop');
  await expectAccessible(page);
  await page.goto(`/workspace/${ids.crasher}/logs`);
  const lines = log().getByText('no config in /etc');
  await expect(lines.first()).toBeVisible();
  const before = await lines.count();
  await expect.poll(() => lines.count(), { timeout: 60_000 }).toBeGreaterThan(before);
  await picture('crash-loop-log');
});
