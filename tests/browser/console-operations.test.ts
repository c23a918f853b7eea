import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialogOf, untilRead, widerThanScreen } from './browser.ts';
import { asPair } from './furnished.ts';
import { type FurnishedConsole, openFurnishedConsole } from './furnished-console.ts';
import { intercept } from './interception.ts';
import { faultsOf } from './looks.ts';
import { keepScreenshot } from './screenshots.ts';

let hosted: FurnishedConsole;
let page: Page;
beforeAll(async () => {
  hosted = await openFurnishedConsole({ decisions: 60 });
  ({ page } = hosted);
});
afterAll(() => hosted?.stop());

const open = (place: string) => hosted.open(place);
const button = (name: string | RegExp, of: Page | ReturnType<typeof dialogOf> = page) =>
  of.getByRole('button', { name, exact: typeof name === 'string' });
const asked = (title: string) => page.getByRole('dialog', { name: title, exact: true });

describe('a policy that is being written', () => {
  const editor = () => page.getByLabel('Cedar policy set');
  it('is checked by itself: names that do not exist, and what the last decisions would have been', async () => {
    await open('governance');
    await editor().fill(
      'forbid (principal, action == Action::"inference:appeler", resource) unless { resource == Endpoint::"chta" || resource == Endpoint::"chat" };',
    );
    await page.getByText('Endpoint "chta": no endpoint has this name').waitFor();
    await page.getByText(/^It would have refused \d+ of the last \d+ decisions$/).waitFor();
    await page.getByText(/^By endpoint or resource: \/\w+ \(\d+\), /).waitFor();
    await page.getByText(/^By role: User \(\d+\)$/).waitFor();
    await page.getByText(/^By subject: /).waitFor();
    expect(await faultsOf(page, 'policy-preview')).toEqual([]);
  });
  it('that locks all subjects out is installed only after a word was typed', async () => {
    await editor().fill('forbid(principal, action, resource);');
    await button('Install').click();
    const dialog = asked('Lock people out?');
    await dialog.getByText('Nobody could call any endpoint.').waitFor();
    expect(await faultsOf(page, 'policy-lockout')).toEqual([]);
    await dialog.getByRole('textbox').fill('yes');
    await button('Install', dialog).click();
    await dialog.getByText('Type lockout to continue.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('revision 1 in force').waitFor();
  });
  it('begins with a template that refuses no existing subject', async () => {
    await editor().fill('');
    const templates = [
      'One person, one endpoint',
      'An endpoint for few people',
      'Working hours',
      'A network',
      'No agent commands',
    ];
    for (const template of templates) {
      await button('Insert a template').click();
      await page.getByRole('menuitem', { name: template }).click();
    }
    await page.getByText(/^It would have refused 0 of the last/).waitFor();
    expect(await page.getByText('This locks people out').count()).toBe(0);
    await page.getByText('Subject "contractor@example.com": no account').first().waitFor();
    await button('Install').click();
    await page.getByText('revision 2 in force').waitFor();
  });
});

describe("a person's access", () => {
  it('shows why every call is refused, and does not promise a fix while another cause remains', async () => {
    await open('users?search=alan');
    await button('Access of alan').click();
    const access = asked('Access of alan');
    await access.getByText('served', { exact: true }).waitFor();
    expect(await faultsOf(page, 'access')).toEqual([]);
    await button('Revoke: Revoke alan').click();
    await asked('Revoke alan').getByLabel('Reason, kept in the log').fill('a lost laptop');
    await button('Revoke', asked('Revoke alan')).click();
    await access.getByText(/^Revoked since .* by shared-pair: a lost laptop$/).waitFor();
    await button('Disable', access).click();
    await access.getByText('The account is disabled.').waitFor();
    await button('Enable', access).first().click();
    await page.getByText('The account of alan is enabled. Its calls are still refused: it is revoked.').waitFor();
    expect(await page.getByText('alan may call again').count()).toBe(0);
    expect(await faultsOf(page, 'access-revoked')).toEqual([]);
    await page.setViewportSize({ width: 390, height: 740 });
    await keepScreenshot(page, 'access-small', 'look');
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  it('undoes a change', async () => {
    // The toast of a revocation offers to lift it again.
    await page.getByText('alan is refused from the next call on.').locator('xpath=../..').getByText('Undo').click();
    await page.getByText('The revocation of alan is lifted.').waitFor();
    await asked('Access of alan').getByText('served', { exact: true }).waitFor();
    expect(await asked('Access of alan').getByText('Revoked since').count()).toBe(0);
    await page.keyboard.press('Escape');
  });
  it('has no button beside the plan that blocks at once: removing a plan asks first, and can be undone', async () => {
    await open('users?search=alan');
    expect(await page.getByRole('row').filter({ hasText: 'alan' }).locator('.mantine-CloseButton-root').count()).toBe(
      0,
    );
    await button('Access of alan').click();
    const access = asked('Access of alan');
    await button('Remove the plan: Remove the plan of alan').click();
    await button('Remove the plan', asked('Remove the plan of alan')).click();
    await access.getByText('The account has no plan.').waitFor();
    await page.getByText('alan has no plan: its calls are refused.').locator('xpath=../..').getByText('Undo').click();
    await access.getByText('served', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
  });
  it('of a name that nobody bears is not revoked by a slip', async () => {
    await open('audit/revoked-subjects');
    await button('Revoke a subject').click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Subject').fill('alam');
    await dialog.getByLabel('Reason, kept in the log').fill('a slip');
    await dialog.getByText('Nobody is known as “alam”').waitFor();
    expect(await faultsOf(page, 'revoke-unknown')).toEqual([]);
    await button('Revoke', dialog).click();
    await dialog.getByText('Check the name, or confirm that you mean it.').waitFor();
    await dialog.getByLabel('Subject').fill('alan');
    await dialog.getByText('Nobody is known as').waitFor({ state: 'detached' });
    await dialog.getByLabel('Subject').fill('alam');
    await dialog.getByLabel('Revoke it anyway').check();
    await button('Revoke', dialog).click();
    await page.getByText('alam would be refused; this name is unknown until now.').waitFor();
    await asPair(hosted.stack)('POST', '/api/role-assignments', { subject: 'alam', role: 'utilisateur-standard' });
  });
});

describe('the log and the charts', () => {
  it('find a part of a name, the presets, and one entry by its link', async () => {
    await open('audit/decisions?subject=BARB');
    const names = () =>
      page.getByRole('table', { name: 'Decisions' }).locator('tbody tr td:nth-child(3)').allTextContents();
    await expect.poll(async () => [...new Set(await names())]).toEqual(['barbara']);
    await page.getByRole('link', { name: 'Refused today' }).click();
    const rows = () => page.getByRole('table', { name: 'Decisions' }).locator('tbody tr').allInnerTexts();
    await expect.poll(async () => (await rows()).filter((row) => !/refused/i.test(row))).toEqual([]);
    expect(new URL(page.url()).hash).toMatch(/^#audit\/decisions\?outcome=refused&from=[^&]+$/);
    await open('audit/decisions?sequence=7');
    await button('Details: Decision 7').waitFor();
    expect((await names()).length).toBe(1);
    await button('One entry: show all').click();
    await expect.poll(async () => (await names()).length).toBeGreaterThan(1);
  });
  it('show the values of a chart by keyboard and by pointer, a range of days, and the meaning of a name', async () => {
    await open('usage');
    const chart = page.getByRole('slider', { name: 'Tokens: values by arrow keys' });
    await chart.focus();
    await page.keyboard.press('End');
    expect(await chart.getAttribute('aria-valuetext')).toMatch(
      /^\d+ \w+: [\d,–]+ code, [\d,–]+ chat, [\d,–]+ embeddings/,
    );
    expect(await faultsOf(page, 'chart-keyboard')).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await chart.getAttribute('aria-valuetext')).toBe('none chosen');
    await button('Tokens as a table').click();
    await page.getByRole('table', { name: 'Tokens' }).getByRole('columnheader', { name: 'chat' }).waitFor();
    const cost = page.getByRole('slider', { name: 'Cost: values by arrow keys' });
    await cost.scrollIntoViewIfNeeded();
    const box = await cost.boundingBox();
    if (box === null) throw new Error('the chart is not drawn');
    await page.mouse.move(box.x + box.width / 2, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.8, box.y + 40, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => new URL(page.url()).hash).toMatch(/period=custom&from=.*&until=/);
    await page.goBack();
    await page.getByText('Custom', { exact: true }).click();
    await page.getByLabel('First day (UTC)').fill('2026-01-05');
    await page.getByLabel('Last day (UTC)').fill('2026-01-06');
    await expect
      .poll(() => new URL(page.url()).hash)
      .toContain('from=2026-01-05T00%3A00%3A00Z&until=2026-01-07T00%3A00%3A00Z');
    expect(await faultsOf(page, 'usage-custom')).toEqual([]);
    await open('usage');
    await page.getByRole('table', { name: 'By subject' }).getByRole('button', { name: 'ada', exact: true }).click();
    await expect.poll(() => new URL(page.url()).hash).toContain('subject=ada');
  });
});

it('reports that the database is down, and recovers by itself once it is back', async () => {
  await open('plans');
  const answered = await intercept(page, /\/api\/plans/, (route) =>
    route.fulfill({ status: 503, json: { error: 'Authorization decision could not be made.', down: 'database' } }),
  );
  await button('Refresh').click();
  const alert = page.getByRole('alert').filter({ hasText: "The console's database does not answer" });
  await alert.getByText('It is tried again every 5 seconds.').waitFor();
  await alert.getByText(/^Nothing can be read or changed until it answers\. The data below was read at /).waitFor();
  expect(await faultsOf(page, 'database-down')).toEqual([]);
  await answered();
  await alert.waitFor({ state: 'detached' });
});

it('shows the address at which the gateway is really reached', async () => {
  await open('endpoints');
  await button('Call it: code').click();
  await untilRead(page);
  await dialogOf(page).getByText(`curl ${hosted.stack.gateway}/code/v1/chat/completions`).waitFor();
  expect(await dialogOf(page).getByText('is a guess').count()).toBe(0);
  await page.keyboard.press('Escape');
});

describe('the overview', () => {
  it('is linked from the name of the product, shows the current state, and links to pages', async () => {
    await open('plans');
    await page.getByRole('link', { name: 'Gateway console' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await page.getByRole('tab').count()).toBe(8);
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Overview');
    await page.getByRole('table', { name: 'Latest decisions' }).waitFor();
    await page
      .getByRole('region', { name: 'Spending' })
      .getByText(/^€[\d.,]+ was spent this month\./)
      .waitFor();
    await page.getByRole('link', { name: 'Verify the logs' }).waitFor();
    expect(await faultsOf(page, 'overview')).toEqual([]);
    await page.setViewportSize({ width: 390, height: 740 });
    expect(await widerThanScreen(page)).toEqual([]);
    const outcome = page
      .getByRole('table', { name: 'Latest decisions' })
      .getByText(/^(granted|refused)$/)
      .first();
    const box = await outcome.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(390); // without scrolling sideways
    await keepScreenshot(page, 'overview-small', 'look');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('link', { name: 'Grant somebody else the role Auditor' }).click();
    await page.getByRole('heading', { name: 'Roles', exact: true }).waitFor();
  });
});

it('asked nobody but the console and met no error', () => {
  expect(hosted.faults).toEqual([]);
});
