import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostedStack, startHostedStack } from '../support/hosted-stack.ts';
import { dialogOf, openConsole, submit, violations, visit } from './browser.ts';
import { holderOf } from './furnished.ts';
import { keepPicture } from './screenshots.ts';

let stack: HostedStack;
let browser: Browser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  stack = await startHostedStack();
  const opened = await openConsole(stack);
  ({ browser, page, faults } = opened);
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write']);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (name: string | RegExp) => dialogOf(page).getByLabel(name).first();
const call = (key: string) =>
  fetch(`${stack.gateway}/helper/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"messages":[{"role":"user","content":"Hello"}]}',
  });

describe('an operator who never saw the product', () => {
  it('declares provider, model and endpoint, lets a person in, and sees the first call in the audit', async () => {
    // Every step is one that the page before it names.
    await visit(page, `${stack.console}/`, '');
    await tab('Endpoints');
    await page.getByText('Begin with the provider.').waitFor();
    // The steps are in a row, or below one another: a line connects them only in a row.
    const line = page.locator('.mantine-Stepper-separator').first();
    expect(await line.isVisible()).toBe(true);
    await page.setViewportSize({ width: 390, height: 740 }); // wide enough for two of them
    expect(await line.isVisible()).toBe(false);
    const steps = await page
      .locator('.mantine-Stepper-step')
      .evaluateAll((every) => every.map((step) => step.getBoundingClientRect().x));
    expect([steps.length, new Set(steps).size]).toEqual([3, 1]);
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await violations(page)).toEqual([]);
    await keepPicture(page, 'console-first-steps');
    await button('Declare the first provider').click();
    await field('Name').fill('Demo engine');
    await field('Slug').fill('demo');
    await field('Base URL').fill(stack.engine);
    await dialogOf(page).getByRole('button', { name: 'Declare', exact: true }).click();
    await dialogOf(page).getByRole('alert').waitFor(); // clear text needs to be acknowledged
    await field(/I acknowledge/).check();
    await submit(page, 'Declare');

    await page.getByText('Next, a model of your provider.').waitFor();
    await button('Declare the first model').click();
    await field('Name').fill('Demo model');
    await field('Slug').fill('demo-model');
    await field('Input price').fill('2.5');
    await submit(page, 'Declare');

    await page.getByText('Last, the endpoint.').waitFor();
    await button('Create the first endpoint').click();
    await field('Name').fill('helper');
    await submit(page, 'Create');
    await page.getByText('/helper', { exact: true }).waitFor();
    await page.getByText('Begin with the provider.').waitFor({ state: 'detached' });
    expect(await page.getByText('€2.50').count()).toBe(1);

    await tab('Plans');
    await button('Create a plan').click();
    await field('Name').fill('Team');
    await field('Slug').fill('team');
    await field('Monthly cap').fill('25');
    await submit(page, 'Create');
    await tab('Users');
    await button('Create a user').click();
    await field('Username').fill('ada');
    await dialogOf(page).getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: 'Team' }).click();
    await button('Create and show the key').click();
    const key = (await page.getByText(/^gwk_[0-9a-f]{48}$/).textContent()) ?? '';
    expect(await violations(page)).toEqual([]);
    await button('Copy').click();
    await button('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    await page.keyboard.press('Escape'); // a stray key must not lose what is shown once
    expect(await page.getByText(key).isVisible()).toBe(true);
    await button('Done').click();
    await dialogOf(page).waitFor({ state: 'detached' });
    expect((await page.content()).includes(key)).toBe(false);

    // It has the role to call from the beginning.
    expect((await call(key)).status).toBe(200);
    await button('Change the roles of ada').click();
    await dialogOf(page).getByText('granted by').waitFor();
    await page.keyboard.press('Escape');

    await tab('Audit');
    const decisions = page.getByRole('table', { name: 'Decisions' });
    await decisions.getByRole('cell', { name: 'granted', exact: true }).waitFor();
    const rows = await decisions.getByRole('row').allTextContents();
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatch(/ada.*endpoint:helper.*granted/);
    await tab('Usage');
    await page.getByRole('table', { name: 'Usage records' }).getByRole('cell', { name: 'ada', exact: true }).waitFor();
  });

  it('sees what an empty page requires: a project, a plan', async () => {
    for (const part of ['members', 'plans', 'usage']) {
      await visit(page, `${stack.console}/project`, part);
      await page.getByText('There is no project yet.').waitFor();
      expect(await violations(page)).toEqual([]);
    }
    const { username } = await holderOf(stack, 'planless', 'utilisateur-standard');
    await visit(page, `${stack.console}/`, 'caps');
    const row = page.getByRole('table', { name: 'Caps' }).getByRole('row', { name: username });
    expect(await row.getByRole('cell').allTextContents()).toEqual([username, 'no plan: refused', '–', '€0.00', '–']);
  });
  it('sees what is wrong beside the field, and loses no input', async () => {
    await tab('Endpoints');
    await button('Create an endpoint').click();
    await field('Name').fill('not a name');
    await dialogOf(page).getByRole('button', { name: 'Create', exact: true }).click();
    await expect.poll(() => field('Name').getAttribute('aria-invalid')).toBe('true');
    expect(await field('Name').inputValue()).toBe('not a name');
    expect(await violations(page)).toEqual([]);
    await button('Cancel').click();
    await dialogOf(page).waitFor({ state: 'detached' });
  });

  it('is asked before anything is deleted, and sees why an object in use stays', async () => {
    await button('Delete: Delete provider Demo engine').click();
    await dialogOf(page).getByRole('button', { name: 'Delete', exact: true }).click();
    await dialogOf(page).getByRole('alert').waitFor();
    expect(await violations(page)).toEqual([]);
    await button('Cancel').click();
    await dialogOf(page).waitFor({ state: 'detached' });
    expect(await page.getByText('Demo engine', { exact: true }).count()).toBeGreaterThan(0);
  });

  it('does a whole task with the keyboard alone', async () => {
    await visit(page, `${stack.console}/`, 'plans');
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const focused = () =>
      page.evaluate<string>("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent");
    const focusedTag = () => page.evaluate<string>('document.activeElement.tagName');
    await press('Tab');
    expect(await focused()).toBe('Skip to the page');
    // To the tabs, along them by arrow and back, then on into the page.
    for (let step = 0; step < 10 && (await focused()) !== 'Plans'; step += 1) await press('Tab');
    await press('ArrowRight');
    await expect.poll(focused).toBe('Endpoints');
    await press('ArrowLeft');
    await expect.poll(focused).toBe('Plans');
    await button('Create a plan').waitFor();
    await press('Tab');
    for (let step = 0; step < 10 && (await focused()) !== 'Create a plan'; step += 1) await press('Tab');
    await press('Enter');
    await expect.poll(focusedTag).toBe('INPUT'); // the dialog's first field, without a further key
    await page.keyboard.type('Keyboard');
    await press('Tab');
    await page.keyboard.type('keyboard');
    await press('Tab');
    await page.keyboard.type('12.5');
    await press('Enter');
    await dialogOf(page).waitFor({ state: 'detached' });
    await page.getByText('€12.50').waitFor();
    await expect.poll(focused).toBe('Create a plan'); // where the dialog was opened from
    // Deleted again, by keyboard too.
    const last = 'Delete: Delete plan Keyboard';
    for (let step = 0; step < 30 && (await focused()) !== last; step += 1) await press('Tab');
    expect(await focused()).toBe(last);
    await press('Enter');
    await dialogOf(page).waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.closest('[role=dialog]') !== null")).toBe(true);
    for (let step = 0; step < 5 && (await focused()) !== 'Delete'; step += 1) await press('Tab');
    await press('Enter');
    await dialogOf(page).waitFor({ state: 'detached' });
    await page.getByText('€12.50').waitFor({ state: 'detached' });
  });

  it('asked nobody but the console and met no error', () => {
    expect(faults).toEqual([]);
  });
});
