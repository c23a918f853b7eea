import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const FOLDERS = {
  /** In the documentation, and in the repository. */
  documentation: fileURLToPath(new URL('../../docs/screenshots/', import.meta.url)),
  /** For a review of every dialog and every small screen. */
  look: fileURLToPath(new URL('../../dist/screenshots/', import.meta.url)),
};

/** A long table says no more in a picture than its beginning does. */
const TALLEST = 1000;

/** Keeps a picture where `UPDATE_SCREENSHOTS=1` asks for it; a plain test run changes no file. */
export async function keepScreenshot(
  page: Page,
  name: string,
  folder: keyof typeof FOLDERS = 'documentation',
): Promise<void> {
  if (process.env.UPDATE_SCREENSHOTS !== '1') return;
  const path = `${FOLDERS[folder]}${name}.png`;
  mkdirSync(dirname(path), { recursive: true });
  if (folder === 'look') {
    await page.screenshot({ path });
    return;
  }
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  const clip = { x: 0, y: 0, width: page.viewportSize()?.width ?? 1280, height: Math.min(height, TALLEST) };
  await page.screenshot({ path, fullPage: true, clip });
}

/** A picture of the manual, as `name-light` and `name-dark`. The page is light afterwards. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (process.env.UPDATE_SCREENSHOTS !== '1') return;
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await keepScreenshot(page, `${name}-${colorScheme}`);
  }
}
