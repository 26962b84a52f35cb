import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { type ConsoleProcess, startConsole } from '../setup/console-process';
import { BASE_IMAGE, docker, engineIsThere, ensureBaseImage } from '../setup/docker';
import { admin, buildImage, cleanHost, containersOf, localHost, reaches, request, setUp } from '../setup/journey';
import { expectAccessible, logIn, openWindow, type WatchedPage } from './browser';

/** Redeploys, what was deployed, and logs beside each other, on a real engine. The steps build on each other. */
test.describe.configure({ mode: 'serial' });
test.skip(!engineIsThere(), 'needs a Docker engine');

let berth: ConsoleProcess;
let watched: WatchedPage;
let page: Page;
let pb: PocketBase;
let hostId: string;
const ids = {} as Record<'api' | 'web', string>;
const port = (hostPort: number | string) => ({ containerPort: 8000, protocol: 'tcp', hostPort, hostIp: '127.0.0.1' });

test.beforeAll(async ({ browser }) => {
  await ensureBaseImage();
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'docker' } });
  pb = await setUp(berth.url);
  hostId = (await localHost(pb)).id;
  const command = 'echo begun; while true; do echo tick from $NAME; sleep 1; done';
  const dockerfile = `FROM ${BASE_IMAGE}\nSTOPSIGNAL SIGKILL\nCMD ["sh", "-c", "${command}"]\n`;
  const image = await buildImage(pb, hostId, { name: 'ticker', dockerfile });
  for (const name of ['api', 'web'] as const) {
    const environmentVariables = [
      { name: 'NAME', value: name, secret: false },
      { name: 'KEY', value: 'hush-hush', secret: true },
    ];
    const fields = { name, host: hostId, image: image.id, enabled: true, environmentVariables };
    ids[name] = (await pb.collection('workspaces').create({ ...fields, portMappings: [port('')] })).id;
    await request(pb, 'workspace', ids[name], 'start');
  }
  for (const id of Object.values(ids)) await reaches(pb, { collection: 'workspaces', id, status: 'running' });
  watched = await openWindow(browser, berth.url);
  page = watched.page;
  await logIn(page, admin.username);
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await berth?.dispose();
  if (hostId) await cleanHost(hostId);
});

const newest = (id: string): Promise<RecordModel> =>
  pb.collection('deployments').getFirstListItem(`workspace = '${id}'`, { sort: '-number' });

