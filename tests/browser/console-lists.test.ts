import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostedStack, startHostedStack } from '../support/hosted-stack.ts';
import { openConsole, untilRead, visit } from './browser.ts';
import { furnish } from './furnished.ts';
import { everyLook } from './looks.ts';

let stack: HostedStack;
let browser: Browser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  stack = await startHostedStack();
  await furnish(stack);
  ({ browser, page, faults } = await openConsole(stack));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const open = (place: string) => visit(page, `${stack.console}/`, place);
const heading = (title: string) => page.getByRole('columnheader', { name: title, exact: true });
const press = async (title: string) => {
  await heading(title).getByRole('button').click();
  await untilRead(page);
};
const cells = (table: string, column: number) =>
  page.getByRole('table', { name: table, exact: true }).locator(`tbody tr td:nth-child(${column})`).allTextContents();

describe('the columns of a table', () => {
  it('sort it, show the direction, and are in the address', async () => {
    await open('users');
    expect(await heading('User').getAttribute('aria-sort')).toBe('ascending');
    const names = await cells('Users', 1);
    await press('User');
    expect(await heading('User').getAttribute('aria-sort')).toBe('descending');
    expect(await cells('Users', 1)).toEqual(names.toReversed());
    expect(page.url()).toContain('sort=-username');
    await page.reload();
    await untilRead(page);
    expect(await cells('Users', 1)).toEqual(names.toReversed());
    await press('User');
    expect(page.url()).not.toContain('sort=');
    await page.goBack();
    await untilRead(page);
    expect(await cells('Users', 1)).toEqual(names.toReversed());
    expect(await everyLook(page, 'lists-users')).toEqual([]);
  });
  it('are reached and pressed by the keyboard', async () => {
    await open('caps');
    await heading('Account').getByRole('button').focus();
    await page.keyboard.press('Enter');
    await untilRead(page);
    expect(await heading('Account').getAttribute('aria-sort')).toBe('ascending');
    expect(await cells('Caps', 1)).toEqual((await cells('Caps', 1)).toSorted());
    expect(await heading('This month').getAttribute('aria-sort')).toBe('none');
    expect(await everyLook(page, 'lists-caps')).toEqual([]);
  });
  it('of numbers begin with the greatest, over all pages', async () => {
    await open('usage');
    await press('Output');
    const output = (await cells('Usage records', 8)).map((text) => Number(text.replaceAll(',', '')));
    expect(output).toHaveLength(50);
    expect(output).toEqual(output.toSorted((one, other) => other - one));
    await page.getByRole('button', { name: 'Next page', exact: true }).click();
    await untilRead(page);
    const [next] = (await cells('Usage records', 8)).map((text) => Number(text.replaceAll(',', '')));
    expect(next).toBeLessThanOrEqual(output.at(-1) ?? 0);
    await press('Output');
    expect(page.url()).toContain('sort=outputTokens');
    expect(page.url()).not.toContain('at=');
    expect(await everyLook(page, 'lists-usage')).toEqual([]);
  });
  it('of a page with several tables sort one of them', async () => {
    await open('endpoints');
    await press('Model');
    expect(page.url()).toContain('endpoints.sort=model');
    await press('Input, per million');
    expect(page.url()).toContain('models.sort=-inputPrice');
    const prices = await cells('Models', 3);
    expect(prices.length).toBeGreaterThan(2);
    expect(prices.map((text) => Number(/[\d.]+/.exec(text)?.[0]))).toEqual([0.6, 0.1, 0.02]);
    expect(await everyLook(page, 'lists-endpoints')).toEqual([]);
  });
  it('that do not exist are removed from the address', async () => {
    await open('users?sort=password');
    await expect.poll(() => page.url()).not.toContain('sort=');
    expect((await cells('Users', 1)).length).toBeGreaterThan(3);
  });
});

