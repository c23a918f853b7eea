import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialogOf, submit, violations } from './browser.ts';
import { asPair, holderOf, pipelineCalls } from './furnished.ts';
import { type FurnishedConsole, openFurnishedConsole } from './furnished-console.ts';
import { keepPicture, keepScreenshot } from './screenshots.ts';

let hosted: FurnishedConsole;
let page: Page;
beforeAll(async () => {
  hosted = await openFurnishedConsole();
  ({ page } = hosted);
});
afterAll(() => hosted?.stop());

const open = (place: string, on = page, surface = '/') => hosted.open(place, on, surface);
const button = (name: string, on = page) => on.getByRole('button', { name, exact: true });

describe('tasks in the hosted console', () => {
  it('sums what the table below lists', async () => {
    await open('usage');
    const tile = page.getByText('Calls', { exact: true }).locator('xpath=..');
    const whole = Number((await tile.locator('p').nth(1).textContent())?.replaceAll(',', ''));
    const sql = await fetch(`${hosted.stack.console}/api/usage?format=jsonl`, {
      headers: {
        authorization: `Basic ${btoa(`${hosted.stack.consoleSignIn?.user}:${hosted.stack.consoleSignIn?.password}`)}`,
      },
    });
    expect(whole).toBe((await sql.text()).trimEnd().split('\n').length);
    await page.getByText('Last day', { exact: true }).click();
    await expect
      .poll(async () => Number((await tile.locator('p').nth(1).textContent())?.replaceAll(',', '')))
      .not.toBe(whole);
  });

  it('finds a decision by subject, outcome and time', async () => {
    await open('audit');
    const table = page.getByRole('table', { name: 'Decisions' });
    await page.getByLabel('Subject', { exact: true }).fill('ada');
    await page.getByRole('combobox', { name: 'Outcome' }).click();
    await page.getByRole('option', { name: 'refused' }).click();
    await expect
      .poll(
        async () => new Set((await table.locator('tbody tr').allTextContents()).map((row) => /ada.*refused/.test(row))),
      )
      .toEqual(new Set([true]));
    await page.getByLabel('Until (UTC)').fill('2020-01-01T00:00');
    await page.getByText('Nothing matches these filters.').waitFor();
  });

  it('shows every member of an entry', async () => {
    await open('audit/administration');
    await button('Details: Action 1').click();
    const names = dialogOf(page).getByRole('rowheader');
    await names.first().waitFor();
    expect(await names.allTextContents()).toEqual(
      expect.arrayContaining(['author', 'oldValue', 'newValue', 'digest', 'previous']),
    );
    await page.keyboard.press('Escape');
  });

  it('revokes a session and lifts a revocation, each with a reason that is recorded', async () => {
    await open('audit/agent-sessions');
    await button('Revoke: Revoke session session-0').click();
    await dialogOf(page).getByLabel('Reason, kept in the log').fill('a stolen laptop');
    await submit(page, 'Revoke');
    await button('Revoke: Revoke session session-0').waitFor({ state: 'detached' });
    // One that no act has named, known from the header of a call alone.
    await button('Revoke a session').click();
    await dialogOf(page).getByLabel('Session').fill('known/from a call');
    await dialogOf(page).getByLabel('Reason, kept in the log').fill('runs wild');
    await submit(page, 'Revoke');
    const row = page.getByRole('table', { name: 'Agent sessions' }).getByRole('row', { name: 'known/from a call' });
    expect(await row.textContent()).toContain('revoked');
    await open('audit/revoked-subjects?subject=nobody');
    await page.getByText('Nothing matches these filters.').waitFor();
    await open('audit/revoked-subjects?subject=mallory');
    await button('Lift: Lift the revocation of mallory').click();
    await dialogOf(page).getByLabel('Reason, kept in the log').fill('came back');
    await submit(page, 'Lift');
    await page.getByText('lifted', { exact: true }).waitFor();
    await open('audit/administration');
    await button(`Details: Action ${await newest()}`).click();
    expect(await dialogOf(page).textContent()).toContain('came back');
  });
  const newest = async () =>
    Number(
      await page.getByRole('table', { name: 'Administration actions' }).locator('tbody tr td').first().textContent(),
    );

  it('shows how each command of an agent ended, or that it runs', async () => {
    await open('audit/agent-commands');
    const rows = page.getByRole('table', { name: 'Agent commands' }).getByRole('row');
    const shown = async () =>
      (await rows.allTextContents())
        .slice(1)
        .map((row) => /session-\d(\w+?)(succeeded|exit 2|revoked|running)/.exec(row)?.slice(1));
    await expect.poll(shown).toEqual([
      ['python3', 'running'],
      ['sh', 'succeeded'],
      ['node', 'exit 2'],
      ['sh', 'revoked'],
    ]);
    await page.getByRole('search').getByLabel('Session').fill('session-4');
    await expect.poll(shown).toEqual([['sh', 'revoked']]);
  });

  it('asks before it rotates keys or takes a role away', async () => {
    await open('users');
    await button('Keys of grace').click();
    await button('Rotate: Rotate the keys of grace').click();
    const asking = page.getByRole('dialog', { name: 'Rotate the keys of grace' });
    await asking.getByText('every other key of it is refused').waitFor();
    expect(await violations(page)).toEqual([]);
    await asking.getByRole('button', { name: 'Rotate', exact: true }).click();
    await page.getByText(/^gwk_[0-9a-f]{48}$/).waitFor();
    await button('Done').click();
    const keys = page.getByRole('table', { name: 'Keys of grace' });
    await expect.poll(() => keys.getByText('revoked', { exact: true }).count()).toBe(1);
    await open('users');
    await button('Change the roles of grace').click();
    await button('Remove: Remove the role User from grace').click();
    const taking = page.getByRole('dialog', { name: 'Remove the role User from grace' });
    await taking.getByRole('button', { name: 'Remove', exact: true }).click();
    await taking.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByText('no role: refused').nth(1).waitFor();
  });

  it('shows the position of a fault in a policy, and previews the effects of a valid one', async () => {
    await open('governance');
    const editor = page.getByLabel('Cedar policy set');
    await editor.fill('forbid(principal, action, resource);\npermit(principal, action, resource);\n');
    await button('Check').click();
    await page.getByRole('button', { name: /^Line 2/ }).click();
    expect(
      await page.evaluate("document.getSelection().anchorNode.parentElement.closest('.cm-line').textContent"),
    ).toBe('permit(principal, action, resource);');
    expect(await violations(page)).toEqual([]);
    expect(await button('Install').isDisabled()).toBe(true);
    await keepScreenshot(page, 'console-policy-fault', 'look');
    await editor.fill(pipelineCalls(['chat', 'code']));
    await button('Check').click();
    const difference = page.getByRole('region', { name: 'Difference to the revision in force' });
    await difference.getByText('- // The pipeline calls no endpoint but "chat".').waitFor();
    await difference.getByText('+ // The pipeline calls no endpoint but "chat" and "code".').waitFor();
    // A line below the other, as in the text.
    const tops = await difference
      .locator('span')
      .evaluateAll((lines) => lines.map((line) => line.getBoundingClientRect().top));
    expect(tops).toEqual([...new Set(tops)].toSorted((a, b) => a - b));
    expect(tops.length).toBeGreaterThan(2);
    expect(await violations(page)).toEqual([]);
    await page.getByText('It would have refused 18 of the last 120 decisions').waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    await keepPicture(page, 'console-policy-difference');
    await button('Install').click();
    await page.getByText('revision 2 in force').waitFor();
  });

  it('lifts every restriction on purpose, and not by an empty text', async () => {
    await open('governance');
    const editor = page.getByLabel('Cedar policy set');
    await editor.fill('');
    await button('Check').click();
    await page.getByText('the text contains no policy').first().waitFor();
    expect(await button('Install').isDisabled()).toBe(true);
    await button('Lift: Lift every restriction').click();
    const lifting = page.getByRole('dialog', { name: 'Lift every restriction' });
    expect(await violations(page)).toEqual([]);
    await lifting.getByRole('button', { name: 'Lift', exact: true }).click();
    await lifting.waitFor({ state: 'detached' });
    await page.getByText('revision 3: empty').waitFor();
    expect(await button('Lift: Lift every restriction').count()).toBe(0);
  });

  it('refuses an organization policy at its fault, and keeps the attempt', async () => {
    await open('governance');
    const editor = page.getByLabel('Policy document of Acme Research');
    await editor.fill('{\n  "models": }');
    await page.getByRole('button', { name: /^Line 2/ }).waitFor();
    expect(await button('Install the next revision').isDisabled()).toBe(true);
    await editor.fill('{"colours": []}');
    await button('Install the next revision').click();
    await page.getByRole('region', { name: 'Policy of Acme Research' }).getByRole('alert').waitFor();
    await page.getByRole('table', { name: 'Attempts at an organization policy' }).getByText('refused').waitFor();
  });

  it('offers an instance administrator nothing that the shared pair alone does', async () => {
    const olga = await hosted.pageOf(await holderOf(hosted.stack, 'olga', 'administrateur-d-instance'));
    await open('users', olga);
    const row = olga.getByRole('row').filter({ hasText: 'alan' });
    expect(await row.getByRole('button').allTextContents()).toEqual(['alan', 'Change', 'Access']);
    expect(await olga.getByRole('button', { name: 'Create a user' }).count()).toBe(0);
    expect([await olga.getByRole('switch').count(), await row.getByRole('combobox').count()]).toEqual([0, 0]);
    expect(await violations(olga)).toEqual([]);
    await row.getByRole('button', { name: 'Change the roles of alan' }).click();
    await dialogOf(olga).getByText('granted by shared-pair').waitFor();
    await open('caps', olga);
    await olga.getByText('No role of yours reads this').waitFor();
    expect(await olga.getByRole('button', { name: 'Export' }).count()).toBe(0);
    await open('usage', olga);
    await olga.getByRole('combobox', { name: 'subject' }).click();
    await olga.getByRole('option', { name: 'edsger', exact: true }).waitFor();
    for (const part of ['governance/roles', 'governance/projects']) {
      await open(part, olga);
      await olga.getByText('apollo', { exact: true }).first().waitFor();
      expect(await olga.getByText(/Not permitted|No role of yours reads this/).count()).toBe(0);
    }
    await button('Members of apollo', olga).click();
    await dialogOf(olga).getByRole('row').filter({ hasText: 'grace' }).waitFor();
    await olga.close();
  });

  it('opens to an auditor what an auditor reads, and nothing else', async () => {
    const auditor = await hosted.pageOf(await holderOf(hosted.stack, 'auditor', 'auditeur'));
    for (const [tab, landmark] of [
      ['audit', 'Decisions'],
      ['governance', 'Authorization policy in force'],
    ] as const) {
      await open(tab, auditor, '/audit');
      expect(await auditor.getByRole('tab').allTextContents()).toEqual(['Audit', 'Policy']);
      await auditor.getByRole('heading', { name: landmark, exact: true }).waitFor();
      expect(await auditor.getByText(/Not permitted|No role of yours reads this/).count()).toBe(0);
      expect(await violations(auditor)).toEqual([]);
      await keepScreenshot(auditor, `console-auditor-${tab}`, 'look');
    }
    expect((await auditor.goto(`${hosted.stack.console}/`))?.status()).toBe(403);
    await auditor.close();
  });

  it('opens to a project administrator the members, plans and usage of the project', async () => {
    const leader = await hosted.pageOf(await holderOf(hosted.stack, 'leader', 'administrateur-de-projet', 'apollo'));
    for (const tab of ['members', 'plans', 'usage']) {
      await open(tab, leader, '/project');
      await leader.getByText('ada', { exact: true }).first().waitFor();
      expect(await leader.getByText('ci-pipeline').count()).toBe(0);
      expect(await violations(leader)).toEqual([]);
      await keepScreenshot(leader, `console-project-${tab}`, 'look');
    }
    // A project cannot admit a subject that the instance refuses.
    await asPair(hosted.stack)('POST', '/api/subject-revocations', { subject: 'grace', reason: 'on leave' });
    await open('members', leader, '/project');
    const row = (subject: string) => leader.getByRole('row').filter({ hasText: subject });
    await row('grace').getByText('the whole instance refuses it').waitFor();
    expect(await violations(leader)).toEqual([]);
    // Nobody can be put on a plan before there is an account.
    await open('plans', leader, '/project');
    expect(await row('mallory').getByRole('combobox').count()).toBe(0);
    await leader.close();
  });

  it('asked nobody but the console and met no error', () => {
    expect(hosted.faults).toEqual([]);
  });
});
