import type { Page } from '@gateway/database/client/pages';
import { createTestDatabase, type Declare, declaring, type TestDatabase } from '@gateway/database/testing';
import * as fc from 'fast-check';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listSpendingCaps, type SpendingCap } from './console-spending.ts';

let database: TestDatabase;
let declare: Declare;
let model: string;
let month: string;
beforeAll(async () => {
  database = await createTestDatabase();
  declare = declaring(database.sql);
  // One euro a token, so that tokens and euros are the same number.
  model = await declare.model(await declare.provider('engine'), 'small', { input: 1, output: 1 });
  const [row] = await database.sql<{ month: string }[]>`
    select date_trunc('month', now() at time zone 'UTC')::date::text as month`;
  month = row?.month ?? '';
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.sql`truncate accounts, usage_totals, budget_alerts cascade`;
  await database.sql`delete from plans`;
});

const spend = (subject: string, tokens: number, back = 0) => database.sql`
  insert into usage_totals (subject, month, model_id, input_tokens, output_tokens)
  values (${subject}, (${month}::text::date - make_interval(months => ${back}))::date, ${model}, ${tokens}, 0)`;
type Key = readonly [rank: number, username: string];
const WHOLE: Page<Key> = { limit: null, after: null };
const list = async (
  filter: { search?: string; plan?: string } = {},
  page: Page<Key> = WHOLE,
): Promise<readonly SpendingCap[]> =>
  listSpendingCaps(database.sql, { search: filter.search ?? null, plan: filter.plan ?? null }, page);

// console-22
describe('the share of a cap', () => {
  it('is what was spent in this month, of the cap: none without a cap, all of a cap of nothing', async () => {
    await declare.account('half', { plan: await declare.plan('ten', 10) });
    await declare.account('over', { plan: await declare.plan('four', 4) });
    await declare.account('free', { plan: await declare.plan('no-cap', null) });
    await declare.account('zero', { plan: await declare.plan('nothing', 0) });
    await declare.account('no-plan');
    for (const name of ['half', 'over', 'free', 'no-plan']) await spend(name, 5);
    await spend('half', 1000, 1);
    const shown = (await list()).map(({ username, monthlyCap, spent, share }) => [username, monthlyCap, spent, share]);
    expect(shown).toEqual([
      ['over', 4, 5, 1.25],
      ['zero', 0, 0, 1],
      ['half', 10, 5, 0.5],
      ['free', null, 5, null],
      ['no-plan', null, 5, null],
    ]);
  });

  it('names the plan, and the highest threshold that was alerted in this month', async () => {
    const plan = await declare.plan('ten', 10);
    await declare.account('ada', { plan });
    for (const [threshold, back] of [
      [50, 0],
      [80, 0],
      [100, 1],
    ] as const) {
      await database.sql`
        insert into budget_alerts (subject, month, threshold, plan, cap, spent)
        values ('ada', (${month}::text::date - make_interval(months => ${back}))::date, ${threshold}, 'ten', 10, 8)`;
    }
    expect(await list()).toMatchObject([{ alerted: 80, plan: { id: plan, slug: 'ten', name: 'ten' } }]);
  });

  it('is of the accounts that are searched, or of one plan', async () => {
    const plan = await declare.plan('ten', 10);
    await declare.account('Anna', { plan });
    await declare.account('hannah');
    await declare.account('bob', { plan });
    const names = async (filter: { search?: string; plan?: string }) =>
      (await list(filter)).map(({ username }) => username).toSorted();
    expect(await names({ search: 'ANN' })).toEqual(['Anna', 'hannah']);
    expect(await names({ plan })).toEqual(['Anna', 'bob']);
    expect(await names({ search: 'ann', plan })).toEqual(['Anna']);
    expect(await names({ search: '%' })).toEqual([]);
  });
});

it('the list has every account once, the highest share first, for pages of any size, forwards and back', async () => {
  const plans = [await declare.plan('a', 10), await declare.plan('b', 3), await declare.plan('c', null)];
  // Many have the same share, so that the names part them.
  for (let n = 0; n < 20; n += 1) {
    const plan = plans[n % 4];
    await declare.account(`user-${String(n).padStart(2, '0')}`, { ...(plan !== undefined && { plan }) });
    if (n % 3 === 0) await spend(`user-${String(n).padStart(2, '0')}`, n % 2 === 0 ? 1 : 2);
  }
  await declare.account(uuid());
  const whole = (await list()).map(({ username }) => username);
  const ranks = (await list()).map(({ rank }) => rank);
  expect(ranks).toEqual(ranks.toSorted((one, other) => other - one));
  const walk = async (limit: number, page: Partial<Page<Key>>) => {
    const seen: string[] = [];
    for (let after: Key | null = null; ; ) {
      const rows = await list({}, { limit, after, ...page });
      seen.push(...rows.slice(0, limit).map(({ username }) => username));
      const last = rows[limit - 1];
      if (rows.length <= limit || last === undefined) return seen;
      after = [last.rank, last.username];
    }
  };
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 22 }),
      fc.boolean(),
      fc.boolean(),
      async (limit, backwards, reversed) => {
        const isTurned = backwards !== reversed;
        expect(await walk(limit, { backwards, reversed })).toEqual(isTurned ? whole.toReversed() : whole);
      },
    ),
    { numRuns: 12 },
  );
});
