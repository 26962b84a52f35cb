import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { admin, localHost, PASSWORD, request, setUp } from '../setup/journey';
import { expectAccessible, logIn, openWindow, type WatchedPage } from './browser';

/** The console without a mouse, on a phone, and while it is away. */
test.describe.configure({ mode: 'serial' });

let berth: ConsoleProcess;
let pb: PocketBase;
let office: WatchedPage;
let page: Page;
let host: RecordModel;
let image: RecordModel;
let workspace: RecordModel;

test.beforeAll(async ({ browser }) => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  pb = await setUp(berth.url);
  host = await localHost(pb);
  const nora = { username: 'nora', email: 'nora@example.org', name: 'Nora Berg', enabled: true };
  const person = await pb.collection('users').create({ ...nora, password: PASSWORD, passwordConfirm: PASSWORD });
  const pull = { creationType: 'pullAnImage', dockerImageName: 'docker.io/library/postgres:17', enabled: true };
  image = await pb.collection('images').create({ ...pull, name: 'postgres', build_on: host.id });
  await request(pb, 'image', image.id, 'build');
  const portMappings = [{ containerPort: '8888', protocol: 'tcp', hostPort: '', hostIp: '' }];
  for (const name of ['alpha', 'beta', 'gamma']) {
    workspace = await pb
      .collection('workspaces')
      .create({ name, host: host.id, image: image.id, enabled: true, portMappings });
  }
  await pb.collection('workspace_permissions').create({ user: person.id, workspace: workspace.id, view: true });
  office = await openWindow(browser, berth.url);
  page = office.page;
  await logIn(page, admin.username);
  await page.evaluate(() => localStorage.setItem('berth-userPreferences', '{"isFirstUseOver":true}'));
});

test.afterEach(() => office.expectQuiet());

test.afterAll(async () => {
  await page?.context().close();
  await berth?.dispose();
});

const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
const bar = () => page.getByRole('toolbar', { name: 'Actions on the selected rows' });

