import { expect, test, type Browser, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import en from '../../messages/en/pages.json' with { type: 'json' };
import enCommon from '../../messages/en/common.json' with { type: 'json' };
import enLayout from '../../messages/en/layout.json' with { type: 'json' };
import hu from '../../messages/hu/pages.json' with { type: 'json' };
import huCommon from '../../messages/hu/common.json' with { type: 'json' };
import huLayout from '../../messages/hu/layout.json' with { type: 'json' };
import said from '../../messages/server/hu.json' with { type: 'json' };
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { localHost, PASSWORD, setUp } from '../setup/journey';
import { expectAccessible, logIn, openWindow } from './browser';

/** The second language, whole: found by itself, chosen in a browser, kept with an account; and no sentence of the first left. */
let berth: ConsoleProcess;
let pb: PocketBase;
let host: RecordModel;

test.beforeAll(async () => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  pb = await setUp(berth.url);
  host = await localHost(pb);
  const dori = { username: 'dori', email: 'dori@example.org', name: 'Kovács Dóri', language: 'hu' };
  await pb.collection('users').create({ ...dori, isAdmin: true, password: PASSWORD, passwordConfirm: PASSWORD });
});

test.afterAll(() => berth?.dispose());

const language = (page: Page) => page.locator('html').getAttribute('lang');

async function windowOf(browser: Browser, locale: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: berth.url, locale, reducedMotion: 'reduce' });
  return context.newPage();
}

