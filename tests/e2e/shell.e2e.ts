import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, localHost, reaches, request, setUp } from '../setup/journey';
import { expectAccessible, logIn, openWindow } from './browser';

/** The parts around every page, on the simulated engine: nothing here needs Docker. */
test.describe.configure({ mode: 'serial' });

let berth: ConsoleProcess;
let pb: PocketBase;
let hostId: string;
let watched: Awaited<ReturnType<typeof openWindow>>;
let page: Page;

test.beforeAll(async ({ browser }) => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  pb = await setUp(berth.url);
  hostId = (await localHost(pb)).id;
  watched = await openWindow(browser, berth.url);
  page = watched.page;
  await logIn(page, admin.username);
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await watched?.context.close();
  await berth?.dispose();
});

async function makeImage(name: string, command = 'CMD ["sleep", "600"]'): Promise<string> {
  const dockerfile = `FROM alpine:3.20\n${command}\n`;
  const fields = { name, build_on: hostId, creationType: 'writeDockerfile', dockerfile, enabled: true };
  const image = await pb.collection('images').create(fields);
  await request(pb, 'image', image.id, 'build');
  return image.id;
}

const palette = () => page.getByRole('dialog', { name: 'Search and commands' });
const checklist = () => page.getByRole('region', { name: 'Get going' });

test('the checklist leads to an image, then to a workspace', async () => {
  await page.goto('/workspaces');
  await expect(checklist()).toContainText('1 of 4 done');
  await expect(checklist().getByRole('listitem').first()).toContainText('local is online');
  await expectAccessible(page);
  await checklist().getByRole('link', { name: 'Make your own' }).click();
  await page.waitForURL('**/images/create');
  await page.getByRole('tab', { name: 'Write Dockerfile' }).click();
});

test('a starter fills the editor, and asks before it replaces what was typed', async () => {
  const editor = page.getByRole('textbox', { name: 'Dockerfile text' });
  await page.getByRole('button', { name: /JupyterLab/ }).click();
  await expect(editor).toContainText('python:3.12-slim');
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('FROM scratch');
  await page.getByRole('button', { name: /Static site/ }).click();
  const asking = page.getByRole('dialog', { name: 'Replace what you wrote?' });
  await expectAccessible(page);
  await asking.getByRole('button', { name: 'Keep mine' }).click();
  await expect(editor).toContainText('FROM scratch');
  await page.getByRole('button', { name: /Static site/ }).click();
  await asking.getByRole('button', { name: 'Replace it' }).click();
  await expect(editor).toContainText('FROM nginx');
  await expect(page.getByLabel('Build host', { exact: true })).toContainText('local');
});

test('the checklist follows what happens, and stays away once put away', async () => {
  const imageId = await makeImage('lab');
  await reaches(pb, { collection: 'images', id: imageId, status: 'build_finished' });
  const fields = { name: 'notebook', host: hostId, image: imageId, enabled: true };
  const workspace = await pb.collection('workspaces').create(fields);
  await page.goto('/workspaces');
  await expect(checklist()).toContainText('2 of 4 done');
  await request(pb, 'workspace', workspace.id, 'start');
  await reaches(pb, { collection: 'workspaces', id: workspace.id, status: 'running' });
  await expect(checklist()).toContainText('3 of 4 done');
  await page.getByRole('button', { name: 'Hide these steps' }).click();
  await expect(checklist()).toBeHidden();
  await page.reload();
  await expect(page.getByRole('link', { name: 'notebook', exact: true })).toBeVisible();
  await expect(checklist()).toBeHidden();
});