describe('the content of a table', () => {
  const dialog = () => page.getByRole('dialog');
  const rows = (table: string) => page.getByRole('table', { name: table, exact: true }).locator('tbody tr');
  it.each([
    ['audit/agent-acts', 'Agent acts', 'Subject', 'ARB', 'barbara'],
    ['audit/administration', 'Administration actions', 'Action', 'PLAN.cre', 'plan.create'],
    ['audit/administration', 'Administration actions', 'Target', 'trial', 'plan:trial'],
    ['audit/agent-sessions', 'Agent sessions', 'Session', 'ion-2', 'session-2'],
    ['audit/agent-commands', 'Agent commands', 'Session', 'ion-3', 'session-3'],
    ['audit/detections', 'Secrets found', 'Kind', 'github', 'github-token'],
    ['audit/revoked-subjects', 'Revoked subjects', 'Subject', 'MALL', 'mallory'],
  ])('%s, %s: is found by a part, %s %s', async (place, table, field, part, whole) => {
    await open(place);
    const before = await rows(table).count();
    await page.getByRole('search').getByLabel(field, { exact: true }).fill(part);
    await expect.poll(() => page.url()).toContain(new URLSearchParams({ x: part }).toString().slice(2));
    await untilRead(page);
    const texts = await rows(table).allTextContents();
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.length).toBeLessThanOrEqual(before);
    expect(texts.filter((text) => !text.includes(whole))).toEqual([]);
  });
  it.each([
    ['audit/agent-acts', 'Agent acts'],
    ['audit/detections', 'Secrets found'],
    ['audit/agent-commands', 'Agent commands'],
  ])('%s, %s: has a link of its own for each entry', async (place, table) => {
    await open(place);
    const text = await rows(table).nth(1).textContent();
    await rows(table)
      .nth(1)
      .getByRole('button', { name: /^Details/ })
      .click();
    await page.evaluate('navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }');
    await dialog().getByRole('button', { name: 'Copy a link to this entry' }).click();
    const link = await page.evaluate<string>('copied');
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByText('One entry: show all').waitFor();
    await untilRead(page);
    expect(await rows(table).allTextContents()).toEqual([text]);
    expect(await everyLook(page, `entry-${place.replace('/', '-')}`)).toEqual([]);
  });
  it('leads on: from an act to what its subject was granted, from an endpoint to its calls', async () => {
    await open('audit/agent-acts');
    await rows('Agent acts').first().getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Decisions' }).waitFor();
    expect(page.url()).toMatch(/#audit\/decisions\?subject=\w+/);
    await open('endpoints');
    await page.getByRole('link', { name: '/chat', exact: true }).click();
    await page.getByRole('heading', { name: 'Decisions' }).waitFor();
    await untilRead(page);
    expect((await cells('Decisions', 4)).every((text) => text === 'endpoint:chat')).toBe(true);
  });
  it('leads from a person to everything about them', async () => {
    await open('users');
    await page.getByRole('button', { name: 'grace', exact: true }).click();
    const trail = dialog().getByRole('navigation', { name: 'What grace did' });
    await trail.waitFor();
    expect(await everyLook(page, 'person')).toEqual([]);
    await trail.getByRole('link', { name: 'Refused' }).click();
    await page.getByRole('heading', { name: 'Decisions' }).waitFor();
    await dialog().waitFor({ state: 'detached' });
    await untilRead(page);
    expect(new Set(await cells('Decisions', 3))).toEqual(new Set(['grace']));
    expect(new Set(await cells('Decisions', 5))).toEqual(new Set(['refused']));
  });
  it('names roles and permissions in English, beside their value in the log', async () => {
    await open('audit/decisions?outcome=granted');
    await page
      .getByRole('button', { name: /^Details: Decision/ })
      .first()
      .click();
    await dialog().getByText('Call endpoints inference:appeler').waitFor();
    await dialog().getByText('User utilisateur-standard').waitFor();
    expect(await everyLook(page, 'entry-labels')).toEqual([]);
    await page.keyboard.press('Escape');
  });
});

it('asked nobody but the console and met no error', () => {
  expect(faults).toEqual([]);
});
