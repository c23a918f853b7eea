import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStack } from '../support/stack.ts';
import { dialogOf, openConsole, untilRead, violations, visit, widerThanScreen } from './browser.ts';
import { keepScreenshot } from './screenshots.ts';

let stack: Awaited<ReturnType<typeof startStack>>;
let browser: Browser;
let page: Page;
let faults: readonly string[];

beforeAll(async () => {
  stack = await startStack();
  ({ browser, page, faults } = await openConsole(stack));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const open = (place: string): Promise<void> => visit(page, `${stack.console}/`, place);
const button = (name: string | RegExp, within: Page | ReturnType<typeof dialogOf> = page) =>
  within.getByRole('button', { name, exact: typeof name === 'string' });

/** What axe finds in both themes. */
async function faultsOf(name: string): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await violations(page)));
    await keepScreenshot(page, `${name}-${colorScheme}`, 'look');
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
}

/** The same on a phone, which must not scroll sideways; what is to be looked at is opened there. */
async function faultsOnPhone(name: string, show: () => Promise<void>): Promise<string[]> {
  await page.setViewportSize({ width: 390, height: 740 });
  await show();
  const found = [...(await faultsOf(`${name}-small`)), ...(await widerThanScreen(page))];
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1280, height: 800 });
  return found;
}

describe('an endpoint that is tried', () => {
  it('answers to a key of one’s own, and says why it refuses another', async () => {
    await open('endpoints');
    await button(/^Call it:/)
      .first()
      .click();
    const dialog = dialogOf(page);
    await dialog.getByRole('tab', { name: 'Try it' }).click();
    await dialog.getByLabel('Your key').fill(stack.keys.demo ?? '');
    await button('Send', dialog).click();
    await dialog.getByText('The engine answered').waitFor();
    expect(await faultsOf('try-answered')).toEqual([]);
    await dialog.getByLabel('Your key').fill('wrong');
    await button('Send', dialog).click();
    await dialog.getByText('The call was refused').waitFor();
    await dialog.getByText('Unauthorized.').waitFor();
    expect(await faultsOf('try-refused')).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
  it('forgets the key with the dialog', async () => {
    await button(/^Call it:/)
      .first()
      .click();
    await dialogOf(page).getByRole('tab', { name: 'Try it' }).click();
    expect(await dialogOf(page).getByLabel('Your key').inputValue()).toBe('');
    await page.keyboard.press('Escape');
  });
  it('fits a phone', async () => {
    const show = async () => {
      await open('endpoints');
      await button(/^Actions of/)
        .first()
        .click();
      await button(/^Call it:/).click();
      await dialogOf(page).getByRole('tab', { name: 'Try it' }).click();
      await dialogOf(page).getByLabel('Your key').waitFor();
    };
    expect(await faultsOnPhone('try', show)).toEqual([]);
  });
  it('leaves its entry in the log, as any call does', async () => {
    await open('audit/decisions?resource=endpoint');
    await untilRead(page);
    const entries = page.getByRole('table', { name: 'Decisions' }).getByText('demo');
    await expect.poll(() => entries.count()).toBeGreaterThan(0);
  });
});

it('meets no fault of the page, and asks nobody else', () => {
  expect(faults).toEqual([]);
});
