import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ready, startStack } from '../support/stack.ts';
import { openBrowser, openPage, violations } from './browser.ts';
import { keepScreenshot } from './screenshots.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TABS = [
  ['endpoints', 'Endpoints'],
  ['governance', 'Policy'],
  ['audit', 'Audit'],
] as const;

let stack: Ready & { stop: () => Promise<number | null> };
let browser: Browser;
let page: Page;
let faults: string[];

function gatewayctl(...words: readonly string[]): void {
  const ran = spawnSync('npx', ['--no-install', 'gatewayctl', ...words], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: stack.database.owner },
  });
  if (ran.status !== 0) throw new Error(`gatewayctl ${words.join(' ')}: ${ran.stderr}`);
}

beforeAll(async () => {
  stack = await startStack('--bare', '--profile', 'on-premise');
  gatewayctl('grant', stack.directory?.subject ?? '', 'administrateur-d-instance', 'test');
  browser = await openBrowser();
  // The demo directory's authority is made at first start; the browser does not know it.
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1280, height: 800 } });
  const origins = [stack.console, stack.directory?.issuer ?? ''].map((url) => new URL(url).origin);
  ({ page, faults } = await openPage(context, origins));
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

describe('the on-premise console in a browser', () => {
  it('lets in through the directory, and opens on the first of its three tabs', async () => {
    await page.goto(`${stack.console}/auth/login`);
    await page
      .locator('input:not([type=hidden]):not([type=password]):not([type=submit])')
      .first()
      .fill(stack.consoleSignIn?.user ?? '');
    await page.locator('input[type=password]').fill(stack.consoleSignIn?.password ?? '');
    await page.locator('[type=submit]').first().click();
    await page.getByRole('tab', { selected: true }).waitFor();
    expect(new URL(page.url()).origin).toBe(new URL(stack.console).origin);
    expect(await page.getByRole('tab').allTextContents()).toEqual(TABS.map(([, label]) => label));
  });

  it.each(['light', 'dark'] as const)(
    'has no accessibility fault on any tab in %s',
    async (scheme) => {
      await page.emulateMedia({ colorScheme: scheme });
      const found: Record<string, string[]> = {};
      for (const [tab] of TABS) {
        await page.goto(`${stack.console}/#${tab}`);
        await page.getByRole('tab', { selected: true }).waitFor();
        await page.waitForLoadState('networkidle');
        found[tab] = await violations(page);
        await keepScreenshot(page, `console-on-premise-${tab}-${scheme}`);
      }
      expect(found).toEqual(Object.fromEntries(TABS.map(([tab]) => [tab, []])));
    },
    120_000,
  );

  it('refuses whoever signed out', async () => {
    await page.goto(`${stack.console}/auth/logout`);
    const answer = await page.request.get(`${stack.console}/api/endpoints`);
    expect(answer.status()).toBe(401);
  });

  it('asked nobody but the console and the directory, and met no error', () => {
    expect(faults).toEqual([]);
  });
});
