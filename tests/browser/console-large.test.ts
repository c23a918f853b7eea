import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostedStack, startHostedStack } from '../support/hosted-stack.ts';
import { openConsole, violations, visit } from './browser.ts';
import { appendDecisions, ownerOf } from './furnished.ts';
import { keepPicture, keepScreenshot } from './screenshots.ts';

const ROWS = 100_000;
const CHAINED = 6000;

let stack: HostedStack;
let browser: Browser;
let page: Page;
let faults: string[];
beforeAll(async () => {
  stack = await startHostedStack();
  await appendDecisions(stack, CHAINED);
  const sql = ownerOf(stack);
  await sql`
    insert into agent_acts (id, session, subject, at, tool, target_kind, target_value, authorized_by, outcome)
    select gen_random_uuid(), 's-' || n % 500, 'user-' || n % 97, timestamptz '2026-01-01' + n * interval '1 second', 'read_file',
      'path', '/act/' || n, 'policy', 'succeeded' from generate_series(1, ${ROWS}) n`;
  await sql.end();
  ({ browser, page, faults } = await openConsole(stack));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const part = (name: string) =>
  page.getByRole('radiogroup', { name: 'What to read' }).getByText(name, { exact: true }).click();

describe('a table of 100,000 rows', () => {
  it('contains one page of them at a time, and is read to its end and back', async () => {
    await visit(page, `${stack.console}/`, 'audit');
    await part('Agent acts');
    const rows = page.getByRole('table', { name: 'Agent acts' }).locator('tbody tr');
    const shown = page.getByRole('navigation', { name: 'Pages of Agent acts' }).getByRole('status');
    await expect.poll(() => shown.textContent()).toBe('Rows 1 to 50');
    expect(await rows.count()).toBe(50);
    expect(await button('Previous page').isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'Rows per page of Agent acts' }).click();
    await page.getByRole('option', { name: '500 per page' }).click();
    await expect.poll(() => shown.textContent()).toBe('Rows 1 to 500');
    expect(await violations(page)).toEqual([]);
    const seen = [await rows.first().textContent()];
    const next = async (range: string) => {
      await button('Next page').click();
      await expect.poll(() => shown.textContent(), { interval: 20 }).toBe(range);
      seen.push(await rows.first().textContent());
    };
    for (const range of ['501 to 1,000', '1,001 to 1,500', '1,501 to 2,000']) await next(`Rows ${range}`);
    expect(await rows.count()).toBe(500);
    await button('Previous page').click();
    await expect.poll(() => shown.textContent()).toBe('Rows 1,001 to 1,500');
    expect(await rows.first().textContent()).toBe(seen[2]);
    // The oldest 1,140 of them, to the end.
    await page.getByLabel('Until (UTC)').fill('2026-01-01T00:19');
    await expect.poll(() => shown.textContent()).toBe('Rows 1 to 500');
    await next('Rows 501 to 1,000');
    await next('Rows 1,001 to 1,139');
    expect(await rows.count()).toBe(139);
    expect(await rows.last().textContent()).toContain('/act/1');
    expect(await button('Next page').isDisabled()).toBe(true);
    expect(new Set(seen).size).toBe(seen.length);
    await page.getByLabel('Until (UTC)').fill('');
    // Another question begins at its own first page.
    await page.getByLabel('Session', { exact: true }).fill('s-7');
    await expect.poll(() => rows.count()).toBe(200);
  });
});

describe('the verification of a chain', () => {
  const verify = async () => {
    await visit(page, `${stack.console}/`, 'audit');
    await part('Verification');
    await button('Verify').click();
  };
  it('shows how far it is, then that the chain is whole', async () => {
    await visit(page, `${stack.console}/`, 'audit');
    await part('Verification');
    // Progress is shown only until the next thousand entries are read. A slow browser gets several lines at once and shows only
    // the last: here each line is passed on once the one before it has been drawn.
    await page.evaluate(`
      globalThis.progress = [];
      new MutationObserver(() => {
        const bar = document.querySelector('[role=progressbar][aria-label="Entries verified"]');
        if (bar !== null) progress.push(document.querySelector('[role=status] p')?.textContent);
      }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
      const drawn = () => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)));
      const ask = globalThis.fetch;
      globalThis.fetch = async (...asked) => {
        const { body, status } = await ask(...asked);
        const lines = body.pipeThrough(new TextDecoderStream()).pipeThrough(new TransformStream({
          rest: '',
          async transform(part, out) {
            const whole = (this.rest + part).split('\\n');
            this.rest = whole.pop();
            for (const line of whole) {
              out.enqueue(line + '\\n');
              await drawn();
            }
          },
        }, undefined, { highWaterMark: 0 }));
        return new Response(lines.pipeThrough(new TextEncoderStream()), { status });
      };`);
    await button('Verify').click();
    await page.getByText('The chain is intact').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByText(`${CHAINED.toLocaleString('en-GB')} entries: no gap`).waitFor();
    expect(await page.evaluate('progress')).toContainEqual(expect.stringMatching(/^[\d,]+ of 6,000 entries$/));
    await keepScreenshot(page, 'console-verification-whole', 'look');
  });
  it('names the exact entry at which a chain breaks', async () => {
    const sql = ownerOf(stack);
    await sql`update authorization_decisions set outcome = 'granted' where sequence = 4242`;
    await sql`update authorization_decisions set subject = 'nobody' where sequence = 4242`;
    await sql.end();
    await verify();
    await page.getByText('The chain breaks at entry 4242').waitFor();
    expect(await violations(page)).toEqual([]);
    await keepPicture(page, 'console-verification-broken');
    await button('Show entry 4242').click();
    await page.getByRole('dialog').getByText('nobody', { exact: true }).waitFor();
  });
});

it('asked nobody but the console and met no error', () => {
  expect(faults).toEqual([]);
});
