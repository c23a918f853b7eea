import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SECTIONS } from '../../site/build/sections.ts';
import { violations, widerThanScreen } from './browser.ts';
import { intercept } from './interception.ts';
import { lookAt, type OpenManual, openManual } from './open-manual.ts';

let manual: OpenManual;
let page: Page;
let base: string;

beforeAll(async () => {
  manual = await openManual();
  ({ page } = manual);
});
afterAll(() => manual?.stop());

const heading = () => page.getByRole('main').getByRole('heading', { level: 1 });

describe('the manual in a browser', () => {
  it('opens at /v, in the version that is installed', async () => {
    await page.goto(`${manual.gateway}/v`);
    await page.waitForLoadState('networkidle');
    expect(new URL(page.url()).pathname).toMatch(/^\/v\/\d+\.\d+\.\d+\/$/);
    base = page.url();
    expect(await heading().innerText()).toContain('The manual of the gateway');
    expect(manual.encodings.get(new URL(base).pathname)).toMatch(/^(br|gzip)$/);
  });

  it('leads from page to page without loading again, and back', async () => {
    await page.evaluate(() => Object.assign(globalThis, { notReloaded: true }));
    await page.getByRole('main').getByRole('link', { name: 'Try it' }).click();
    await page.waitForURL('**/operator/first-start');
    await page.getByRole('link', { name: 'Accounts, keys and roles' }).first().click();
    await page.waitForURL('**/operator/people');
    await heading().filter({ hasText: 'Accounts' }).waitFor();
    expect(await page.evaluate(() => 'notReloaded' in globalThis)).toBe(true);
    await page.goBack();
    await page.waitForURL('**/operator/first-start');
  });

  describe('its search box', () => {
    const box = () => page.getByRole('combobox', { name: 'Search the manual' });
    const options = () => page.getByRole('option');
    const status = () => page.getByRole('dialog').getByRole('status');

    beforeEach(async () => {
      await page.goto(base);
      await page.waitForLoadState('networkidle');
      // Before hydration, a key or a click has no effect.
      await expect.poll(() => page.evaluate("'__vue_app__' in document.querySelector('#app')")).toBe(true);
    });

    async function open(): Promise<void> {
      await page
        .getByRole('button', { name: /search/i })
        .first()
        .click();
      await box().waitFor();
    }

    it('finds a page by the words in it', async () => {
      await open();
      await box().fill('checkpoint');
      await options().first().waitFor();
      expect(await options().first().innerText()).toMatch(/checkpoint/i);
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/(auditor|concepts|deployment)\//);
    });
    it('reads a question as the search of the gateway does, and says how', async () => {
      await open();
      await box().fill('revokation of a sesion');
      await options().first().waitFor();
      expect(await options().first().innerText()).toContain('Revoke a person or an agent session');
      expect(await status().innerText()).toMatch(/session in place of sesion/);
      await options().first().click();
      await page.waitForURL(/\/operator\/revoke#/);
      await box().waitFor({ state: 'detached' });
    });
    it('works with the keyboard only', async () => {
      await page.keyboard.press('Control+k');
      await box().waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.insertText('verify the journal'); // at once: one question, one answer
      await options().nth(1).waitFor();
      expect(await violations(page)).toEqual([]);
      const chosen = () => page.getByRole('option', { selected: true }).getAttribute('id');
      const [first, second] = await options().evaluateAll((all) => all.map(({ id }) => id));
      expect([await chosen(), await box().getAttribute('aria-activedescendant')]).toEqual([first, first]);
      await page.keyboard.press('ArrowDown');
      await expect.poll(chosen).toBe(second);
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      await expect.poll(chosen).toBe(await options().last().getAttribute('id'));
      await page.keyboard.press('ArrowDown');
      await expect.poll(chosen).toBe(first);
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/(auditor|concepts|deployment)\//);
    });
    it('opens the answer to the last question if Enter is pressed before the answer', async () => {
      await open();
      await box().fill('monthly cap of a plan');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/operator/plans**');
      expect(await box().count()).toBe(0);
    });
    it('shows what begins like this while a word is typed', async () => {
      await open();
      await box().fill('checkp');
      await options().first().waitFor();
      expect(await status().innerText()).toContain('begin like this');
      expect(await options().first().innerText()).toMatch(/checkpoint/i);
    });
    it('reports a question without an answer, and clears the message when the question is deleted', async () => {
      await open();
      await box().fill('zeppelin sourdough');
      await status().filter({ hasText: 'No page answers this.' }).waitFor();
      expect(await options().count()).toBe(0);
      expect(await violations(page)).toEqual([]);
      await box().fill('');
      await expect.poll(() => status().innerText()).toBe('');
    });
    it('shows the nearest pages as such, and opens them', async () => {
      await open();
      await box().fill('upgrade a zeppelin');
      await status().filter({ hasText: 'No page answers this. It does not mention: zeppelin. Nearest:' }).waitFor();
      expect(await options().count()).toBeGreaterThan(0);
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/deployment\/upgrade/);
    });
    it('is left with Escape, to where one was', async () => {
      await open();
      await page.keyboard.press('Escape');
      await box().waitFor({ state: 'detached' });
      const focused = await page.evaluate<string>('document.activeElement.className');
      expect(focused).toContain('DocSearch-Button');
    });
    it.each([
      ['a click', () => options().first().click()],
      ['Enter', () => page.keyboard.press('Enter')],
    ])('reloads a page if another version was installed meanwhile: %s', async (_, choose) => {
      const result = { page: 'New', section: null, url: '/v/9.9.9/new.html', excerpt: 'Installed meanwhile.' };
      await intercept(page, /\/v\/_search\?/, (route) => route.fulfill({ json: { results: [result] } }));
      const answer = { contentType: 'text/html', body: '<h1>New</h1>' };
      await intercept(page, /\/v\/9\.9\.9\/new\.html$/, (route) => route.fulfill(answer));
      await open();
      await box().fill('anything');
      await options().first().waitFor();
      await choose();
      await page.waitForURL('**/v/9.9.9/new.html');
      expect(await page.locator('h1').innerText()).toBe('New');
    });
    it('has room on a narrow screen', async () => {
      await page.setViewportSize({ width: 360, height: 640 });
      await open();
      await box().fill('what happens when the database cannot answer');
      await options().first().waitFor();
      expect(await widerThanScreen(page)).toEqual([]);
      const cutOff = await page.getByRole('dialog').evaluate((box) => {
        return [box, ...box.querySelectorAll('p, a, span')].filter(
          (one) => one.scrollWidth > one.clientWidth && one.clientWidth > 0,
        ).length;
      });
      expect(cutOff).toBe(0);
      expect(await violations(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 900 });
    });
  });

  // manual-pages.long.test.ts looks at every page: that takes a minute and a half of processor time.
  it.each(SECTIONS.flatMap(({ pages }) => pages.slice(0, 1)))(
    '$path opens by its own address, and meets no accessibility fault',
    async ({ path }) => {
      const { heading: title, found } = await lookAt(page, `${base}${path}`);
      expect(title).not.toBe('');
      expect(found).toEqual([]);
    },
  );

  it('met no error, broke no rule of its content-security-policy, and asked nobody but the gateway', () => {
    expect(manual.faults).toEqual([]);
  });
});
