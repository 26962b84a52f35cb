import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, localHost, PASSWORD, setUp } from '../setup/journey';
import { expectAccessible, logIn, openWindow, type WatchedPage } from './browser';

/** Two people with the same settings open: what each of them saves is kept. */
test.describe.configure({ mode: 'serial' });

let berth: ConsoleProcess;
let pb: PocketBase;
let mara: WatchedPage;
let nora: WatchedPage;
let workspace: RecordModel;
let host: RecordModel;

test.beforeAll(async ({ browser }) => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  pb = await setUp(berth.url);
  const person = { username: 'nora', email: 'nora@example.org', name: 'Nora Berg', isAdmin: true };
  await pb.collection('users').create({ ...person, password: PASSWORD, passwordConfirm: PASSWORD });
  host = await localHost(pb);
  const image = await pb.collection('images').create({
    name: 'postgres',
    creationType: 'pullAnImage',
    dockerImageName: 'docker.io/library/postgres:17',
    build_on: host.id,
    enabled: true,
  });
  const body = { name: 'db', description: 'old', host: host.id, image: image.id, enabled: true };
  workspace = await pb.collection('workspaces').create(body);
  mara = await openWindow(browser, berth.url);
  nora = await openWindow(browser, berth.url);
  await logIn(mara.page, admin.username);
  await logIn(nora.page, 'nora');
});

test.afterEach(() => {
  mara.expectQuiet();
  nora.expectQuiet();
});

test.afterAll(async () => {
  await mara?.page.context().close();
  await nora?.page.context().close();
  await berth?.dispose();
});

const save = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`${name} is saved`).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
};

