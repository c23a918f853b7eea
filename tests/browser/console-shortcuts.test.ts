import type { Browser, Locator, Page } from 'playwright-core';
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
const button = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole('button', { name, exact: typeof name === 'string' });

/** What axe finds in both themes. */
async function faultsOf(name: string): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await violations(page, colorScheme)));
    await keepScreenshot(page, `${name}-${colorScheme}`, 'look');
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
}

/** The same on a phone, which must not scroll sideways; the page is opened there. */
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

const find = async (text: string) => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Page, action or name' }).fill(text);
};
const hash = () => new URL(page.url()).hash;

describe('the header', () => {
  it('shows the signed-in name, the palette and the way out on a phone too', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await open('plans');
    const header = page.getByRole('banner');
    await header.getByText('Shared pair').filter({ visible: true }).waitFor();
    await header.getByRole('link', { name: 'Sign out' }).waitFor();
    const title = header.getByRole('heading', { level: 1 });
    expect(await title.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    expect((await title.boundingBox())?.height).toBeLessThan(30); // one line
    await button('Go to', header).click();
    await page.getByRole('option', { name: 'Audit' }).first().waitFor();
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    expect(await widerThanScreen(page)).toEqual([]);
    expect(await faultsOf('header-small')).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});

describe('the command palette', () => {
  it('opens by its keys or its button, and goes to pages, dialogs and names', async () => {
    await open('plans');
    await find('verify');
    expect(await faultsOf('palette')).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Verify the chain' }).waitFor();
    expect(hash()).toBe('#audit/verification');
    await button(/^Go to/).click();
    await page.getByRole('option', { name: 'Create a user' }).click();
    await dialogOf(page).getByRole('heading', { name: 'Create a user' }).waitFor();
    expect(hash()).toBe('#users');
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await find('demo');
    await page.getByRole('option', { name: 'Decisions about “demo”' }).click();
    await expect.poll(hash).toBe('#audit/decisions?subject=demo');
  });
  it('is moved through by arrow keys, and says where one is', async () => {
    await open('plans');
    await find('');
    const box = page.getByRole('combobox', { name: 'Page, action or name' });
    const chosen = async () => {
      const id = await box.getAttribute('aria-activedescendant');
      return page.locator(`[id="${id}"]`).getAttribute('aria-selected');
    };
    await page.keyboard.press('ArrowUp');
    expect(await chosen()).toBe('true');
    expect(await page.getByRole('option', { selected: true }).textContent()).toContain('Sign out');
    await page.keyboard.press('ArrowDown');
    expect(await page.getByRole('option', { selected: true }).textContent()).toContain('Overview');
    await box.fill('zzz zzz');
    await box.fill(stack.keys.demo ?? ''); // a key is searched for nowhere
    await page.getByText('Nothing has this name.').waitFor();
    await page.keyboard.press('Escape');
  });
  it('fits a phone', async () => {
    await open('plans');
    expect(await faultsOnPhone('palette', () => find('a'))).toEqual([]);
  });
});

describe('single keys', () => {
  it('are listed, lead from tab to tab, and write no letters into fields', async () => {
    await open('plans');
    await page.keyboard.press('?');
    await dialogOf(page).getByText('Go to Endpoints').waitFor();
    expect(await faultsOf('shortcuts')).toEqual([]);
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await expect.poll(hash).toBe('#endpoints');
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await page.getByRole('heading', { name: 'Users' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('g?e');
    expect(await page.getByLabel('Search users').inputValue()).toBe('g?e');
  });
  it('can be turned off, and stay so', async () => {
    await open('plans');
    await page.keyboard.press('?');
    await dialogOf(page).getByLabel('Single keys').uncheck();
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await open('plans');
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await find('shortcuts');
    expect(hash()).toBe('#plans');
    await page.keyboard.press('Enter');
    await dialogOf(page).getByLabel('Single keys').check();
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
  });
});

describe('the manual', () => {
  it('is linked from each page and each part of one, and the gateway serves the targets', async () => {
    const places = ['overview', 'users', 'plans', 'endpoints', 'usage', 'caps', 'governance', 'governance/roles'];
    const audit = ['', '/administration', '/agent-acts', '/agent-sessions', '/detections', '/verification'];
    const links = new Map<string, string>();
    for (const place of [...places, ...audit.map((part) => `audit${part}`)]) {
      if (place === 'overview') await page.goto(`${stack.console}/#overview`);
      else await open(place);
      const link = page.getByRole('link', { name: /^Manual: / });
      links.set(place, (await link.getAttribute('href')) ?? '');
    }
    const answers = await Promise.all(
      [...new Set(links.values())].map(async (url) => [url, (await fetch(url)).status]),
    );
    expect(answers.filter(([, status]) => status !== 200)).toEqual([]);
    expect(links.get('governance/roles')).toBe(`${stack.gateway}/v/operator/people`);
    expect(links.get('audit/verification')).toBe(`${stack.gateway}/v/auditor/verify`);
  });
});

it('meets no fault of the page, and asks nobody else', () => {
  expect(faults).toEqual([]);
});
