import { expect, test } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, localHost, setUp } from '../setup/journey';
import { logIn, lookAtSizes, openWindow } from './browser';

/** What a host uses over time, and what its people are told when it is above a bound. */
let berth: ConsoleProcess;
let pb: PocketBase;
let host: RecordModel;

test.beforeAll(async () => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  pb = await setUp(berth.url);
  host = await localHost(pb);
});
test.afterAll(() => berth?.dispose());

test('a host shows its use as charts and numbers, and warns when it is above a bound', async ({ browser }) => {
  test.setTimeout(240_000);
  const { page, expectQuiet } = await openWindow(browser, berth.url);
  await logIn(page, admin.username);
  await page.goto(`/host/${host.id}?tab=intervals-and-timeouts`);
  const disk = page.getByRole('textbox', { name: 'Disk above' });
  await expect(disk).toHaveValue('90');
  await expect(page.getByRole('textbox', { name: 'Memory above' })).toHaveValue('');
  await disk.fill('101');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Must be a whole number between 1 and 100.').first()).toBeVisible();
  await lookAtSizes(page, 'host-usage-bounds');
  await disk.fill('1');
  await page.getByRole('textbox', { name: 'Disk: for' }).fill('1');
  await page.getByRole('textbox', { name: 'Load above' }).fill('400');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await pb.collection('hosts').getOne(host.id)).thresholds)
    .toEqual({ disk: { percent: 1, minutes: 1 }, memory: null, cpu: null, load: { percent: 400, minutes: 5 } });

  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(page.getByRole('img', { name: /^Processor, 10 minutes: now .* cores, at most/ })).toBeVisible({
    timeout: 60_000,
  });
  for (const title of ['Memory', 'Disk', 'Load', 'Received']) {
    await expect(page.getByRole('img', { name: new RegExp(`^${title}, 10 minutes: now `) })).toBeVisible();
  }
  await page.getByRole('radio', { name: '30 days' }).click();
  await expect(page.getByRole('img', { name: /^Disk, 30 days: now / })).toBeVisible();
  await page.getByText('As a table').click();
  await expect(page.getByRole('columnheader', { name: 'Load' })).toBeVisible();
  await expect(page.getByText(/^The disk of local is above 1%\. Noticed .+ ago\.$/)).toBeVisible({ timeout: 120_000 });
  await lookAtSizes(page, 'host-usage');
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await expect(page.getByText(/^The disk of local is above 1%: \d+%/)).toBeVisible();
  await lookAtSizes(page, 'host-usage-bell');
  expectQuiet();
});
