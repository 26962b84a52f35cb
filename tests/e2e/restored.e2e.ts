import { expect, test } from '@playwright/test';
import PocketBase from 'pocketbase';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, buildImage, localHost, PASSWORD, reaches, request, setUp, signIn } from '../setup/journey';
import { expectAccessible, logIn, openWindow, type WatchedPage } from './browser';

/** A console that was set back to an older backup: its host runs what it knows nothing of. */
let berth: ConsoleProcess;
let mara: WatchedPage;
let hostId: string;

test.beforeAll(async ({ browser }) => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  const pb = await setUp(berth.url);
  hostId = (await localHost(pb)).id;
  const image = await buildImage(pb, hostId, { name: 'base', dockerfile: 'FROM scratch\nCMD ["run"]\n' });
  const owner = new PocketBase(berth.url);
  await owner.admins.authWithPassword(admin.email, PASSWORD);
  await owner.backups.create('before.zip');
  for (const name of ['one', 'two']) {
    const { id } = await pb.collection('workspaces').create({ name, host: hostId, image: image.id });
    await request(pb, 'workspace', id, 'start');
    await reaches(pb, { collection: 'workspaces', id, status: 'running' });
  }
  await owner.backups.restore('before.zip');
  // The data are changed over after the answer; people can log in once they are.
  await eventually('the backup is what is served', async () => {
    const restored = await signIn(berth.url, admin.username);
    return (await restored.collection('workspaces').getFullList()).length === 0;
  });
  mara = await openWindow(browser, berth.url);
  await logIn(mara.page, admin.username);
});

test.afterAll(async () => {
  await mara?.page.context().close();
  await berth?.dispose();
});

test('what a host runs unknown to the console is adopted or removed on its page', async () => {
  const { page } = mara;
  await page.goto(`/host/${hostId}?tab=workspaces`);
  const unknown = page.getByRole('region', { name: 'Not known here' });
  await expect(unknown.getByRole('listitem')).toHaveCount(2, { timeout: 40_000 });
  await expectAccessible(page);
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/host-unknown.png` });

  await unknown.getByRole('button', { name: /^Remove .*two/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(unknown.getByRole('listitem')).toHaveCount(1);

  await unknown.getByRole('button', { name: /^Adopt .*one/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Adopt' }).click();
  await expect(dialog.getByText('This field is required.').first()).toBeVisible();
  await dialog.getByLabel('Name').fill('found again');
  await dialog.getByLabel('Image').click();
  await page.getByRole('option', { name: /base/ }).click();
  await expectAccessible(page);
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/host-adopt.png` });
  await dialog.getByRole('button', { name: 'Adopt' }).click();
  await expect(unknown).toBeHidden();
  await expect(page.getByRole('link', { name: 'found again' })).toBeVisible();
  mara.expectQuiet();
});