/** Waits for the newest deployment, which has that number, and returns it. */
async function succeeded(id: string, number: number): Promise<RecordModel> {
  await expect
    .poll(async () => newest(id).then((each) => [each.number, each.status]), { timeout: 30_000 })
    .toEqual([number, 'succeeded']);
  return newest(id);
}
async function hostPortOf(id: string): Promise<string> {
  const [container] = await containersOf(id);
  return docker('inspect', '-f', '{{(index (index .HostConfig.PortBindings "8000/tcp") 0).HostPort}}', container!);
}
async function isNarrowFine(): Promise<void> {
  await page.setViewportSize({ width: 390, height: 800 });
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await page.setViewportSize({ width: 1440, height: 900 });
}
async function picture(name: string): Promise<void> {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png` });
}

test('a redeploy says what speaks for either way, and goes the way that is chosen', async () => {
  const before = await hostPortOf(ids.api);
  await page.goto(`/workspace/${ids.api}?ask=redeploy`);
  const dialog = page.getByRole('dialog', { name: 'Redeploy api' });
  await expect(dialog.getByRole('radio', { name: 'Stop the old one first' })).toBeChecked();
  await expect(dialog.getByText(`The address stays: host port ${before} was picked`)).toBeVisible();
  await expect(dialog.getByText('Also take a newer image')).toHaveCount(0);
  await dialog.getByRole('radio', { name: 'Keep the old one until the new one is up' }).click();
  await expectAccessible(page);
  await picture('redeploy');
  await isNarrowFine();
  await dialog.getByRole('button', { name: 'Redeploy' }).click();
  await expect(dialog).toBeHidden();
  expect(await succeeded(ids.api, 2)).toMatchObject({ order: 'start-first', pull: false });
  expect(await hostPortOf(ids.api)).not.toBe(before);
});

test('a picked port is kept for good in one click, and a fixed one leaves no choice', async () => {
  const picked = await hostPortOf(ids.api);
  await page.goto(`/workspace/${ids.api}?tab=settings`);
  await page.getByRole('button', { name: `Use ${picked} for 8000` }).click();
  await expect(page.getByLabel('Host port, row 1')).toHaveValue(picked);
  await page.getByRole('button', { name: 'Save' }).first().click();
  await expect
    .poll(async () => (await pb.collection('workspaces').getOne(ids.api)).portMappings[0].hostPort)
    .toBe(Number(picked));
  await page.goto(`/workspace/${ids.api}?ask=redeploy`);
  const dialog = page.getByRole('dialog', { name: 'Redeploy api' });
  await expect(dialog.getByText(`Not possible: host port ${picked} is fixed`)).toBeVisible();
  await expect(dialog.getByRole('radio', { name: 'Keep the old one until the new one is up' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Redeploy' }).click();
  await succeeded(ids.api, 3);
  expect(await hostPortOf(ids.api)).toBe(picked);
});

test('what was deployed is shown beside the deployment before, and beside now', async () => {
  await pb.collection('workspaces').update(ids.api, { shmSize: 128 * 1024 ** 2 });
  await page.goto(`/workspace/${ids.api}?tab=activity`);
  await page.getByRole('button', { name: 'What was deployed, deployment 3' }).click();
  const dialog = page.getByRole('dialog', { name: 'What was deployed with deployment 3' });
  await expect(dialog.getByText('Nothing differs.')).toBeVisible();
  await dialog.getByText('Beside the settings of now').click();
  await expect(dialog.getByRole('row', { name: /shared memory.*none.*128/i })).toBeVisible();
  await expectAccessible(page);
  await picture('deployed-now');
  await dialog.getByText('Everything').click();
  await expect(dialog.getByText('NAME=api')).toBeVisible();
  await expect(dialog.getByText('KEY=••••')).toBeVisible();
  await expect(page.getByText('hush-hush')).toHaveCount(0);
  await isNarrowFine();
  await picture('deployed-all');
  await dialog.getByRole('button', { name: 'Close' }).click();
});

test('several are redeployed the same way', async () => {
  await page.goto('/workspaces');
  for (const name of ['api', 'web']) await page.getByRole('checkbox', { name: `Select ${name}` }).click();
  await page.getByRole('toolbar').getByRole('button', { name: 'Redeploy' }).click();
  const dialog = page.getByRole('dialog', { name: 'Redeploy 2 workspaces?' });
  await expect(dialog.getByRole('radio', { name: 'As each needs it' })).toBeChecked();
  await dialog.getByRole('radio', { name: 'Stop the old one first' }).click();
  await expect(dialog.getByRole('radio', { name: 'Stop the old one first' })).toBeChecked();
  await expectAccessible(page);
  await picture('redeploy-many');
  await dialog.getByRole('button', { name: 'Redeploy' }).click();
  expect(await succeeded(ids.api, 4)).toMatchObject({ order: 'stop-first' });
  expect(await succeeded(ids.web, 2)).toMatchObject({ order: 'stop-first' });
});

test('two logs stand side by side, with one search for both', async () => {
  await page.goto('/workspaces');
  for (const name of ['api', 'web']) await page.getByRole('checkbox', { name: `Select ${name}` }).click();
  await page.getByRole('toolbar').getByRole('button', { name: 'Logs' }).click();
  await expect(page).toHaveURL(/\/workspaces\/logs\/?\?ids=[a-z0-9]{15}(,|%2C)[a-z0-9]{15}$/);
  const log = (name: string) => page.getByRole('log', { name: `Log of ${name}` });
  for (const name of ['api', 'web']) {
    await expect(log(name).getByText(`tick from ${name}`).last()).toBeVisible();
  }
  const [left, right] = await Promise.all(['api', 'web'].map((name) => log(name).boundingBox()));
  expect(Math.abs(left!.y - right!.y)).toBeLessThan(2);
  await expectAccessible(page);
  await picture('logs-together');
  await page.getByRole('textbox', { name: 'Search the log' }).fill('from web');
  await page.getByLabel('Matches only').click();
  await expect(page.getByRole('region', { name: 'Log of api' }).getByText('No line matches.')).toBeVisible();
  await expect(log('web').getByText('begun')).toHaveCount(0);
  await expect(page.getByText(/^\d+ hits?$/)).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByLabel('Matches only').click();
  const narrow = await Promise.all(['api', 'web'].map((name) => log(name).boundingBox()));
  expect(narrow[0]!.x).toBe(narrow[1]!.x);
  await picture('logs-together-narrow');
  await isNarrowFine();
  await page.getByRole('button', { name: 'Leave out api' }).click();
  await expect(page).toHaveURL(new RegExp(`ids=${ids.web}&`));
  await page.reload();
  await expect(log('web').getByText('tick from web').last()).toBeVisible();
  await expect(log('api')).toHaveCount(0);
});

test('a log is shown from one moment to another, and the address keeps both', async () => {
  await page.goto(`/workspace/${ids.web}/logs`);
  const log = page.getByRole('log', { name: 'Logs' });
  await expect(log.getByText('tick from web').nth(3)).toBeVisible();
  await page.getByRole('combobox', { name: 'From when' }).click();
  await page.getByRole('option', { name: 'From … to …' }).click();
  await expect(page).toHaveURL(/span=range&from=.+&to=.+/);
  await expect(page.getByText('nothing more to come')).toBeVisible();
  expect(await log.getByText('tick from web').count()).toBeGreaterThan(2);
  const { startedAt } = (await newest(ids.web)).steps[0];
  const from = new Date(Date.parse(startedAt.replace(' ', 'T')) - 3_600_000);
  await page.getByLabel('From', { exact: true }).fill(localText(from));
  await page.getByLabel('To', { exact: true }).fill(localText(new Date(from.getTime() - 60_000)));
  await expect(page.getByText('The end lies before the beginning.')).toBeVisible();
  await page.getByLabel('To', { exact: true }).fill(localText(new Date(from.getTime() + 60_000)));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Nothing was logged then.')).toBeVisible();
  await expectAccessible(page);
  await picture('logs-range');
  const address = page.url();
  await page.reload();
  await expect(page.getByLabel('From', { exact: true })).toHaveValue(localText(from));
  expect(page.url()).toBe(address);
  await isNarrowFine();
});

test("a template's page leads back to the templates", async () => {
  const { image } = await pb.collection('workspaces').getOne(ids.web);
  const fields = { name: 'pattern', template: true, host: hostId, image };
  const template = await pb.collection('workspaces').create(fields);
  await page.goto(`/workspace/${template.id}`);
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
  await crumbs.getByRole('link', { name: 'Workspace templates' }).click();
  await expect(page).toHaveURL(/\/workspaces\/templates\/?$/);
});

function localText(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
