import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './browser';

/** Replaces what stands in the Dockerfile editor. */
export async function writeDockerfile(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Dockerfile text' }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** Looks at a page in both looks and on a small screen; keeps pictures where PICTURES names a folder. */
export async function lookAt(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  for (const scheme of ['light', 'dark'] as const) {
    await page.evaluate((isDark) => document.body.classList.toggle('dark', isDark), scheme === 'dark');
    await expectAccessible(page);
    if (folder) await page.screenshot({ path: `${folder}/${name}-${scheme}.png` });
  }
  await page.evaluate(() => document.body.classList.remove('dark'));
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth), `${name} at 390 px`).toBe(390);
  await expectAccessible(page);
  if (folder) await page.screenshot({ path: `${folder}/${name}-small.png` });
  await page.setViewportSize({ width: 1280, height: 800 });
  if (folder) await page.screenshot({ path: `${folder}/${name}-1280.png` });
  await page.setViewportSize({ width: 1440, height: 900 });
}
