import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostedStack, startHostedStack } from '../support/hosted-stack.ts';
import { dialogOf, openConsole, visit } from './browser.ts';

/** What operators do most, and how many clicks it may take: half of what each took before. Typing is no click. */
const MOST = {
  'provider, model and endpoint': 6,
  'person with key and role': 6,
  'first call in the log': 0,
  cap: 1,
  revocation: 3,
  policy: 1,
  'who did what': 1,
  export: 1,
  verification: 1,
  'a new administrator': 3,
} as const;
type Task = keyof typeof MOST;

let stack: HostedStack;
let browser: Browser;
let page: Page;
let faults: readonly string[];
const clicks = new Map<Task, number>();
let key = '';

beforeAll(async () => {
  stack = await startHostedStack();
  ({ browser, page, faults } = await openConsole(stack));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const button = (name: string, within: Page | Locator = page) => within.getByRole('button', { name, exact: true });
const field = (name: string) => dialogOf(page).getByRole('textbox', { name, exact: true });

/** A task, starting from the console's first page; its clicks are counted. */
function task(name: Task, does: (click: (what: Locator) => Promise<void>) => Promise<void>): void {
  it(`${name}: at most ${MOST[name]}`, async () => {
    let count = 0;
    await visit(page, `${stack.console}/`, '');
    await does(async (what) => {
      count += 1;
      await what.click();
    });
    clicks.set(name, count);
    expect(count).toBeLessThanOrEqual(MOST[name]);
  });
}

/** Goes there by the command palette, with the keyboard alone. */
async function goTo(command: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Page, action or name' }).fill(command);
  await page.getByRole('option', { selected: true }).getByText(command, { exact: true }).waitFor();
  await page.keyboard.press('Enter');
}

describe('clicks of what operators do most', () => {
  task('provider, model and endpoint', async (click) => {
    await goTo('Connect an engine');
    await field('Name of the engine').fill('First engine');
    await field('Base URL').fill(stack.engine);
    await field('Model').fill('demo-model');
    await field('Endpoint').fill('first');
    await click(dialogOf(page).getByLabel(/I acknowledge/));
    await click(button('Connect', dialogOf(page)));
    await page.getByText('/first', { exact: true }).waitFor();
  });
  task('person with key and role', async (click) => {
    await goTo('Create a user');
    await field('Username').fill('ida');
    await click(button('Create and show the key'));
    const shown = page.getByText(/^gwk_[0-9a-f]{48}$/);
    await shown.waitFor();
    key = (await shown.textContent()) ?? '';
    await click(button('Done'));
  });
  task('first call in the log', async () => {
    await fetch(`${stack.gateway}/first/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"messages":[{"role":"user","content":"Hello"}]}',
    });
    await goTo('Decisions');
    await page.getByRole('table', { name: 'Decisions' }).getByText('endpoint:first').first().waitFor();
  });
  task('cap', async () => {
    await goTo('Create a plan');
    await field('Name').fill('Small team');
    await field('Monthly cap').fill('5');
    await page.keyboard.press('Enter');
    await page.getByText('small-team', { exact: true }).waitFor();
  });
  task('revocation', async (click) => {
    await goTo('Users');
    await click(button('Access of ida'));
    await click(button('Revoke: Revoke ida'));
    const asked = page.getByRole('dialog', { name: 'Revoke ida' });
    await asked.getByLabel('Reason, kept in the log').fill('left');
    await click(button('Revoke', asked));
    await page.getByText(/^Revoked since/).waitFor();
  });
  task('policy', async () => {
    await goTo('Write a policy');
    await expect.poll(() => page.getByLabel('Cedar policy set').evaluate((area) => area.matches(':focus'))).toBe(true);
    await page.keyboard.insertText('forbid (principal == Subject::"eve", action, resource);');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Installed. It takes effect with the next call.').waitFor();
  });
  task('who did what', async () => {
    await goTo('Who changed what');
    await page.getByRole('table', { name: 'Administration actions' }).getByText('policy.install').first().waitFor();
  });
  task('export', async () => {
    const download = page.waitForEvent('download');
    await goTo('Export the decisions as CSV');
    expect((await download).url()).toContain('/api/audit/decisions?format=csv');
  });
  task('verification', async (click) => {
    await goTo('Verify the log');
    await click(button('Verify'));
    await page.getByText('The chain is intact').waitFor();
  });
  task('a new administrator', async (click) => {
    await goTo('Grant a role');
    await field('Subject').fill('grace');
    await click(dialogOf(page).getByRole('combobox', { name: 'Role' }));
    await click(page.getByRole('option', { name: /Administrator/ }).first());
    await click(button('Grant', dialogOf(page)));
    await page.getByRole('table', { name: 'Roles' }).getByText('grace').first().waitFor();
  });
  it('are counted for every task, and met no fault of the page', () => {
    expect([...clicks.keys()]).toEqual(Object.keys(MOST));
    expect(faults).toEqual([]);
  });
});