test('rows are walked, selected, acted on and opened by keys', async () => {
  await page.goto('/workspaces?sort=name');
  await expect(row('alpha')).toBeVisible();
  await page.keyboard.press('j');
  await expect(row('alpha')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(row('beta')).toBeFocused();
  await page.keyboard.press('k');
  await expect(row('alpha')).toBeFocused();
  await page.keyboard.press('Space');
  await expect(row('alpha')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(bar()).toContainText('2 selected');
  await page.keyboard.press('b');
  await expect(bar().getByRole('button', { name: 'Start' })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(bar()).toBeHidden();
  await expect(row('alpha')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/workspace/**');
  await expect(page.getByRole('heading', { name: 'alpha' })).toBeVisible();
});

test('the batch bar is three keys away', async () => {
  await page.goto('/workspaces?sort=name');
  await expect(row('alpha')).toBeVisible();
  for (const key of ['j', 'x', 'b']) await page.keyboard.press(key);
  await expect(bar().getByRole('button', { name: 'Start' })).toBeFocused();
});

test('a click anywhere on a row opens it, one beside the box selects it', async () => {
  await page.goto('/workspaces?sort=name');
  const box = (await row('beta').boundingBox())!;
  await page.mouse.click(box.x + 4, box.y + box.height / 2);
  await expect(bar()).toContainText('1 selected');
  await page.getByRole('button', { name: 'Actions for beta' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/workspaces\?sort=name$/);
  await row('beta').getByText('Mara Lindqvist').click();
  await expect(page.getByRole('heading', { name: 'beta' })).toBeVisible();
  await page.goto('/audit');
  await page.locator('tr[data-key-row]').first().locator('td').last().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
});

test('g leads everywhere, and the keys are listed with the key of this machine', async () => {
  await page.goto('/workspaces');
  for (const [key, address] of [
    ['a', 'audit'],
    ['s', 'settings'],
    ['i', 'images'],
    ['h', 'hosts'],
    ['u', 'users'],
    ['w', 'workspaces'],
  ] as const) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await page.waitForURL(`**/${address}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await expect(keys).toContainText('Go to the audit log');
  await expect(keys).toContainText('Go to settings');
  await expect(keys).toContainText('Ctrl');
  await expect(keys).not.toContainText('⌘');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Search or run a command' })).toContainText('Ctrl K');
});

test('on a Mac the key is ⌘', async ({ browser }) => {
  const mac = await openWindow(browser, berth.url);
  await mac.page.addInitScript(() => Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' }));
  await logIn(mac.page, 'nora');
  await expect(mac.page.getByRole('button', { name: 'Search or run a command' })).toContainText('⌘K');
  await mac.page.keyboard.press('?');
  const keys = mac.page.getByRole('dialog', { name: 'Keys' });
  await expect(keys).toContainText('⌘');
  await expect(keys).not.toContainText('Go to the audit log');
  mac.expectQuiet();
  await mac.context.close();
});

test('what is made begins in its first field', async () => {
  for (const address of ['/workspaces/create', '/images/create', '/users/create']) {
    await page.goto(address);
    await expect(page.getByRole('textbox', { name: 'Name', exact: true }), address).toBeFocused();
  }
});

test('unsaved changes are asked about in a dialog of ours, by link, key and the way back', async () => {
  await page.goto('/workspaces');
  await row('gamma').getByRole('link', { name: 'gamma', exact: true }).click();
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('textbox', { name: 'Description' }).fill('not saved');
  const asked = page.getByRole('dialog', { name: 'Leave this page?' });
  const stay = async () => {
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('not saved');
  };
  await page.getByRole('link', { name: 'Hosts' }).first().click();
  await expectAccessible(page);
  await stay();
  await page.getByRole('tab', { name: 'Settings' }).focus();
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await stay();
  // Between tabs of the same record nothing is lost.
  await page.goBack();
  await expect(page.getByRole('tab', { name: 'Overview' })).toHaveAttribute('aria-selected', 'true');
  await expect(asked).toBeHidden();
  await page.evaluate(() => history.back());
  await asked.getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL('**/workspaces');
});

test('a click with the mouse draws no box, the tab key does', async () => {
  const shadowOf = (page: Page) =>
    page.evaluate(() => {
      const { activeElement } = document;
      if (!activeElement || activeElement === document.body || /INPUT|TEXTAREA/.test(activeElement.tagName)) return '';
      const { boxShadow, outlineStyle, outlineColor } = getComputedStyle(activeElement);
      const isOutlined = outlineStyle !== 'none' && outlineColor !== 'rgba(0, 0, 0, 0)';
      const isRinged = activeElement.matches(':focus-visible') && boxShadow !== 'none';
      return isOutlined || isRinged ? `${activeElement.tagName} ${activeElement.textContent?.slice(0, 40)}` : '';
    });
  await page.goto(`/workspace/${workspace.id}`);
  for (const tab of ['Settings', 'Permissions', 'Activity', 'Overview']) {
    await page.getByRole('tab', { name: tab }).click();
    expect(await shadowOf(page), tab).toBe('');
  }
  await page.getByRole('tabpanel').click({ position: { x: 5, y: 5 } });
  expect(await shadowOf(page), 'panel').toBe('');
  await page.getByRole('button', { name: 'More actions' }).click();
  expect(await shadowOf(page), 'menu').toBe('');
  await page.mouse.click(700, 700);
  expect(await shadowOf(page), 'after the menu').toBe('');
  await page.goto('/workspaces?sort=name');
  await page.getByRole('checkbox', { name: 'Select alpha' }).click();
  expect(await shadowOf(page), 'checkbox').toBe('');
  await bar().getByRole('button', { name: 'Redeploy' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await shadowOf(page), 'dialog').toBe('');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(await shadowOf(page), 'after the dialog').toBe('');
  await page.getByRole('combobox', { name: 'Rows per page' }).click();
  await page.getByRole('option', { name: '25' }).click();
  expect(await shadowOf(page), 'select').toBe('');
  await page.getByRole('region', { name: 'Workspaces, list' }).click({ position: { x: 300, y: 400 } });
  expect(await shadowOf(page), 'region').toBe('');
  await page.keyboard.press('Tab');
  expect(await shadowOf(page)).not.toBe('');
});

test('a toast covers neither search, bell nor the button to press next', async () => {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 760 });
    await page.goto(`/workspace/${workspace.id}?tab=settings`);
    await page.getByRole('textbox', { name: 'Description' }).fill(`at ${width}`);
    await page.getByRole('button', { name: 'Save' }).click();
    const toast = page.getByText('gamma is saved').first();
    await expect(toast).toBeVisible();
    for (const name of ['Search or run a command', /^Notifications/, 'Save', 'Redeploy']) {
      const button = page.getByRole('button', { name }).first();
      const isFree = await button.evaluate((element) => {
        const box = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
      });
      expect(isFree, `${String(name)} at ${width}`).toBe(true);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
});

/** Controls that a finger of 36 pixels misses. */
async function tooSmall(): Promise<string[]> {
  return page.evaluate(() => {
    const small: string[] = [];
    const controls = 'button, [role="tab"], [role="menuitem"], input, textarea, nav a, header a, a.inline-flex';
    for (const control of document.querySelectorAll<HTMLElement>(controls)) {
      if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      // The whole row opens what its name does.
      if (control.matches('[data-key-open]')) continue;
      const around = control.closest('label, [data-field]') ?? control;
      const box = around.getBoundingClientRect();
      if (box.width < 2 || control.closest('[aria-hidden="true"], .sr-only') || control.matches('.sr-only')) continue;
      const grown = getComputedStyle(control, '::after');
      const more = grown.content === 'none' || grown.position !== 'absolute' ? 0 : -parseFloat(grown.top) * 2;
      if (box.height + more < 35.5) small.push(`${control.ariaLabel ?? control.textContent} ${box.height + more}`);
    }
    for (const field of document.querySelectorAll<HTMLElement>('input, textarea, [contenteditable="true"]')) {
      const size = parseFloat(getComputedStyle(field).fontSize);
      if (field.checkVisibility() && !/checkbox|radio/.test((field as HTMLInputElement).type) && size < 16)
        small.push(`text of ${field.ariaLabel ?? field.getAttribute('name')} ${size}`);
    }
    return small;
  });
}

test('on a phone everything can be touched, and no field makes it zoom', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  const record = `/workspace/${workspace.id}`;
  for (const address of [
    '/workspaces',
    '/images',
    '/hosts',
    '/users',
    '/audit',
    record,
    `${record}?tab=settings`,
    `${record}?tab=permissions`,
    `${record}?tab=delete`,
    `/host/${host.id}?tab=settings`,
    '/profile',
    '/workspaces/create',
    '/users/create',
  ]) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    expect(await tooSmall(), address).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), address).toBe(390);
  }
  await page.goto('/workspaces');
  await page.getByRole('button', { name: 'Open the menu' }).click();
  expect(await tooSmall(), 'the menu').toEqual([]);
});

test('on a phone the way up, every tab and every permission can be reached', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/workspace/${workspace.id}?tab=permissions`);
  const isInside = (locator: ReturnType<Page['getByRole']>) =>
    locator.evaluate((element) => {
      const { left, right } = element.getBoundingClientRect();
      return left >= 0 && right <= window.innerWidth;
    });
  for (const flag of ['View', 'Deploy', 'Modify', 'Delete']) {
    expect(await isInside(page.getByRole('checkbox', { name: `${flag} for Nora Berg` })), flag).toBe(true);
  }
  await expect(page.getByText('Modify', { exact: true }).last()).toBeVisible();
  await expectAccessible(page);
  for (const name of ['Overview', 'Settings', 'Permissions', 'Activity', 'Delete']) {
    expect(await isInside(page.getByRole('tab', { name })), name).toBe(true);
  }
  await page.getByRole('tab', { name: 'Delete' }).click();
  await expect(page.getByRole('button', { name: 'Delete workspace' })).toBeVisible();
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Workspaces' }).click();
  await page.waitForURL('**/workspaces');
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('a page stays while the console is away, says so, and goes on by itself', async () => {
  await page.goto('/workspaces?sort=name');
  await expect(row('alpha')).toBeVisible();
  await berth.kill('SIGKILL');
  await expect(page.getByText('The console does not answer.')).toBeVisible();
  await expectAccessible(page);
  await expect(row('alpha')).toBeVisible();
  // A link does not lead into the browser's own error, and is followed once there is somewhere to go.
  await page.getByRole('link', { name: 'Users' }).first().click();
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await expect(page).toHaveURL(/\/workspaces\?sort=name$/);
  berth = await berth.restart();
  await page.waitForURL('**/hosts');
  await expect(page.getByText('The console does not answer.')).toBeHidden();
  await expect(page.getByRole('link', { name: 'local', exact: true })).toBeVisible();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  // What the browser itself says of calls that nobody answered.
  expect(() => office.expectQuiet()).toThrow(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|ERR_EMPTY/);
  await page.goto('/workspaces?sort=name');
  await request(pb, 'workspace', workspace.id, 'start');
  await expect(row('gamma')).toContainText('Running');
});
