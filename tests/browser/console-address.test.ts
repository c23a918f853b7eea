import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostedStack, startHostedStack } from '../support/hosted-stack.ts';
import { openConsole, openPage, violations, visit, widerThanScreen } from './browser.ts';
import { appendDecisions, asPair, ownerOf } from './furnished.ts';

// The address contains what is shown: it survives a reload and the back button, and can be sent to a colleague.
let stack: HostedStack;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let faults: string[];
beforeAll(async () => {
  stack = await startHostedStack();
  const ask = asPair(stack);
  for (const username of ['ada', 'alan', 'barbara']) await ask('POST', '/api/users', { username });
  await appendDecisions(stack, 130);
  const sql = ownerOf(stack);
  await sql`
    insert into plans (id, slug, name, monthly_cap)
    select gen_random_uuid(), 'plan-' || to_char(n, 'FM0000'), 'Plan ' || n, n from generate_series(1, 50) n`;
  await sql`
    with provider as (
      insert into providers (id, slug, name, base_url, clear_text_acknowledged)
      values (gen_random_uuid(), 'p', 'P', 'http://127.0.0.1:9', true) returning id
    ), model as (
      insert into models (id, slug, name, provider_id, input_price, output_price)
      select gen_random_uuid(), 'm', 'M', id, 0, 0 from provider returning id
    )
    insert into endpoints (id, name, model_id, active)
    select gen_random_uuid(), 'e' || to_char(n, 'FM0000'), model.id, true from model, generate_series(1, 51) n`;
  await sql.end();
  ({ browser, context, page, faults } = await openConsole(stack));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const open = (place: string) => visit(page, `${stack.console}/`, place);
const fragment = (of = page) => new URL(of.url()).hash;
const words = (of = page) => Object.fromEntries(new URLSearchParams(fragment(of).split('?')[1]));
const button = (name: string) => page.getByRole('button', { name, exact: true });
const search = (label: string) => page.getByLabel(label, { exact: true });
const shown = (label: string, of = page) =>
  of
    .getByRole('navigation', { name: `Pages of ${label}` })
    .getByRole('status')
    .textContent();
const rows = (label: string, of = page) => of.getByRole('table', { name: label }).locator('tbody tr');

describe('filters', () => {
  it('are in the address, and follow the back and the forward button', async () => {
    await open('audit');
    await search('Subject').fill('ada');
    await expect.poll(words).toEqual({ subject: 'ada' });
    await page.getByRole('combobox', { name: 'Outcome' }).click();
    await page.getByRole('option', { name: 'refused' }).click();
    await expect.poll(words).toEqual({ subject: 'ada', outcome: 'refused' });
    await search('From (UTC)').fill('2020-01-01T00:00');
    await expect.poll(words).toEqual({ subject: 'ada', outcome: 'refused', from: '2020-01-01T00:00:00Z' });
    const ofAda = async () =>
      new Set((await rows('Decisions').allTextContents()).map((row) => /ada.*refused/.test(row)));
    await expect.poll(ofAda).toEqual(new Set([true]));
    await page.goBack();
    await page.goBack();
    await expect.poll(words).toEqual({ subject: 'ada' });
    await expect.poll(() => page.getByRole('combobox', { name: 'Outcome' }).inputValue()).toBe('');
    await expect.poll(() => search('From (UTC)').inputValue()).toBe('');
    await page.goBack();
    await expect.poll(() => search('Subject').inputValue()).toBe('');
    await page.goForward();
    await expect.poll(() => search('Subject').inputValue()).toBe('ada');
    await page.goForward();
    await expect.poll(() => page.getByRole('combobox', { name: 'Outcome' }).inputValue()).toBe('refused');
    await expect.poll(ofAda).toEqual(new Set([true]));
  });
  it('are there again on a page that is loaded again, and in the window of a colleague', async () => {
    await open('audit/decisions?subject=ada&outcome=refused&until=2999-01-01T00:00:00Z');
    await page.reload();
    const colleague = await openPage(context, [new URL(stack.console).origin]);
    await colleague.page.goto(page.url());
    for (const window of [page, colleague.page]) {
      await expect.poll(() => window.getByLabel('Subject', { exact: true }).inputValue()).toBe('ada');
      await expect.poll(() => window.getByRole('combobox', { name: 'Outcome' }).inputValue()).toBe('refused');
      await expect.poll(() => window.getByLabel('Until (UTC)').inputValue()).toBe('2999-01-01T00:00');
      await expect.poll(() => rows('Decisions', window).count()).toBeGreaterThan(0);
      expect(
        new Set((await rows('Decisions', window).allTextContents()).map((row) => /ada.*refused/.test(row))),
      ).toEqual(new Set([true]));
    }
    await colleague.page.close();
  });
  it('are one step of the back button where a text is typed with pauses', async () => {
    await open('users');
    for (const typed of ['a', 'al', 'ala', 'alan']) {
      await search('Search users').fill(typed);
      await expect.poll(words).toEqual({ search: typed });
    }
    await expect.poll(() => rows('Users').count()).toBe(1);
    await page.goBack();
    await expect.poll(() => search('Search users').inputValue()).toBe('');
    await expect.poll(() => rows('Users').count()).toBeGreaterThan(1);
  });
  it('keep the typed text while an earlier one is searched for', async () => {
    await open('users');
    await search('Search users').fill('a');
    await expect.poll(words).toEqual({ search: 'a' });
    await search('Search users').pressSequentially('da l', { delay: 350 });
    expect(await search('Search users').inputValue()).toBe('ada l');
    await page.getByText('No user matches “ada l”.').waitFor();
  });
  it('take no key into the address, nor to the server', async () => {
    await open('audit');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const key = `gwk_${'0a'.repeat(24)}`;
    await search('Subject').fill(key);
    await page.getByText('Looks like a key: not searched for.').waitFor();
    expect(await violations(page)).toEqual([]);
    await search('Resource').fill('chat');
    await expect.poll(words).toEqual({ resource: 'chat' });
    await page.waitForLoadState('networkidle');
    expect(asked.filter((url) => url.includes('0a0a0a'))).toEqual([]);
    page.removeAllListeners('request');
  });
});

describe('an address with words that are none', () => {
  it.each([
    ['audit?outcome=maybe&from=yesterday&until=2026-02-30T00:00:00Z&colour=red', 'Decisions', 'Rows 1 to 50'],
    ['audit/nothing?subject=%00', 'Decisions', 'Rows 1 to 50'],
    [`audit?subject=gwk_${'0a'.repeat(24)}`, 'Decisions', 'Rows 1 to 50'],
    ['audit?page=2', 'Decisions', 'Rows 1 to 50'],
    ['audit?page=-1&at=x&rows=7', 'Decisions', 'Rows 1 to 50'],
    ['audit?page=2&at=nothing&rows=50', 'Decisions', 'Rows 1 to 50'],
    ['audit?page=2&at=WyJ4Il0', 'Decisions', 'Rows 1 to 50'],
    ['plans?page=1e3&at=%F0%9F%92%A3', 'Plans', 'Rows 1 to 50'],
  ])('shows what there is without them: %s', async (place, list, range) => {
    await open(place);
    await expect.poll(() => shown(list)).toBe(range);
    expect(await page.getByRole('alert').count()).toBe(0);
  });
  it('opens on the first tab where there is none of the name, and markup stays text', async () => {
    await open('nothing?search=x');
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Overview');
    await open('users?search=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E');
    await page.getByText('No user matches “<img src=x onerror=alert(1)>”.').waitFor();
    await search('Search users').fill('ada');
    await expect.poll(fragment).toBe('#users?search=ada');
  });
  it('shows a name that nothing has as chosen', async () => {
    await open('usage?endpoint=gone&period=day');
    await expect.poll(() => page.getByRole('combobox', { name: 'endpoint' }).inputValue()).toBe('gone');
    await expect.poll(() => page.getByRole('radio', { name: 'Last day' }).isChecked()).toBe(true);
    await page.getByRole('radiogroup', { name: 'Period' }).getByText('Last 30 days', { exact: true }).click();
    await expect.poll(words).toEqual({ endpoint: 'gone' });
    await page.goBack();
    await expect.poll(() => page.getByRole('radio', { name: 'Last day' }).isChecked()).toBe(true);
  });
});

describe('the page of a list', () => {
  it('is where one comes back to, and leads on and back from there', async () => {
    await open('audit');
    await expect.poll(() => shown('Decisions')).toBe('Rows 1 to 50');
    await button('Next page').click();
    await expect.poll(() => shown('Decisions')).toBe('Rows 51 to 100');
    await button('Next page').click();
    await expect.poll(() => shown('Decisions')).toBe('Rows 101 to 130');
    const last = await rows('Decisions').first().textContent();
    await page.reload();
    await expect.poll(() => shown('Decisions')).toBe('Rows 101 to 130');
    expect(await rows('Decisions').first().textContent()).toBe(last);
    await button('Previous page').click();
    await expect.poll(() => shown('Decisions')).toBe('Rows 51 to 100');
    await page.goBack();
    await expect.poll(() => shown('Decisions')).toBe('Rows 101 to 130');
    const colleague = await openPage(context, [new URL(stack.console).origin]);
    await colleague.page.goto(page.url());
    await expect.poll(() => shown('Decisions', colleague.page)).toBe('Rows 101 to 130');
    expect(await rows('Decisions', colleague.page).first().textContent()).toBe(last);
    // The address names no other page, but the back button still goes through every one of them.
    const back = (of: Page) => of.getByRole('button', { name: 'Previous page' });
    await back(colleague.page).click();
    await expect.poll(() => shown('Decisions', colleague.page)).toBe('Rows 51 to 100');
    await back(colleague.page).click();
    await expect.poll(() => shown('Decisions', colleague.page)).toBe('Rows 1 to 50');
    await expect.poll(() => words(colleague.page)).toEqual({});
    await expect.poll(() => back(colleague.page).isDisabled()).toBe(true);
    await colleague.page.close();
    expect(await violations(page)).toEqual([]);
  });
  it('goes back through rows added before it since, and shows that their number is unknown', async () => {
    await open('audit');
    await button('Next page').click();
    await expect.poll(() => shown('Decisions')).toBe('Rows 51 to 100');
    const number = async () => Number(await rows('Decisions').first().getByRole('cell').first().textContent());
    const first = await number();
    await appendDecisions(stack, 60);
    await button('Previous page').click();
    await expect.poll(() => shown('Decisions')).toBe('50 rows, with others before them');
    expect(await number()).toBe(first + 50);
    await page.reload();
    await expect.poll(() => shown('Decisions')).toBe('50 rows, with others before them');
    await button('Next page').click();
    await expect.poll(number).toBe(first);
    for (let page = 0; page < 3; page += 1) {
      await expect.poll(() => button('Previous page').isEnabled()).toBe(true);
      await button('Previous page').click();
    }
    await expect.poll(() => shown('Decisions')).toBe('Rows 1 to 50');
  });
  it('is the first one again for another query', async () => {
    await open('audit');
    await button('Next page').click();
    await expect.poll(() => shown('Decisions')).toBe('Rows 51 to 100');
    await page.getByRole('combobox', { name: 'Outcome' }).click();
    await page.getByRole('option', { name: 'granted' }).click();
    await expect.poll(() => shown('Decisions')).toBe('Rows 1 to 50');
    await expect.poll(words).toEqual({ outcome: 'granted' });
    await button('Next page').click();
    await page.getByRole('combobox', { name: 'Rows per page of Decisions' }).click();
    await page.getByRole('option', { name: '100 per page' }).click();
    await expect.poll(words).toEqual({ outcome: 'granted', rows: '100' });
    await expect.poll(() => shown('Decisions')).toBe('Rows 1 to 100');
  });
  it('that lost its last row shows this, and links back', async () => {
    await open('plans');
    await button('Next page').click();
    await expect.poll(() => shown('Plans')).toBe('Rows 51 to 51');
    await page.getByRole('button', { name: /^Delete: Delete plan/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Nothing is left on this page of the list.').waitFor();
    expect(await page.getByText('No plan yet').count()).toBe(0);
    expect([...(await violations(page)), ...(await widerThanScreen(page))]).toEqual([]);
    await button('To the previous page').click();
    await expect.poll(() => rows('Plans').count()).toBe(50);
  });
  it('that lost its last endpoint does not send back to the first steps', async () => {
    await open('endpoints');
    await page
      .getByRole('navigation', { name: 'Pages of Endpoints' })
      .getByRole('button', { name: 'Next page' })
      .click();
    await expect.poll(() => shown('Endpoints')).toBe('Rows 51 to 51');
    await page.getByRole('button', { name: /^Delete: Delete endpoint/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Nothing is left on this page of the list.').waitFor();
    expect(await page.getByLabel('First steps').count()).toBe(0);
    await button('To the previous page').click();
    await expect.poll(() => rows('Endpoints').count()).toBe(50);
  });
});

it('is called after its tab, in the window and in the history', async () => {
  await open('audit');
  await expect.poll(() => page.title()).toBe('Audit · Gateway console');
  await page.getByRole('tab', { name: 'Plans' }).click();
  await expect.poll(() => page.title()).toBe('Plans · Gateway console');
  expect(fragment()).toBe('#plans');
});

it('is reloaded when the browser restores it from its cache: its reader may have lost the right to it since', async () => {
  await open('plans');
  const loaded = page.waitForEvent('load');
  await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
  await loaded;
  await expect.poll(() => rows('Plans').count()).toBeGreaterThan(0);
});

it('asked nobody but the console and met no error', () => {
  expect(faults).toEqual([]);
});
