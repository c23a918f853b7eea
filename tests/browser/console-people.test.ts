import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostedStack, startHostedStack } from '../support/hosted-stack.ts';
import { dialogOf, openConsole, untilRead, visit } from './browser.ts';
import { asPair, furnish, ownerOf } from './furnished.ts';
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
const button = (name: string, of: Page | ReturnType<typeof dialogOf> = page) =>
  of.getByRole('button', { name, exact: true });
const asked = (title: string) => page.getByRole('dialog', { name: title, exact: true });

describe('the keys of a person', () => {
  const call = async (key: string) =>
    (await fetch(`${stack.gateway}/code/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status;
  it('are issued with an expiry, which the gateway checks at the next call', async () => {
    await open('users?search=ada');
    await button('Keys of ada').click();
    const keys = asked('Keys of ada');
    await keys.getByLabel('Label of a further key').fill('for a month');
    await keys.getByRole('combobox', { name: 'Expires' }).click();
    await page.getByRole('option', { name: 'After 30 days' }).click();
    await button('Create', keys).click();
    const key = (await asked('Key of ada').getByText(/^gwk_/).textContent()) ?? '';
    await button('Done').click();
    const row = keys.getByRole('row').filter({ hasText: 'for a month' });
    await row.getByText('in force').waitFor();
    expect(await row.getByText('not yet').count()).toBe(1);
    // The engine of the test does not exist: a permitted call reports this.
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
    await button('Done').click();
    const owner = ownerOf(stack);
    const [row] = await owner`
      select expires_at > now() + interval '6 days' and expires_at < now() + interval '8 days' as week
      from account_keys k join accounts a on a.id = k.account_id where username = 'grace-2'`;
    await owner.end();
    expect(row).toEqual({ week: true });
  });
});

describe('several people', () => {
  const mark = (name: string) => page.getByRole('checkbox', { name, exact: true });
  const stateOf = (name: string) =>
    page
      .getByRole('row')
      .filter({ has: button(name) })
      .getByText(/^(enabled|disabled|revoked)$/);
  const choose = async (label: string, option: string) => {
    await dialogOf(page).getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  const undo = (done: string) =>
    page.getByText(done).locator('xpath=../..').getByRole('button', { name: 'Undo' }).click();
  it('are marked, looked at before they are changed, and changed back', async () => {
    await open('users');
    for (const name of ['alan', 'barbara']) await mark(`Select ${name}`).check();
    await page.getByText('2 people are selected.').waitFor();
    await button('Change them').click();
    const dialog = asked('Change 2 people');
    await dialog.getByText('2 people would change:').waitFor();
    await dialog.getByRole('row', { name: 'alan enabled → disabled' }).waitFor();
    expect(await everyLook(page, 'people-bulk')).toEqual([]);
    await button('Change 2 people', dialog).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => stateOf('alan').textContent()).toBe('disabled');
    expect(await stateOf('barbara').textContent()).toBe('disabled');
    expect(await stateOf('edsger').textContent()).toBe('enabled');
    await undo('Disable the accounts: 2 people changed.');
    await page.getByText('2 undone.').waitFor();
    await expect.poll(() => stateOf('alan').textContent()).toBe('enabled');
    expect(await stateOf('barbara').textContent()).toBe('enabled');
  });
  it('get a plan or a role, except those who have it', async () => {
    await open('users');
    await mark('Select all Users of this page').check();
    await mark('Select admin').uncheck();
    await button('Change them').click();
    await choose('Action', 'Give a plan');
    await choose('Plan', 'Team');
    await dialogOf(page).getByText('2 people would change:').waitFor();
    await dialogOf(page)
      .getByText(/Unchanged: ada has the plan Team already; /)
      .waitFor();
    await choose('Action', 'Give a role');
    await choose('Role', 'Auditor');
    await dialogOf(page).getByRole('row', { name: 'ada User → User, Auditor' }).waitFor();
    await page.keyboard.press('Escape');
    await button('Deselect all').click();
    expect(await page.getByText('are marked.').count()).toBe(0);
  });
  it('are revoked with a reason, and a refusal of another action is reported for the one person only', async () => {
    await open('users');
    for (const name of ['edsger', 'grace']) await mark(`Select ${name}`).check();
    await button('Change them').click();
    await choose('Action', 'Revoke everywhere');
    expect(await button('Change 2 people', dialogOf(page)).isDisabled()).toBe(true);
    await dialogOf(page).getByLabel('Reason, kept in the log').fill('contract ended');
    // Another administrator was faster: that person is revoked as wished, and the undo leaves it so.
    await asPair(stack)('POST', '/api/subject-revocations', { subject: 'grace', reason: 'by another administrator' });
    await button('Change 2 people', dialogOf(page)).click();
    await dialogOf(page).waitFor({ state: 'detached' });
    await undo('Revoke everywhere: 1 person changed.');
    await page.getByText('1 undone.').waitFor();
    await expect.poll(() => stateOf('edsger').textContent()).toBe('enabled');
    expect(await stateOf('grace').textContent()).toBe('revoked');

    for (const name of ['alan', 'edsger']) await mark(`Select ${name}`).check();
    await button('Change them').click();
    await choose('Action', 'Give a role');
    await choose('Role', 'Administrator');
    const auditor = { subject: 'edsger', role: 'auditeur' };
    await asPair(stack)('POST', '/api/role-assignments', auditor);
    await button('Change 2 people', dialogOf(page)).click();
    await dialogOf(page).getByText('Refused for 1 person').waitFor();
    await dialogOf(page).getByText('1 person done. 1 refused. 0 not sent.').waitFor();
    await dialogOf(page)
      .getByText(/^edsger: .*at the same time/)
      .waitFor();
    expect(await everyLook(page, 'people-bulk-refused')).toEqual([]);
    await button('Done', dialogOf(page)).click();
    await undo('Give a role: 1 person changed.');
    await page.getByText('1 undone.').last().waitFor();
  });
  it('are created from a file: each line is judged first, and the keys are shown once', async () => {
    await open('users');
    await button('Import').click();
    const dialog = asked('Import people');
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        'username;plan;role;e-mail\nlena;Team;User;lena@example.org\nada;Team;User;\nmax;Gold;root;max\nnoor;;;\n',
      ),
    });
    await dialog.getByText('Creates an account: Team, User, lena@example.org').waitFor();
    await dialog.getByText('Left out: ada has an account already').waitFor();
    await dialog.getByText('Left out: there is no plan Gold; there is no role root').waitFor();
    await dialog.getByText('2 lines are left out').waitFor();
    expect(await everyLook(page, 'people-import')).toEqual([]);
    await button('Create 2 accounts', dialog).click();
    const keys = dialog.getByRole('textbox', { name: 'Keys', exact: true });
    await keys.waitFor();
    const [, lena = '', noor = ''] = (await keys.inputValue()).split('\n');
    expect([lena, noor]).toEqual([expect.stringMatching(/^lena,gwk_/), expect.stringMatching(/^noor,gwk_/)]);
    const call = (key: string) =>
      fetch(`${stack.gateway}/code/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    expect((await call(lena.slice(5))).status).not.toBe(401);
    expect(await everyLook(page, 'people-import-done')).toEqual([]);
    await button('Done', dialog).click();
    await button('lena').waitFor();
    // The file was wrong: all its keys are revoked in one act.
    await button('Import').click();
    const revoke = 'Revoke its keys: Revoke the keys of this import';
    await button(revoke, dialog).waitFor();
    expect(await everyLook(page, 'people-imports')).toEqual([]);
    await button(revoke, dialog).click();
    await button('Revoke its keys', asked('Revoke the keys of this import')).click();
    await page.getByText('2 keys revoked.').waitFor();
    expect((await call(lena.slice(5))).status).toBe(401);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
  it('reports what is wrong with a file as a whole', async () => {
    await button('Import').click();
    await asked('Import people').getByLabel('Text of the file').fill('grace,Team\n');
    await dialogOf(page)
      .getByText(/^The first line must name the columns/)
      .waitFor();
    expect(await button('Create 0 accounts', dialogOf(page)).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
  });
});

it('the overview says when license and certificate end, and what the last verification found', async () => {
  const owner = ownerOf(stack);
  await owner`insert into reported_expiries (kind, expires_at)
    values ('license', now() + interval '400 days 1 hour'), ('certificate', now() + interval '7 days 1 hour')`;
  await owner.end();
  await open('users');
  await page.getByRole('link', { name: 'Gateway console' }).click();
  await page.getByRole('group', { name: 'License' }).getByText('400 days left').waitFor();
  await page.getByRole('group', { name: 'Certificate' }).getByText('7 days left').waitFor();
  await page.getByText('no log verified yet', { exact: true }).waitFor();
  await open('audit/verification');
  await button('Verify').click();
  await page.getByText('The chain is intact').waitFor();
  await open('users');
  await page.getByRole('link', { name: 'Gateway console' }).click();
  await page.getByText(/^intact, \d+ entries$/).waitFor();
  await untilRead(page);
  expect(await everyLook(page, 'overview')).toEqual([]);
});

it('asked nobody but the console and met no error', () => {
  expect(faults).toEqual([]);
});
