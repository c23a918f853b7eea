import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ready, startStack } from '../support/stack.ts';
import { dialogOf, openConsole, untilRead, visit } from './browser.ts';
import { furnish, ownerOf } from './furnished.ts';
import { everyLook } from './looks.ts';

let stack: Ready & { stop: () => Promise<number | null> };
let browser: Browser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  stack = await startStack('--bare');
  await furnish(stack);
  ({ browser, page, faults } = await openConsole(stack));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const open = (place: string) => visit(page, `${stack.console}/`, place);
const button = (name: string, of: Page | ReturnType<typeof dialogOf> = page) =>
  of.getByRole('button', { name, exact: true });
const asked = (title: string) => page.getByRole('dialog', { name: title, exact: true });

describe('the keys of a person', () => {
  const call = async (key: string) =>
    (await fetch(`${stack.gateway}/code/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status;
  it('are issued with an expiry, which the gateway holds against the very next call', async () => {
    await open('users?search=ada');
    await button('Keys of ada').click();
    const keys = asked('Keys of ada');
    await keys.getByLabel('Label of a further key').fill('for a month');
    await keys.getByRole('combobox', { name: 'Expires' }).click();
    await page.getByRole('option', { name: 'After 30 days' }).click();
    await button('Create', keys).click();
    const key = (await asked('Key of ada').getByText(/^gwk_/).textContent()) ?? '';
    await button('I have kept it').click();
    const row = keys.getByRole('row').filter({ hasText: 'for a month' });
    await row.getByText('in force').waitFor();
    expect(await row.getByText('not yet').count()).toBe(1);
    // The engine of the test is nowhere: anybody who is let in learns that.
    expect(await call(key)).not.toBe(401);
    const again = async () => {
      await open('users?search=ada');
      await button('Keys of ada').click();
    };
    await again();
    await expect.poll(() => row.locator('time').count()).toBe(3);
    const owner = ownerOf(stack);
    await owner`update account_keys set expires_at = now() where label = 'for a month'`;
    await owner.end();
    expect(await call(key)).toBe(401);
    await again();
    await row.getByText('expired', { exact: true }).waitFor();
    await untilRead(page);
    expect(await everyLook(page, 'people-keys')).toEqual([]);
    await keys.press('Escape');
    await open('audit/decisions?reason=key-expired');
    await page
      .getByRole('button', { name: /^Details: Decision/ })
      .first()
      .click();
    await dialogOf(page).getByText('The key was issued with an expiry date, which has passed.').waitFor();
    await page.keyboard.press('Escape');
  });
  it('of a new account may expire too', async () => {
    await open('users');
    await button('Create a user').click();
    const dialog = asked('Create a user');
    await dialog.getByLabel('Username').fill('grace-2');
    await dialog.getByRole('combobox', { name: 'The key expires' }).click();
    await page.getByRole('option', { name: 'After 7 days' }).click();
    expect(await everyLook(page, 'people-new')).toEqual([]);
    await button('Create and show the key', dialog).click();
    await button('I have kept it').click();
    const owner = ownerOf(stack);
    const [row] = await owner`
      select expires_at > now() + interval '6 days' and expires_at < now() + interval '8 days' as week
      from account_keys k join accounts a on a.id = k.account_id where username = 'grace-2'`;
    await owner.end();
    expect(row).toEqual({ week: true });
  });
});

it('asked nobody but the console and met no error', () => {
  expect(faults).toEqual([]);
});
