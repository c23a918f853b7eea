import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const FOLDER = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url));

/** Keeps a picture for the documentation where `UPDATE_SCREENSHOTS=1` asks for it; a plain test run changes no file. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (process.env.UPDATE_SCREENSHOTS !== '1') return;
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({ path: `${FOLDER}${name}.png`, fullPage: true });
}
