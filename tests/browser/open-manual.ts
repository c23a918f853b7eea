import type { Browser, Page } from 'playwright-core';
import { startStack } from '../support/stack.ts';
import { openBrowser, openPage, violations } from './browser.ts';

/** The manual of a running gateway in a browser. */
export interface OpenManual {
  readonly gateway: string;
  readonly browser: Browser;
  readonly page: Page;
  /** What must not have happened. */
  readonly faults: readonly string[];
  /** Encodings of the answers that the browser got, by path. */
  readonly encodings: ReadonlyMap<string, string | undefined>;
  stop(): Promise<void>;
}

export async function openManual(): Promise<OpenManual> {
  const stack = await startStack('--bare', '--docs', 'dist/manual');
  const browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const { page, faults } = await openPage(context, [new URL(stack.gateway).origin]);
  const encodings = new Map<string, string | undefined>();
  // A violation of the content security policy is only reported on the console.
  page.on('console', (message) => {
    if (message.type() === 'error' || /content security policy/i.test(message.text())) faults.push(message.text());
  });
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    encodings.set(pathname, response.headers()['content-encoding']);
    if (response.status() >= 400) faults.push(`${response.status()} ${pathname}`);
  });
  return {
    gateway: stack.gateway,
    browser,
    page,
    faults,
    encodings,
    async stop() {
      await browser.close();
      await stack.stop();
    },
  };
}

/** Opens a page by its own address. @returns its heading, and what axe finds on it */
export async function lookAt(page: Page, address: string): Promise<{ heading: string; found: readonly string[] }> {
  await page.goto(address);
  await page.waitForLoadState('networkidle');
  const heading = await page.getByRole('main').getByRole('heading', { level: 1 }).innerText();
  return { heading, found: await violations(page) };
}