test('is the browser’s, until another is chosen', async ({ browser }) => {
  const page = await windowOf(browser, 'hu-HU');
  await page.goto('/login');
  expect(await language(page)).toBe('hu');
  await expect(page.getByRole('button', { name: 'Bejelentkezés', exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'English' }).click();
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  expect(await page.evaluate(() => localStorage.getItem('i18nextLng'))).toBe('en');
  await page.reload();
  expect(await language(page)).toBe('en');
  await page.context().close();
});

test('is what the browser keeps, also where no cookie tells it', async ({ browser }) => {
  const page = await windowOf(browser, 'en-GB');
  await page.goto('/login');
  expect(await language(page)).toBe('en');
  await page.evaluate(() => localStorage.setItem('i18nextLng', 'hu-HU'));
  await page.reload();
  await expect(page.getByRole('button', { name: 'Bejelentkezés', exact: true })).toBeVisible();
  await page.evaluate(() => localStorage.setItem('i18nextLng', 'tlh'));
  await page.context().clearCookies();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
  await page.context().close();
});

test('goes with the account, wherever its person logs in', async ({ browser }) => {
  const { page, expectQuiet } = await openWindow(browser, berth.url);
  await logIn(page, 'mara');
  await page.goto('/profile');
  await page.getByRole('combobox', { name: 'Language' }).click();
  await page.getByRole('option', { name: 'Magyar' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Kép és név' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'hu');

  const other = await openWindow(browser, berth.url);
  await logIn(other.page, 'mara');
  await expect(other.page.getByRole('link', { name: 'Munkaterületek' }).first()).toBeVisible();
  await other.page.goto('/profile');
  await other.page.getByRole('combobox', { name: 'Nyelv' }).click();
  await other.page.getByRole('option', { name: 'A böngésző szerint' }).click();
  await other.page.getByRole('button', { name: 'Mentés', exact: true }).click();
  await expect(other.page.getByRole('heading', { level: 2, name: 'Picture and name' })).toBeVisible();
  expectQuiet();
  other.expectQuiet();
  await page.context().close();
  await other.context.close();
});

type Catalog = { [key: string]: string | Catalog };

function textsOf(catalog: Catalog, other: Catalog): [string, string][] {
  return Object.entries(catalog).flatMap(([key, text]) =>
    typeof text === 'string'
      ? [[text, other[key] as string] as [string, string]]
      : textsOf(text, other[key] as Catalog),
  );
}

const pairs = [...textsOf(en, hu), ...textsOf(enCommon, huCommon), ...textsOf(enLayout, huLayout)];
const translations = new Set(pairs.map(([, translated]) => translated));
/** English texts that stand nowhere in the translation. */
const onlyEnglish = new Set(
  pairs.map(([text]) => text).filter((text) => !/[{<]/.test(text) && /[a-z]{3}/.test(text) && !translations.has(text)),
);

/** A key instead of its text, and a text whose parameters were not put in. */
const NOT_FOR_EYES = /^(pages|common|layout)\.[\w.]+$|\{\w+[,}]|<\/\w+>/;

const PAGES: Record<string, () => string> = {
  home: () => '/',
  workspaces: () => '/workspaces',
  'workspace-create': () => '/workspaces/create',
  images: () => '/images',
  'image-create': () => '/images/create',
  'image-write': () => '/images/create?tab=write',
  hosts: () => '/hosts',
  host: () => `/host/${host.id}`,
  'host-settings': () => `/host/${host.id}?tab=basic-information`,
  'host-proxy': () => `/host/${host.id}?tab=reverse-proxy`,
  'host-traefik': () => `/host/${host.id}?tab=traefik`,
  volumes: () => '/volumes',
  'volume-create': () => '/volumes/create',
  networks: () => '/networks',
  domains: () => '/domains',
  'domain-create': () => '/domains/create',
  files: () => '/files',
  users: () => '/users',
  'user-create': () => '/users/create',
  groups: () => '/groups',
  'group-create': () => '/groups/create',
  audit: () => '/audit',
  settings: () => '/settings',
  'settings-times': () => '/settings?tab=times',
  'settings-health': () => '/settings?tab=health',
  'settings-backups': () => '/settings?tab=backups',
  'settings-log-in': () => '/settings?tab=sign-in',
  'settings-single-sign-on': () => '/settings?tab=single-sign-on',
  'settings-quotas': () => '/settings?tab=quotas',
  quota: () => '/profile?tab=quota',
  profile: () => '/profile',
  security: () => '/profile?tab=security',
  'nothing-here': () => '/nothing/here',
};

test.describe('leaves nothing in English', () => {
  test.describe.configure({ mode: 'default' });
  let page: Page;
  test.beforeAll(async ({ browser }) => {
    page = await windowOf(browser, 'hu');
    await page.goto('/login');
    await page.getByRole('textbox', { name: 'E-mail' }).fill('dori');
    await page.getByLabel('Jelszó', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Bejelentkezés', exact: true }).click();
    await page.waitForURL((url) => !url.pathname.startsWith('/login'));
  });
  test.afterAll(() => page?.context().close());

  for (const [name, addressOf] of Object.entries(PAGES)) {
    test(name, async () => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(addressOf());
      await expect(page.getByRole('heading').first()).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      expect(await englishOn(page)).toEqual([]);
      await page.screenshot({ path: `test-results/hungarian/${name}.png` });
      await page.setViewportSize({ width: 390, height: 844 });
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
        'the page is wider than a phone',
      ).toBeLessThanOrEqual(0);
      await page.screenshot({ path: `test-results/hungarian/${name}-390.png` });
    });
  }
});

test('says what the server says in the language of the page', async ({ browser }) => {
  const page = await windowOf(browser, 'hu');
  await page.goto('/login');
  await page.getByRole('textbox', { name: 'E-mail' }).fill('dori');
  await page.getByLabel('Jelszó', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Bejelentkezés', exact: true }).click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  expect(await englishOn(page)).toEqual([]);
  await page.getByLabel('Jelszó', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Bejelentkezés', exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
  await page.goto(`/host/${host.id}`);
  await expect(page.getByText(said['The engine of this host does not tell what lies on its disk.'])).toBeVisible();
  await page.context().close();
});

async function englishOn(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = [document.title.replace(/ · Berth$/, '')];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Element) {
        for (const attribute of ['aria-label', 'placeholder', 'title', 'alt'])
          found.push(node.getAttribute(attribute) ?? '');
      } else if (!node.parentElement?.closest('script,style,noscript')) found.push(node.textContent ?? '');
    }
    return found.map((text) => text.trim());
  });
  return [...new Set(texts.filter((text) => onlyEnglish.has(text) || NOT_FOR_EYES.test(text)))];
}
