import { expect, test } from '@playwright/test';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { engineIsThere, ensureBaseImage } from '../setup/docker';
import { admin, localHost, setUp } from '../setup/journey';
import { type PrivateEngine, startPrivateEngine } from '../setup/private-engine';
import { expectAccessible, logIn, openWindow, type WatchedPage } from './browser';
import { lookAt } from './forms';

/** An engine of the test's own: what is removed here is in nobody's way. */
test.describe.configure({ mode: 'serial' });
test.skip(!engineIsThere(), 'needs a Docker engine');

let engine: PrivateEngine;
let berth: ConsoleProcess;
let watched: WatchedPage;

test.beforeAll(async ({ browser }) => {
  engine = await startPrivateEngine();
  await ensureBaseImage((...args) => engine.docker(...args));
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'docker', DOCKER_HOST: engine.address } });
  const pb = await setUp(berth.url);
  const host = await localHost(pb);
  watched = await openWindow(browser, berth.url);
  await logIn(watched.page, admin.username);
  await watched.page.goto(`/host/${host.id}?tab=resources`);
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await watched?.page.context().close();
  await berth?.dispose();
  await engine?.dispose();
});

test('what is unused on the disk of an engine is shown, and goes once the name is typed', async () => {
  const { page } = watched;
  const remove = page.getByRole('button', { name: 'Remove unused images' });
  await expect(remove).toBeEnabled();
  await page.getByText('Show 1 unused image').click();
  await expect(page.getByText('berth-test/base:1')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Empty the build cache' })).toBeDisabled();
  await lookAt(page, 'host-disk');
  await remove.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Deleted with it');
  await expectAccessible(page);
  await expect(dialog.getByRole('button', { name: 'Remove images' })).toBeDisabled();
  await dialog.getByRole('textbox').fill('local');
  await dialog.getByRole('button', { name: 'Remove images' }).click();
  await expect(page.getByText('1 of 1 images removed, 0 B of build cache freed.')).toBeVisible();
  await expect(page.getByText('Show 1 unused image')).toHaveCount(0);
  expect(await engine.docker('images', '-q')).toBe('');
  await expect(remove).toBeDisabled();
});
