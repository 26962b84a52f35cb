import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { PASSWORD } from '../setup/journey';

/** What the browser may complain about without anything being wrong: pages that are meant to answer 4xx. */
const EXPECTED_COMPLAINTS = [
  /the server responded with a status of (400|401|403|404|429)/,
  // A container that starts brings the machine a network interface, and Chromium asks again for what was under way.
  /net::ERR_NETWORK_CHANGED/,
  /Failed to fetch RSC payload for .* Falling back to browser navigation/,
];

/** A page that remembers every console error and uncaught exception. */
export interface WatchedPage {
  page: Page;
  /** Fails when the browser complained since the last time. */
  expectQuiet(): void;
}

/** A window of its own: another person, or the same one elsewhere. */
export async function openWindow(
  browser: Browser,
  baseURL: string,
): Promise<WatchedPage & { context: BrowserContext }> {
  const context = await browser.newContext({
    baseURL,
    viewport: { width: 1440, height: 900 },
    // What fades in has too little contrast half-way.
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    const isExpected = EXPECTED_COMPLAINTS.some((pattern) => pattern.test(message.text()));
    if (message.type() === 'error' && !isExpected) complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  return { context, page, expectQuiet: () => expect(complaints.splice(0)).toEqual([]) };
}

/** Signs in by the page. */
export async function logIn(page: Page, identity: string): Promise<void> {
  await page.goto('/login');
  await page.getByRole('textbox', { name: 'E-mail' }).fill(identity);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
}

/** Fails when axe finds a violation of WCAG 2.2 A or AA on the page as it is. */
export function expectAccessible(page: Page): Promise<void> {
  return expectNothingFound(page, (axe) => axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']));
}

/** The part of `expectAccessible` that a theme can change. */
export function expectReadable(page: Page): Promise<void> {
  return expectNothingFound(page, (axe) => axe.withRules(['color-contrast', 'link-in-text-block']));
}

async function expectNothingFound(page: Page, choose: (axe: AxeBuilder) => AxeBuilder): Promise<void> {
  // Colours half-way from one to another are nobody's to read.
  await page.waitForFunction(() => !document.getAnimations().some((animation) => animation instanceof CSSTransition));
  // Without frames of other origins, which no page has, axe needs no second page for its results: half of its time.
  const { violations } = await choose(new AxeBuilder({ page }).setLegacyMode(true)).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  expect(found, page.url()).toEqual([]);
}

/**
 * Looks at the page at 1280 px in both themes and at 390 px in one: axe finds nothing, and neither the page nor an open tab
 * scrolls aside. Pictures are for a person, where PICTURES names a folder.
 */
export async function lookAtSizes(page: Page, name: string, small: 'light' | 'dark' = 'dark'): Promise<void> {
  const folder = process.env.PICTURES;
  for (const [width, scheme] of [
    [1280, 'light'],
    [1280, 'dark'],
    [390, small],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    for (const panel of await page.getByRole('tabpanel').filter({ visible: true }).all()) {
      const isWhole = await panel.evaluate((each) => each.scrollWidth <= each.clientWidth);
      expect(isWhole, 'the panel scrolls aside').toBe(true);
    }
    if (folder) await page.screenshot({ path: path.join(folder, `${name}-${width}-${scheme}.png`) });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}
