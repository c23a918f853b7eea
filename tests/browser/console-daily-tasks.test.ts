import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialogOf, untilRead } from './browser.ts';
import { asPair, holderOf } from './furnished.ts';
import { type FurnishedConsole, openFurnishedConsole } from './furnished-console.ts';
import { everyLook } from './looks.ts';

let hosted: FurnishedConsole;
let page: Page;
beforeAll(async () => {
  hosted = await openFurnishedConsole();
  ({ page } = hosted);
});
afterAll(() => hosted?.stop());

const button = (name: string, on: Page | ReturnType<typeof dialogOf> = page) =>
  on.getByRole('button', { name, exact: true });
const table = (name: string, on = page) => on.getByRole('table', { name, exact: true });
const call = (key: string) =>
  fetch(`${hosted.stack.gateway}/code/v1/models`, { headers: { authorization: `Bearer ${key}` } });

describe('the day of an operator', () => {
  it('gives the members of a group a role', async () => {
    await hosted.open('governance/roles');
    await button('Map a group').click();
    await dialogOf(page).getByRole('textbox', { name: 'Group', exact: true }).fill('engineers');
    await button('Map', dialogOf(page)).click();
    const row = table('Groups to roles').getByRole('row').filter({ hasText: 'engineers' });
    await row.getByText('not provisioned', { exact: true }).waitFor();
    expect(await row.textContent()).toContain('User');
  });

  it('lets in a person who waits for a role', async () => {
    const ask = asPair(hosted.stack);
    const { id } = await ask('POST', '/api/plans', { slug: 'newcomers', name: 'Newcomers', monthlyCap: null });
    const { key } = await ask('POST', '/api/users', { username: 'newcomer', plan: id });
    expect((await call(key)).status).toBe(403);
    await hosted.open('governance/roles');
    await page.getByRole('checkbox', { name: 'Select newcomer', exact: true }).check();
    await page
      .getByRole('region', { name: 'Waiting for a role' })
      .getByRole('button', { name: 'Grant a role' })
      .click();
    await button('Grant', dialogOf(page)).click();
    await page.getByText('1 granted, 0 refused.').waitFor();
    await table('Waiting for a role').getByText('newcomer').waitFor({ state: 'detached' });
    await untilRead(page); // reloading data is shown pale until then
    expect(await everyLook(page, 'governance-roles')).toEqual([]);
    expect((await call(key)).status).not.toBe(403);
  });

  it('finds who spent most, and what on', async () => {
    await hosted.open('users?sort=-spent');
    const cells = await table('Users').locator('tbody tr').first().getByRole('cell').allTextContents();
    expect(cells.join(' ')).toMatch(/\bada\b.*€/);
    await hosted.open('usage?subject=ada');
    await page.getByText('qwen3-coder-30b').first().waitFor();
    expect(await table('Usage records').getByText('ci-pipeline').count()).toBe(0);
  });
});

describe('the day of an auditor', () => {
  it('answers a question with an entry that proves itself', async () => {
    const auditor = await hosted.pageOf(await holderOf(hosted.stack, 'auditor', 'auditeur'));
    await hosted.open('audit/decisions?outcome=refused', auditor, '/audit');
    await auditor
      .getByRole('button', { name: /^Details: Decision/ })
      .first()
      .click();
    const link = dialogOf(auditor).getByRole('link', { name: 'Download proof', exact: true });
    const file = await auditor.evaluate(
      async (address) => (await fetch(address)).text(),
      (await link.getAttribute('href')) ?? '',
    );
    expect(file).toContain('"outcome":"refused"');
    await auditor.close();
  });
});

describe('the first day of a developer', () => {
  it('shows endpoints with lines for tools, and replaces the own key', async () => {
    const ask = asPair(hosted.stack);
    const { id } = await ask('POST', '/api/plans', { slug: 'dev', name: 'Developers', monthlyCap: 10 });
    const { key } = await ask('POST', '/api/users', { username: 'dev', plan: id, role: 'utilisateur-standard' });
    const dev = await hosted.pageOf({ username: 'dev', password: key });
    await hosted.open('me', dev, '/me');
    await dev.getByText(`${hosted.stack.gateway}/code/v1`, { exact: false }).first().waitFor();
    expect(await everyLook(dev, 'developer')).toEqual([]);
    await button('Rotate: Rotate the key first', dev).click();
    await button('Rotate', dialogOf(dev)).click();
    const secret = dev.getByText(/^gwk_\w{20,}$/);
    await secret.waitFor();
    const fresh = (await secret.textContent()) ?? '';
    expect([(await call(key)).status, (await call(fresh)).status]).toEqual([401, expect.any(Number)]);
    expect((await call(fresh)).status).not.toBe(401);
    await dev.close();
  });
});

it('asked nobody but the console and met no error', () => {
  expect(hosted.faults).toEqual([]);
});