test('the palette finds a workspace, acts on it and goes to areas, by keys alone', async () => {
  await page.keyboard.press('ControlOrMeta+k');
  await expect(palette().getByRole('option', { name: /notebook/ })).toBeVisible();
  await page.keyboard.type('note');
  const stop = palette().getByRole('option', { name: 'Stop', exact: true });
  await expect(stop).toBeVisible();
  await expect(palette().getByRole('option', { name: /notebook/ })).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page);
  await page.keyboard.press('Tab');
  await expect(palette().getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
  await expect(async () => {
    if ((await stop.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
    await expect(stop).toHaveAttribute('aria-selected', 'true', { timeout: 200 });
  }).toPass();
  await page.keyboard.press('Enter');
  await expect(palette()).toBeHidden();
  await expect(page.getByRole('row', { name: /notebook/ })).toContainText('Stopped');

  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('note');
  await expect(palette().getByRole('option', { name: /notebook/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/workspace/**');
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('nothing is called so');
  await expect(palette().getByText('Nothing is named')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(palette()).toBeHidden();
});

test('what the host put right by itself is told in words', async () => {
  const deployments = '**/api/collections/deployments/records**';
  await page.route(deployments, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { items: Record<string, unknown>[] };
    const items = body.items.map((item) => ({ ...item, action: 'repair', created_by: '', expand: {} }));
    await route.fulfill({ response, json: { ...body, items } });
  });
  await page.reload();
  await page.getByRole('tab', { name: 'Activity' }).click();
  await expect(page.getByText('Put right by the host').first()).toBeVisible();
  await page.unroute(deployments);
});

test('the keys are listed, from the palette too', async () => {
  await page.getByRole('button', { name: 'Search or run a command' }).click();
  await page.keyboard.type('all keys');
  await page.keyboard.press('Enter');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await expect(keys).toContainText('Search everything, run commands');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
});

test('notifications hold builds and deployments, count what is new, and cancel a build', async () => {
  await makeImage('slow', 'RUN true\n'.repeat(500));
  await page.goto('/images');
  await page.getByRole('button', { name: /Notifications, \d+ unread/ }).click();
  const panel = page.getByRole('dialog', { name: 'Notifications' });
  await expect(panel.getByRole('listitem').filter({ hasText: 'lab, build 1' })).toContainText('Done');
  await expect(panel.getByRole('listitem').filter({ hasText: 'notebook, stop' })).toBeVisible();
  await expectAccessible(page);
  await panel.getByRole('radio', { name: /Under way/ }).check();
  await expect(panel.getByRole('listitem')).toHaveCount(1);
  await panel.getByRole('button', { name: 'Cancel the build of slow' }).click();
  await expect(panel.getByText('Nothing here.')).toBeVisible();
  await panel.getByRole('radio', { name: 'Done' }).check();
  await expect(panel.getByRole('listitem').filter({ hasText: 'slow, build 1' })).toContainText('cancelled');
  await panel.getByRole('button', { name: 'Mark all read' }).click();
  await expect(panel.getByRole('button', { name: 'Mark all read' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeFocused();
});

test('theme and narrow sidebar survive a reload', async () => {
  await page.getByRole('button', { name: 'Switch between light and dark' }).click();
  await page.getByRole('button', { name: 'Narrow or widen the sidebar' }).click();
  await page.reload();
  await expect(page.locator('body')).toHaveClass(/dark/);
  await expect(page.getByRole('complementary', { name: 'Menu' })).toHaveJSProperty('offsetWidth', 70);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Narrow or widen the sidebar' }).click();
  await page.getByRole('button', { name: 'Switch between light and dark' }).click();
  await expect(page.getByRole('complementary', { name: 'Menu' })).toHaveJSProperty('offsetWidth', 288);
});

test('on a small screen the sidebar is a drawer and the search an icon', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/workspaces');
  await page.getByRole('button', { name: 'Open the menu' }).click();
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  await expectAccessible(page);
  await drawer.getByRole('link', { name: 'Images' }).click();
  await page.waitForURL('**/images');
  await expect(drawer).toBeHidden();
  await page.getByRole('button', { name: 'Search or run a command' }).click();
  await expect(palette()).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Notifications' }).click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('an address that leads nowhere says so', async () => {
  for (const address of ['/nowhere', '/workspace/doesnotexist000']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'There is nothing here' })).toBeVisible();
    await expectAccessible(page);
  }
});

test('a page that cannot be shown says so inside the shell, and can be tried again', async () => {
  const images = '**/api/collections/images/records**';
  await page.route(images, (route) => route.fulfill({ json: { page: 1, totalItems: 1, items: [{ id: 'nameless' }] } }));
  await page.goto('/images');
  await expect(page.getByRole('heading', { name: 'This page could not be shown' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible();
  await expectAccessible(page);
  expect(watched.expectQuiet).toThrow();
  await page.unroute(images);
  await page.reload();
  await expect(page.getByRole('link', { name: 'lab', exact: true })).toBeVisible();
});

test('a toast waits while nobody looks at the window', async () => {
  await page.goto(`/host/${hostId}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  const toast = page.getByText('local is disabled');
  await expect(toast).toBeVisible();
  await page.evaluate(() => {
    document.hasFocus = () => false;
    window.dispatchEvent(new Event('blur'));
  });
  await page.waitForTimeout(6000);
  await expect(toast).toBeVisible();
  await page.evaluate(() => {
    document.hasFocus = () => true;
    window.dispatchEvent(new Event('focus'));
  });
  await expect(toast).toBeHidden({ timeout: 8000 });
  await pb.collection('hosts').update(hostId, { enabled: true });
});

test('a call without an answer is given up after 20 s, in words', async () => {
  await page.route('**/api/collections/hosts/records/*', (route) =>
    route.request().method() === 'PATCH' ? undefined : route.continue(),
  );
  await page.goto(`/host/${hostId}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await expect(page.getByText('local was not disabled')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('did not answer within 20 seconds')).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a session that ended is told, and leads back after the log-in', async () => {
  await page.goto('/images');
  await expect(page.getByRole('link', { name: 'lab', exact: true })).toBeVisible();
  await page.route('**/api/collections/hosts/**', (route) => route.fulfill({ status: 401, json: { code: 401 } }));
  await page.getByRole('link', { name: 'Hosts' }).first().click();
  await expect(page.getByText('Your session has expired! Please log in.')).toBeVisible();
  await page.waitForURL('**/login?redirect=**');
  await expectAccessible(page);
});
