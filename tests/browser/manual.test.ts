import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAGES } from '../../site/build/sections.ts';
import { type Ready, startStack } from '../support/stack.ts';
import { openBrowser, openPage, violations } from './browser.ts';

let stack: Ready & { stop: () => Promise<number | null> };
let browser: Browser;
let page: Page;
let faults: string[];
/** Encodings of the answers that the browser got, by path. */
const encodings = new Map<string, string | undefined>();
let base: string;

beforeAll(async () => {
  stack = await startStack('--bare', '--docs', 'dist/manual');
  browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  ({ page, faults } = await openPage(context, [new URL(stack.gateway).origin]));
  // A violation of the content-security-policy is told on the console alone.
  page.on('console', (message) => {
    if (message.type() === 'error' || /content security policy/i.test(message.text())) faults.push(message.text());
  });
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    encodings.set(pathname, response.headers()['content-encoding']);
    if (response.status() >= 400) faults.push(`${response.status()} ${pathname}`);
  });
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const heading = () => page.getByRole('main').getByRole('heading', { level: 1 });

describe('the manual in a browser', () => {
  it('opens at /v, in the version that is installed', async () => {
    await page.goto(`${stack.gateway}/v`);
    await page.waitForLoadState('networkidle');
    expect(new URL(page.url()).pathname).toMatch(/^\/v\/\d+\.\d+\.\d+\/$/);
    base = page.url();
    expect(await heading().innerText()).toContain('The manual of the gateway');
    expect(encodings.get(new URL(base).pathname)).toMatch(/^(br|gzip)$/);
  });

  it('leads from page to page without loading anew, and back', async () => {
    await page.evaluate(() => Object.assign(globalThis, { notReloaded: true }));
    await page.getByRole('main').getByRole('link', { name: 'the first start' }).click();
    await page.waitForURL('**/operator/first-start');
    await page.getByRole('link', { name: 'Accounts, keys and roles' }).first().click();
    await page.waitForURL('**/operator/people');
    await heading().filter({ hasText: 'Accounts' }).waitFor();
    expect(await page.evaluate(() => 'notReloaded' in globalThis)).toBe(true);
    await page.goBack();
    await page.waitForURL('**/operator/first-start');
  });

  it('finds a page by the words in it', async () => {
    await page.goto(base);
    await page.waitForLoadState('networkidle');
    await page
      .getByRole('button', { name: /search/i })
      .first()
      .click();
    await page.getByRole('searchbox').fill('checkpoint');
    await page.getByRole('option').first().waitFor();
    expect(await page.getByRole('option').first().innerText()).toMatch(/checkpoint/i);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/(auditor|concepts|deployment)\//);
  });

  it.each(PAGES.map(({ path }) => path))(
    '%s opens by its own address, and meets no accessibility fault',
    async (path) => {
      await page.goto(`${base}${path}`);
      await page.waitForLoadState('networkidle');
      expect(await heading().innerText()).not.toBe('');
      expect(await violations(page)).toEqual([]);
    },
  );

  it('met no error, broke no rule of its content-security-policy, and asked nobody but the gateway', () => {
    expect(faults).toEqual([]);
  });
});
