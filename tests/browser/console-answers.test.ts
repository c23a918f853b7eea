import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HostedStack, startHostedStack } from '../support/hosted-stack.ts';
import { dialogOf, openBrowser, openPage, signedIn, violations, visit } from './browser.ts';
import { appendDecisions, asPair, holderOf } from './furnished.ts';

// Questions to a console when something is wrong: which caller was refused, why, how to permit it, whose key it is, and how to
// revoke access.
let stack: HostedStack;
let browser: Browser;
let page: Page;
let faults: string[];
let ask: ReturnType<typeof asPair>;
let auditor: { username: string; password: string };
const keys = new Map<string, string>();
beforeAll(async () => {
  stack = await startHostedStack();
  ask = asPair(stack);
  for (const username of ['ada', 'alan', 'edsger'])
    keys.set(username, (await ask('POST', '/api/users', { username })).key);
  auditor = await holderOf(stack, 'olga', 'auditeur');
  await appendDecisions(stack, 40);
  browser = await openBrowser();
  const { user = '', password = '' } = stack.consoleSignIn ?? {};
  const context = await signedIn(browser, { username: user, password });
  ({ page, faults } = await openPage(context, [new URL(stack.console).origin]));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const open = (place: string) => visit(page, `${stack.console}/`, place);
const button = (name: string, of = page) => of.getByRole('button', { name, exact: true });
const row = (table: string, subject: string) =>
  page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: subject });

it('shows the cause of a refusal and its fix, and links to the page for the fix', async () => {
  await open('audit?outcome=refused&subject=alan');
  await page
    .getByRole('button', { name: /^Details: Decision/ })
    .first()
    .click();
  await dialogOf(page).getByText('The subject has no role that may call endpoints.').waitFor();
  expect(await violations(page)).toEqual([]);
  await dialogOf(page).getByRole('link', { name: 'To the roles of alan' }).click();
  await dialogOf(page).waitFor({ state: 'detached' });
  await row('Roles', 'alan').getByText('no role: refused').waitFor();
  expect(await page.getByRole('table', { name: 'Roles' }).locator('tbody tr').count()).toBe(1);
});

it('names the command that writes a verifiable file of a chained log', async () => {
  await open('audit/decisions');
  await page.getByText('use gatewayctl journal export.').waitFor();
  await open('audit/administration');
  await page.getByText('use gatewayctl journal export --chain actions.').waitFor();
  expect(await violations(page)).toEqual([]);
});

it('explains nothing of a granted call', async () => {
  await open('audit?outcome=granted&subject=alan');
  await page
    .getByRole('button', { name: /^Details: Decision/ })
    .first()
    .click();
  await dialogOf(page).getByRole('rowheader', { name: 'reason' }).waitFor();
  expect(await dialogOf(page).getByRole('note').count()).toBe(0);
});

it('shows the same to an auditor, without links that an auditor cannot use', async () => {
  const context = await signedIn(browser, auditor);
  const { page: audit } = await openPage(context, [new URL(stack.console).origin]);
  await visit(audit, `${stack.console}/audit`, 'audit?outcome=refused&subject=alan');
  await audit
    .getByRole('button', { name: /^Details: Decision/ })
    .first()
    .click();
  await dialogOf(audit).getByText('The subject has no role that may call endpoints.').waitFor();
  expect(await dialogOf(audit).getByRole('link').allTextContents()).toEqual(['Download proof']);
  await context.close();
});

it('finds whose key it is by its last four characters, and takes no more of it', async () => {
  await open('users');
  const key = keys.get('edsger') ?? '';
  await page.getByLabel('Search users').fill(key);
  await page.getByText('Looks like a key: not searched for. Its last four characters are enough.').waitFor();
  await page.getByLabel('Search users').fill(key.slice(-4));
  await expect.poll(() => page.getByRole('table', { name: 'Users' }).locator('tbody tr').count()).toBe(1);
  await row('Users', 'edsger').getByRole('button', { name: 'Keys of edsger' }).click();
  await dialogOf(page)
    .getByText(`gwk_…${key.slice(-4)}`)
    .waitFor();
  await page.keyboard.press('Escape');
});

it('revokes a person from the list of roles, shows it wherever the person is shown, and links to the page that lifts it', async () => {
  await open('governance/roles');
  const access = page.getByRole('dialog', { name: 'Access of ada' });
  const asking = page.getByRole('dialog', { name: /^(Revoke|Lift the revocation of) ada$/ });
  await button('Access of ada').click();
  await button('Revoke: Revoke ada').click();
  await asking.getByText('Refused everywhere from the next call on').waitFor();
  await asking.getByLabel('Reason, kept in the log').fill('the key is public');
  await asking.getByRole('button', { name: 'Revoke', exact: true }).click();
  await access.getByText(/^Revoked since .* by shared-pair: the key is public$/).waitFor();
  await page.keyboard.press('Escape');
  await row('Roles', 'ada').getByText('revoked', { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  await open('users');
  expect(await violations(page)).toEqual([]);
  await row('Users', 'ada').getByText('revoked', { exact: true }).waitFor();
  await button('Access of ada').click();
  await button('Lift: Lift the revocation of ada').click();
  await asking.getByLabel('Reason, kept in the log').fill('a new key');
  await asking.getByRole('button', { name: 'Lift', exact: true }).click();
  await button('Revoke: Revoke ada').waitFor();
  await page.keyboard.press('Escape');
  await row('Users', 'ada').getByText('revoked', { exact: true }).waitFor({ state: 'detached' });
});

it('explains each role before one is granted', async () => {
  await open('governance/roles');
  await button('Grant a role').click();
  const choice = dialogOf(page).getByRole('combobox', { name: 'Role' });
  await choice.click();
  await page.getByRole('option', { name: 'administrateur-d-instance' }).getByText('grants roles').waitFor();
  await page.getByRole('option', { name: 'auditeur' }).click();
  await dialogOf(page).getByText('Reads, exports and verifies every log.').waitFor();
  expect(await choice.inputValue()).toBe('Auditor');
  expect(await violations(page)).toEqual([]);
});

it('asked nobody but the console, and met no error', () => {
  expect(faults).toEqual([]);
});