/** Keeps a picture of the page in both looks and on a small screen where PICTURES names a folder. */
async function keepPictures(page: Page, name: string): Promise<void> {
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

test('two people change different fields of a workspace and both are kept', async () => {
  for (const { page } of [mara, nora]) await page.goto(`/workspace/${workspace.id}?tab=settings`);
  await mara.page.getByLabel('Description').fill('the new database');
  await nora.page.getByRole('textbox', { name: 'Name', exact: true }).fill('database');
  await nora.page.getByLabel('CPU limit').fill('2');
  await save(nora.page, 'database');
  // The name follows by itself; what was typed stays.
  await expect(mara.page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('database');
  await expect(mara.page.getByLabel('Description')).toHaveValue('the new database');
  await save(mara.page, 'database');
  const stored = await pb.collection('workspaces').getOne(workspace.id);
  expect(stored).toMatchObject({ name: 'database', description: 'the new database', cpuLimit: 2 });
  await expect(nora.page.getByLabel('Description')).toHaveValue('the new database');
});

test('a save sends what was changed alone, though realtime is paused', async () => {
  await mara.page.getByRole('button', { name: 'Hold back what changes' }).click();
  const name = mara.page.getByRole('textbox', { name: 'Name', exact: true });
  await expect(name).toHaveValue('database');
  await pb.collection('workspaces').update(workspace.id, { description: 'set by a script', autoStart: false });
  await name.fill('store');
  const sent = mara.page.waitForRequest((request) => request.method() === 'PATCH');
  await mara.page.getByRole('button', { name: 'Save' }).click();
  expect((await sent).postDataJSON()).toEqual({ name: 'store' });
  await expect(mara.page.getByLabel('Description')).toHaveValue('set by a script');
  expect(await pb.collection('workspaces').getOne(workspace.id)).toMatchObject({
    name: 'store',
    description: 'set by a script',
    autoStart: false,
  });
});

test('a save that would overwrite what the page has not heard of asks first', async () => {
  const description = mara.page.getByLabel('Description');
  await pb.collection('workspaces').update(workspace.id, { description: 'set by another script' });
  await description.fill('mine');
  await mara.page.getByRole('button', { name: 'Save' }).click();
  await expect(mara.page.getByRole('group', { name: 'Changed meanwhile' })).toContainText('“set by another script”');
  expect((await pb.collection('workspaces').getOne(workspace.id)).description).toBe('set by another script');
  await mara.page.getByRole('button', { name: 'Take theirs' }).click();
  await expect(description).toHaveValue('set by another script');
  await expect(mara.page.getByRole('button', { name: 'Save' })).toBeDisabled();
  await mara.page.getByRole('button', { name: 'Show what changes' }).click();
});

test('a field that both have changed says so, and waits for a choice', async () => {
  for (const { page } of [mara, nora]) await page.goto(`/workspace/${workspace.id}?tab=settings`);
  await mara.page.getByLabel('Description').fill('by Mara');
  await nora.page.getByLabel('Description').fill('by Nora');
  await save(nora.page, 'store');
  const notice = mara.page.getByRole('group', { name: 'Changed meanwhile by Nora Berg' });
  await expect(notice).toContainText('to “by Nora”');
  await expect(mara.page.getByText('1 field needs attention:')).toBeVisible();
  await keepPictures(mara.page, 'changed-meanwhile');
  await mara.page.getByRole('button', { name: 'Save' }).click();
  await expect(notice).toBeFocused();
  expect((await pb.collection('workspaces').getOne(workspace.id)).description).toBe('by Nora');
  await notice.getByRole('button', { name: 'Keep mine' }).click();
  await save(mara.page, 'store');
  expect((await pb.collection('workspaces').getOne(workspace.id)).description).toBe('by Mara');
});

test('a list that both have changed shows what is stored now', async () => {
  const ports = mara.page.getByRole('table', { name: 'Ports' });
  await mara.page.getByRole('button', { name: 'Add port' }).click();
  await ports.getByRole('textbox').first().fill('8080');
  const portMappings = [{ containerPort: 5432, protocol: 'tcp', hostPort: 15432, hostIp: '' }];
  await pb.collection('workspaces').update(workspace.id, { portMappings });
  await expect(mara.page.getByRole('group', { name: /^Changed meanwhile/ })).toContainText('5432 tcp 15432');
  await mara.page.getByRole('button', { name: 'Take theirs' }).click();
  await expect(ports.getByRole('textbox').first()).toHaveValue('5432');
  await expect(mara.page.getByRole('button', { name: 'Save' })).toBeDisabled();
});

test('two people change different fields of a host and both are kept', async () => {
  for (const { page } of [mara, nora]) await page.goto(`/host/${host.id}?tab=basic-information`);
  const field = ({ page }: WatchedPage, label: string) => page.getByLabel(label, { exact: true });
  await field(mara, 'Name').fill('harbour');
  await field(nora, 'Default GPU runtime').fill('nvidia-cdi');
  await save(nora.page, 'local');
  await expect(field(mara, 'Default GPU runtime')).toHaveValue('nvidia-cdi');
  await expect(field(mara, 'Name')).toHaveValue('harbour');
  await save(mara.page, 'harbour');
  expect(await pb.collection('hosts').getOne(host.id)).toMatchObject({
    name: 'harbour',
    default_gpu_runtime: 'nvidia-cdi',
  });
});

test('a setting that both have open is followed too', async () => {
  for (const { page } of [mara, nora]) await page.goto('/settings?tab=single-sign-on');
  const field = ({ page }: WatchedPage, label: string) => page.getByLabel(label, { exact: true });
  await field(mara, 'Client id').fill('berth');
  await field(nora, 'Name on the button').fill('Harbour log-in');
  await nora.page.getByRole('button', { name: 'Save' }).click();
  await expect(field(mara, 'Name on the button')).toHaveValue('Harbour log-in');
  await mara.page.getByRole('button', { name: 'Save' }).click();
  await expect(field(nora, 'Client id')).toHaveValue('berth');
  const { value } = await pb.collection('settings').getFirstListItem('key = "sso"');
  expect(value).toMatchObject({ displayName: 'Harbour log-in', clientId: 'berth' });
});
