import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type HostedStack, startHostedStack } from '../support/hosted-stack.ts';
import { dialogOf, openConsole, textIn, untilRead, violations, visit, widerThanScreen } from './browser.ts';
import { asPair } from './furnished.ts';
import { keepScreenshot } from './screenshots.ts';

let stack: HostedStack;
let browser: Browser;
let page: Page;

const forbid = (name: string) => `forbid (principal == Subject::"${name}", action, resource);\n`;

beforeAll(async () => {
  stack = await startHostedStack();
  const ask = asPair(stack);
  await ask('POST', '/api/policies', { cedar: forbid('eve') });
  await ask('POST', '/api/policies', { cedar: forbid('eve') + forbid('mallory') });
  await ask('POST', '/api/policies/lift', {});
  ({ browser, page } = await openConsole(stack));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const changesOf = async (revision: number): Promise<string> => {
  await page.getByRole('button', { name: `Changes of revision ${revision}`, exact: true }).click();
  const text = await dialogOf(page)
    .getByRole('region', { name: /^Difference to / })
    .textContent();
  return text?.trimEnd() ?? '';
};
const leave = async () => {
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'detached' });
};

describe('the history of the policy', () => {
  it.each([
    [1, `+ ${forbid('eve').trim()}`],
    [2, `  ${forbid('eve').trim()}\n+ ${forbid('mallory').trim()}`],
    [3, `- ${forbid('eve').trim()}\n- ${forbid('mallory').trim()}`],
  ])('shows what revision %i changed', async (revision, difference) => {
    await visit(page, `${stack.console}/`, 'governance');
    expect(await changesOf(revision)).toBe(difference);
    await leave();
  });
  it('puts an earlier text into the editor, which colours it, completes names, and installs it', async () => {
    await visit(page, `${stack.console}/`, 'governance');
    await changesOf(1);
    await dialogOf(page).getByRole('button', { name: 'Restore revision 1' }).click();
    const editor = page.getByLabel('Cedar policy set');
    await expect.poll(() => textIn(editor)).toContain('"eve"');
    await expect.poll(() => editor.evaluate((area) => area.matches(':focus'))).toBe(true);
    await editor.locator('span', { hasText: 'forbid' }).first().waitFor(); // a coloured word
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('forbid (principal in Role::"aud');
    await page.getByRole('option', { name: /^auditeur/ }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(() => textIn(editor)).toContain('Role::"auditeur"');
    await editor.fill(forbid('eve'));
    await page.keyboard.press('Control+Enter');
    await page.getByText('revision 4 in force').waitFor();
  });
  it('keeps what is selected when the editor that colours arrives', async () => {
    const arrives = Promise.withResolvers<void>();
    await page.route(/coloured-editor/, async (route) => {
      await arrives.promise;
      await route.continue();
    });
    onTestFinished(() => page.unroute(/coloured-editor/));
    await page.goto('about:blank');
    await visit(page, `${stack.console}/`, 'governance');
    const plain = page.locator('textarea[aria-label="Cedar policy set"]');
    await plain.fill(forbid('eve'));
    await page.keyboard.press('Control+A');
    arrives.resolve();
    await plain.waitFor({ state: 'detached' });
    await page.keyboard.press('Delete');
    await expect.poll(() => textIn(page.getByLabel('Cedar policy set'))).toBe('');
  });
  it('is edited on a phone, where a line is wider than the editor', async () => {
    onTestFinished(() => page.setViewportSize({ width: 1280, height: 800 }));
    await page.setViewportSize({ width: 390, height: 740 });
    await visit(page, `${stack.console}/`, 'governance');
    await page.locator('.cm-scroller').waitFor();
    const editor = page.getByLabel('Cedar policy set');
    await editor.fill(forbid('a-name-that-makes-the-line-wider-than-the-screen'));
    const scroller = "document.querySelector('.cm-scroller')";
    expect(await page.evaluate(`${scroller}.scrollWidth > ${scroller}.clientWidth`)).toBe(true);
    expect([...(await violations(page)), ...(await widerThanScreen(page))]).toEqual([]);
  });
  it('is accessible in both themes and fits a phone', async () => {
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await visit(page, `${stack.console}/audit`, 'governance');
      found.push(...(await violations(page, colorScheme)));
      await changesOf(2);
      found.push(...(await violations(page, colorScheme)));
      await keepScreenshot(page, `policy-history-${colorScheme}`, 'look');
      await leave();
    }
    await page.setViewportSize({ width: 390, height: 740 });
    await untilRead(page);
    found.push(...(await violations(page)), ...(await widerThanScreen(page)));
    await keepScreenshot(page, 'policy-history-small', 'look');
    expect(found).toEqual([]);
  });
});
