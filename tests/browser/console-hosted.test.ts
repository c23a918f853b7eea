import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ready, startStack } from '../support/stack.ts';
import { openBrowser, openPage, violations } from './browser.ts';
import { keepScreenshot } from './screenshots.ts';

const TABS = [
  ['users', 'Users'],
  ['plans', 'Plans'],
  ['endpoints', 'Endpoints'],
  ['usage', 'Usage'],
  ['caps', 'Caps'],
  ['governance', 'Policy'],
  ['audit', 'Audit'],
] as const;

let stack: Ready & { stop: () => Promise<number | null> };
let browser: Browser;
let context: BrowserContext;
let page: Page;
let faults: string[];

beforeAll(async () => {
  stack = await startStack('--bare');
  browser = await openBrowser();
  const { user = '', password = '' } = stack.consoleSignIn ?? {};
  context = await browser.newContext({
    httpCredentials: { username: user, password },
    viewport: { width: 1280, height: 800 },
  });
  ({ page, faults } = await openPage(context, [new URL(stack.console).origin]));
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const open = async (tab: string): Promise<void> => {
  await page.goto(`${stack.console}/#${tab}`);
  await page.getByRole('tab', { selected: true }).waitFor();
  await page.waitForLoadState('networkidle');
};
const dialog = () => page.getByRole('dialog');
/** Submits the dialog and waits until it is gone. */
const submit = async (name: string): Promise<void> => {
  await dialog().getByRole('button', { name, exact: true }).click();
  await dialog().waitFor({ state: 'detached' });
};
const call = (key: string) =>
  fetch(`${stack.gateway}/helper/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"messages":[{"role":"user","content":"Hello"}]}',
  });

describe('the hosted console in a browser', () => {
  let key = '';

  it('opens on the first of its seven tabs', async () => {
    await open('');
    expect(await page.getByRole('tab').allTextContents()).toEqual(TABS.map(([, label]) => label));
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Users');
  });

  it('leads a newcomer from an empty catalog to an endpoint', async () => {
    await open('endpoints');
    await page.getByRole('button', { name: 'Declare the first provider' }).click();
    await dialog().getByLabel('Name').first().fill('Demo engine');
    await dialog().getByLabel('Slug').fill('demo');
    await dialog().getByLabel('Base URL').fill(stack.engine);
    await dialog().getByRole('button', { name: 'Declare', exact: true }).click();
    await dialog().getByRole('alert').waitFor();
    await dialog()
      .getByLabel(/I acknowledge/)
      .check();
    await submit('Declare');
    await page.getByRole('button', { name: 'Declare the first model' }).click();
    await dialog().getByLabel('Name').first().fill('Demo model');
    await dialog().getByLabel('Slug').fill('demo-model');
    await dialog().getByLabel('Input price').fill('2.5');
    await submit('Declare');
    await page.getByRole('button', { name: 'Create the first endpoint' }).click();
    await dialog().getByLabel('Name').fill('helper');
    await submit('Create');
    await page.getByText('/helper', { exact: true }).waitFor();
    expect(await page.getByText('€2.50').count()).toBe(1);
  });

  it('shows a fault of the input at its field and loses nothing typed', async () => {
    await page.getByRole('button', { name: 'Create an endpoint' }).click();
    await dialog().getByLabel('Name').fill('not a name');
    await dialog().getByRole('button', { name: 'Create', exact: true }).click();
    await expect.poll(() => dialog().getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
    expect(await dialog().getByLabel('Name').inputValue()).toBe('not a name');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
  });

  it('lets a person in: a plan, an account with its key shown once, a role, and the first call arrives', async () => {
    await open('plans');
    await page
      .getByRole('button', { name: 'Create the first plan' })
      .or(page.getByRole('button', { name: 'Create a plan' }))
      .first()
      .click();
    await dialog().getByLabel('Name').fill('Team');
    await dialog().getByLabel('Slug').fill('team');
    await dialog().getByLabel('Monthly cap').fill('25');
    await submit('Create');
    await open('users');
    await page.getByRole('button', { name: 'Create a user' }).click();
    await dialog().getByLabel('Username').fill('ada');
    await dialog().getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: 'Team' }).click();
    await dialog().getByRole('button', { name: 'Create and show the key' }).click();
    const shown = page.getByText(/^gwk_[0-9a-f]{48}$/);
    key = (await shown.textContent()) ?? '';
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect((await call(key)).status).toBe(403);
    await page.getByRole('button', { name: 'Change the roles of ada' }).click();
    await dialog().getByRole('button', { name: 'Grant', exact: true }).click();
    await dialog().getByText('granted by').waitFor();
    await page.keyboard.press('Escape');
    expect((await call(key)).status).toBe(200);
  });

  it('shows the auditor both verdicts, and that the chain is whole', async () => {
    await open('audit');
    await page.getByRole('cell', { name: 'granted', exact: true }).first().waitFor();
    expect(await page.getByRole('cell', { name: 'refused', exact: true }).count()).toBe(1);
    await page.getByText('Verification', { exact: true }).click();
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText('The chain is whole').waitFor();
  });

  it('says where a policy is at fault, and what a sound one would change', async () => {
    await open('governance');
    await page
      .getByLabel('Cedar policy set')
      .fill('forbid(principal, action, resource);\npermit(principal, action, resource);\n');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('button', { name: /^Line 2/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Install', exact: true }).isDisabled()).toBe(true);
    await page.getByLabel('Cedar policy set').fill('forbid(principal, action, resource) when { false };\n');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('region', { name: 'Difference to the revision in force' }).waitFor();
    await page.getByRole('button', { name: 'Install', exact: true }).click();
    await page.getByText('revision 1 in force').waitFor();
  });

  it('asks before it deletes, and says why a thing in use stays', async () => {
    await open('endpoints');
    await page.getByRole('button', { name: 'Delete: Delete provider Demo engine' }).click();
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog().getByRole('alert').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(await page.getByText('Demo engine', { exact: true }).count()).toBeGreaterThan(0);
  });

  it.each(['light', 'dark'] as const)(
    'has no accessibility fault on any tab in %s',
    async (scheme) => {
      await page.emulateMedia({ colorScheme: scheme });
      const found: Record<string, string[]> = {};
      for (const [tab] of TABS) {
        await open(tab);
        found[tab] = await violations(page);
        await keepScreenshot(page, `console-${tab}-${scheme}`);
      }
      expect(found).toEqual(Object.fromEntries(TABS.map(([tab]) => [tab, []])));
    },
    120_000,
  );

  it('fits a screen of 360 pixels without scrolling the page sideways', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const [tab] of TABS) {
      await open(tab);
      const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      expect(wide, tab).toBeLessThanOrEqual(0);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  }, 60_000);

  it('asked nobody but the console and met no error', () => {
    expect(faults).toEqual([]);
  });
});
