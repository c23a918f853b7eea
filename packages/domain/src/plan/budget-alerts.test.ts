import {
  type Administering,
  administering,
  allAtOnce,
  createTestDatabase,
  type Declare,
  declaring,
  type TestDatabase,
} from '@gateway/database/testing';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDueBudgetAlerts } from './acts.ts';
import { listBudgetAlerts } from './console-spending.ts';

let database: TestDatabase;
let administer: Administering;
let declare: Declare;
let model: string;
let month: string;
beforeAll(async () => {
  database = await createTestDatabase();
  administer = administering(database.sql);
  declare = declaring(database.sql);
  // One euro a token, so that tokens and euros are the same number.
  model = await declare.model(await declare.provider('engine'), 'small', { input: 1, output: 1 });
  const [row] = await database.sql<{ month: string }[]>`
    select date_trunc('month', now() at time zone 'UTC')::date::text as month`;
  month = row?.month ?? '';
});
afterAll(() => database.drop());
beforeEach(() => database.sql`truncate budget_alerts, usage_totals, accounts cascade`);

const plan = async (slug: string, cap: number | null, thresholds: string) => {
  const id = await declare.plan(slug, cap);
  await database.sql`update plans set alert_thresholds = ${thresholds}::text::smallint[] where id = ${id}`;
  return id;
};
const spend = (subject: string, tokens: number) => database.sql`
  insert into request_logs
  values (${uuid()}, now(), ${subject}, 'chat', 'small', ${model}, ${tokens}, 0, 1, 'reported', false)`;
const add = (limit = 100) => administer((act) => addDueBudgetAlerts(act, limit));
const alerts = async (subject: string) =>
  (await listBudgetAlerts(database.sql, { subject, search: null }, { limit: null, after: null }))
    .map(({ threshold, spent }) => [threshold, spent] as const)
    .toSorted(([one], [other]) => one - other);

// console-25
describe('a budget alert', () => {
  it('is added once for each threshold that was reached, with what was spent by then', async () => {
    await declare.account('ada', { plan: await plan('steps', 100, '{50,80,100}') });
    await spend('ada', 49);
    expect((await add()).result).toBe(0);
    await spend('ada', 1);
    const { result, entries } = await add();
    expect(result).toBe(1);
    expect(entries).toMatchObject([
      {
        action: 'budget.alert',
        target: 'subject:ada',
        before: null,
        after: { month, threshold: 50, plan: 'steps', cap: 100, spent: 50 },
      },
    ]);
    expect(await add()).toEqual({ result: 0, entries: [] });
    await spend('ada', 70);
    expect((await add()).result).toBe(2);
    expect(await alerts('ada')).toEqual([
      [50, 50],
      [80, 120],
      [100, 120],
    ]);
  });

  it('is added at most so many at a time, and the rest the next time', async () => {
    const shared = await plan('shared', 10, '{100}');
    for (const name of ['a', 'b', 'c']) {
      await declare.account(name, { plan: shared });
      await spend(name, 10);
    }
    expect([(await add(2)).result, (await add(2)).result, (await add(2)).result]).toEqual([2, 1, 0]);
  });

  it('is not due without a plan, without a cap, with a cap of nothing, or without thresholds', async () => {
    await declare.account('no-plan');
    await declare.account('no-cap', { plan: await plan('no-cap', null, '{50}') });
    await declare.account('zero', { plan: await plan('zero', 0, '{50}') });
    await declare.account('quiet', { plan: await plan('quiet', 10, '{}') });
    for (const name of ['no-plan', 'no-cap', 'zero', 'quiet', 'no-account']) await spend(name, 1000);
    expect(await add()).toEqual({ result: 0, entries: [] });
  });

  it('of a cap with a fraction is due to the exact cent', async () => {
    const precise = await plan('precise', 0.3, '{100}');
    await declare.account('exact', { plan: precise });
    const cent = await declare.model(await declare.provider('cents'), 'cent', { input: 0.1, output: 0 });
    const use = (tokens: number) => database.sql`
      insert into request_logs values (${uuid()}, now(), 'exact', 'chat', 'cent', ${cent}, ${tokens}, 0, 1, 'reported', false)`;
    await use(2);
    expect((await add()).result).toBe(0);
    await use(1);
    expect((await add()).result).toBe(1);
    expect(await alerts('exact')).toEqual([[100, 0.3]]);
  });

  it('is listed with the name of its plan, until the plan is deleted', async () => {
    await declare.account('named', { plan: await plan('named', 10, '{50}') });
    await database.sql`update plans set name = 'Named plan' where slug = 'named'`;
    await spend('named', 5);
    await add();
    const listed = async () => {
      const filter = { subject: 'named', search: null };
      const [alert] = await listBudgetAlerts(database.sql, filter, { limit: null, after: null });
      return [alert?.plan, alert?.planName];
    };
    expect(await listed()).toEqual(['named', 'Named plan']);
    await database.sql`update accounts set plan_id = null where username = 'named'`;
    await database.sql`delete from plans where slug = 'named'`;
    expect(await listed()).toEqual(['named', null]);
  });

  it('is added once where two consoles look at the same moment', async () => {
    await declare.account('twin', { plan: await plan('twin', 10, '{50,100}') });
    await spend('twin', 10);
    const lock = 'lock table budget_alerts in share mode';
    const outcomes = await allAtOnce(
      database.sql,
      lock,
      () => add(),
      () => add(),
    );
    const counts = outcomes.map((one) => (one.status === 'fulfilled' ? one.value.result : -1));
    expect(counts.toSorted((one, other) => one - other)).toEqual([0, 2]);
    expect(await alerts('twin')).toHaveLength(2);
  });

  it('of a month that ended long ago is never due', async () => {
    await declare.account('past', { plan: await plan('past', 10, '{50}') });
    await database.sql`
      insert into usage_totals (subject, month, model_id, input_tokens, output_tokens)
      values ('past', (${month}::text::date - interval '2 months')::date, ${model}, 1000, 0)`;
    expect((await add()).result).toBe(0);
  });
});
