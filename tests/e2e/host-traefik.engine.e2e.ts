import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { docker, engineIsThere } from '../setup/docker';
import { admin, cleanHost, localHost, setUp } from '../setup/journey';
import { ensureTraefikImage, TRAEFIK_IMAGE, TRAEFIK_VERSION, traefikIsThere } from '../setup/traefik';
import { logIn, openWindow, type WatchedPage } from './browser';
import { lookAt } from './forms';

/** A real Traefik on the real engine, from the page that asks for it. */
test.describe.configure({ mode: 'serial' });
test.skip(!engineIsThere() || !traefikIsThere(), 'needs a Docker engine and a Traefik');

const name = `e2e-traefik-${process.pid}`;
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-traefik-'));
const folder = path.join(home, 'traefik');
const config = `[api]\ninsecure = true\n[providers.file]\ndirectory = "${folder}/dynamic"\nwatch = true\n`;

let berth: ConsoleProcess;
let pb: PocketBase;
let watched: WatchedPage;
let page: Page;
let hostId: string;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(20 * 60_000);
  await ensureTraefikImage();
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'docker' } });
  pb = await setUp(berth.url);
  hostId = (await localHost(pb)).id;
  watched = await openWindow(browser, berth.url);
  page = watched.page;
  await logIn(page, admin.username);
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await page?.context().close();
  await berth?.dispose();
  if (hostId) await cleanHost(hostId);
  await docker('rm', '-f', name).catch(() => undefined);
  await docker('network', 'rm', name).catch(() => undefined);
  fs.rmSync(home, { recursive: true, force: true });
});

test('it is filled in, deployed, and runs while the page looks on', async () => {
  await page.goto(`/host/${hostId}?tab=traefik`);
  await page.getByRole('switch', { name: 'Add Traefik' }).click();
  await page.getByRole('switch', { name: 'Deploy' }).click();
  await page.getByLabel('Image').fill(TRAEFIK_IMAGE);
  await page.getByLabel('Container', { exact: true }).fill(name);
  await page.getByLabel('Network').fill(name);
  await page.getByLabel('Folder on the host').fill(folder);
  await page.getByLabel('Static configuration').fill(config);
  await page.getByRole('button', { name: 'Save' }).click();
  const status = page.getByRole('status').filter({ hasText: TRAEFIK_IMAGE });
  await expect(status).toContainText('Running', { timeout: 30_000 });
  expect(await docker('inspect', '-f', '{{.State.Status}}', name)).toBe('running');
});

test('it says its version and its routers, and what is wrong with one', async () => {
  fs.writeFileSync(
    path.join(folder, 'dynamic/app.toml'),
    '[http.routers.lost]\nrule = "Host(`lost.example`)"\nservice = "nowhere"\n',
  );
  const routers = page.getByRole('list', { name: 'Routers' });
  await expect(async () => {
    await page.getByRole('button', { name: /^Ask/ }).click();
    await expect(routers).toContainText('lost@file', { timeout: 1000 });
  }).toPass({ timeout: 20_000 });
  await expect(page.getByText(TRAEFIK_VERSION, { exact: true })).toBeVisible();
  const lost = routers.getByRole('listitem').filter({ hasText: 'lost@file' });
  await expect(lost).toContainText('Host(`lost.example`)');
  await expect(lost).toContainText('does not exist');
  await lookAt(page, 'host-traefik-asked');
});

test('it goes when it is switched off', async () => {
  await page.getByRole('switch', { name: 'Deploy' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status').filter({ hasText: TRAEFIK_IMAGE })).toHaveCount(0);
  await expect.poll(() => docker('ps', '-aq', '--filter', `name=${name}`), { timeout: 30_000 }).toBe('');
  await expect.poll(async () => (await pb.collection('hosts').getOne(hostId)).traefikState as unknown).toBeNull();
});
