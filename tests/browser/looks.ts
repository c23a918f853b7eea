import type { Page } from 'playwright-core';
import { untilRead, violations, widerThanScreen } from './browser.ts';
import { keepScreenshot } from './screenshots.ts';

const SIZES = { wide: { width: 1280, height: 800 }, small: { width: 390, height: 740 } } as const;

/** Faults of the current page, on a wide screen and a small one, in both colour schemes. A screenshot of each is stored. */
export async function everyLook(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await violations(page, colorScheme)).map((line) => `${size}, ${colorScheme}: ${line}`));
      await keepScreenshot(page, `${name}-${size}-${colorScheme}`, 'look');
    }
    found.push(...(await widerThanScreen(page)).map((line) => `${size}, too wide: ${line}`));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(SIZES.wide);
  return found;
}

/** What axe finds in both colour schemes. A screenshot of each is stored. */
export async function faultsOf(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  await untilRead(page); // reloading data is shown pale until then
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    found.push(...(await violations(page, scheme)));
    await keepScreenshot(page, `${name}-${scheme}`, 'look');
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
}
