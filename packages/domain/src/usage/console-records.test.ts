import { connect, parseDatabaseAddress } from '@gateway/database';
import { createTestDatabase, type Declare, declaring, type TestDatabase } from '@gateway/database/testing';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MODELS } from '../endpoint/console.ts';
import { addUpUsage } from './console.ts';
import { listUsage, readUsageNames, type UsageFilter } from './console-records.ts';

let database: TestDatabase;
let declare: Declare;
beforeAll(async () => {
  database = await createTestDatabase();
  declare = declaring(database.sql);
});
afterAll(() => database.drop());
beforeEach(
  () => database.sql`
  truncate request_logs, usage_totals, usage_unsummed, usage_sums, closed_month_prices, deleted_model_prices, providers cascade`,
);

const NONE: UsageFilter = {
  subject: null,
  endpoint: null,
  model: null,
  provider: null,
  project: null,
  from: null,
  until: null,
};
const list = async (filter: Partial<UsageFilter> = {}) => [
  ...(await listUsage(database.sql, { ...NONE, ...filter }, { limit: null, after: null })),
];
interface Used {
  readonly model: string;
  readonly at?: string;
  readonly subject?: string;
  readonly endpoint?: string;
  readonly slug?: string;
  readonly tokens?: readonly [input: number, cached: number, written: number, output: number];
}
const use = ({
  model,
  at = 'now()',
  subject = 'ada',
  endpoint = 'chat',
  slug = 'small',
  tokens = [100, 0, 0, 10],
}: Used) =>
  database.sql.unsafe(
    `insert into request_logs (id, timestamp, subject, endpoint, model, model_id, input_tokens, cached_input_tokens, cache_write_tokens,
      output_tokens, latency_ms, usage_source, interrupted)
    values ($1, ${at}, $2, $3, $4, $5, $6, $7, $8, $9, 1, 'reported', false)`,
    [uuid(), subject, endpoint, slug, model, ...tokens],
  );
const reprice = async (id: string, prices: Partial<{ inputPrice: number; cachedInputPrice: number }>) => {
  const before = await MODELS.lock(database.sql, id);
  if (before) await MODELS.update(database.sql, { ...before, ...prices });
};

// console-22, console-24
describe('the cost of a record', () => {
  it('has each part of the input at its own price', async () => {
    const model = await declare.model(await declare.provider('engine'), 'small', { input: 2, output: 10 });
    await use({ model, tokens: [100, 30, 20, 1] });
    expect(await list()).toMatchObject([{ cost: 210, inputPrice: 2, cachedInputPrice: 2, cacheWritePrice: 2 }]);
    await reprice(model, { cachedInputPrice: 0.5 });
    // 50 of 2, 30 of 0.5, 20 of 2, and 1 of 10.
    expect(await list()).toMatchObject([{ cost: 165, cachedInputPrice: 0.5, pricedAs: 'current' }]);
  });

  it('of a closed month stays what it was at its end, whatever prices come later', async () => {
    const model = await declare.model(await declare.provider('engine'), 'small', { input: 1, output: 0 });
    await use({ model, at: "now() - interval '40 days'" });
    await reprice(model, { inputPrice: 3 });
    await reprice(model, { inputPrice: 5 });
    await use({ model });
    expect((await list()).map(({ cost, pricedAs }) => [cost, pricedAs])).toEqual([
      [500, 'current'],
      [100, 'month-end'],
    ]);
  });

  it('of a deleted model stays known, with its provider', async () => {
    const model = await declare.model(await declare.provider('engine'), 'small', { input: 1, output: 1 });
    await use({ model });
    await MODELS.remove(database.sql, model);
    await database.sql`delete from providers`;
    expect(await list()).toMatchObject([{ cost: 110, provider: 'engine' }]);
    expect(await list({ provider: 'engine' })).toHaveLength(1);
  });

  it('of a model whose prices nobody knows is nothing, and says so', async () => {
    await use({ model: uuid() });
    expect(await list()).toMatchObject([{ cost: 0, inputPrice: null, provider: null }]);
  });

  it('belongs to the month of UTC, whatever the time zone of the session', async () => {
    const model = await declare.model(await declare.provider('engine'), 'small', { input: 1, output: 0 });
    // The last second of last month, which is in this month in Tokyo.
    const at = "(date_trunc('month', now() at time zone 'UTC') - interval '1 second') at time zone 'UTC'";
    await use({ model, at });
    await reprice(model, { inputPrice: 7 });
    const elsewhere = connect(parseDatabaseAddress(database.ownerUrl), {
      max: 1,
      settings: { TimeZone: 'Asia/Tokyo' },
    });
    const there = await listUsage(elsewhere, NONE, { limit: null, after: null });
    await elsewhere.end();
    expect(there).toMatchObject([{ cost: 100, pricedAs: 'month-end' }]);
    expect([...there]).toEqual(await list());
  });
});

describe('records', () => {
  it('are chosen by any of their names, by project and by period', async () => {
    const [one, two] = [await declare.provider('one'), await declare.provider('two')];
    const [first, second] = [await declare.model(one, 'small'), await declare.model(two, 'small')];
    await use({ model: first, subject: 'ada', endpoint: 'chat', at: "'2026-01-01T00:00:00Z'" });
    await use({ model: second, subject: 'bob', endpoint: 'code', at: "'2026-01-02T00:00:00Z'" });
    await database.sql`
      insert into project_members (project, subject, added_by) values ('apollo', 'bob', 'x') on conflict do nothing`;
    const subjects = async (filter: Partial<UsageFilter>) => (await list(filter)).map(({ subject }) => subject);
    expect(await subjects({})).toEqual(['bob', 'ada']);
    expect(await subjects({ model: 'small' })).toEqual(['bob', 'ada']);
    expect(await subjects({ provider: 'one' })).toEqual(['ada']);
    expect(await subjects({ endpoint: 'code' })).toEqual(['bob']);
    expect(await subjects({ project: 'apollo' })).toEqual(['bob']);
    expect(await subjects({ subject: 'ada', project: 'apollo' })).toEqual([]);
    expect(await subjects({ from: '2026-01-02T00:00:00.000Z' })).toEqual(['bob']);
    expect(await subjects({ until: '2026-01-02T00:00:00.000Z' })).toEqual(['ada']);
  });
});

describe('the names in use', () => {
  it('are none where nothing was used', async () => {
    expect(await readUsageNames(database.sql)).toEqual({ subjects: [], endpoints: [], models: [] });
  });

  it('are each listed once, in order, models with their provider, summed or not', async () => {
    const [one, two] = [await declare.provider('one'), await declare.provider('two')];
    const [first, second] = [await declare.model(one, 'small'), await declare.model(two, 'small')];
    for (const subject of ['zoe', 'ada', 'ada']) await use({ model: first, subject });
    await addUpUsage(database.sql);
    await use({ model: second, subject: 'bob', endpoint: 'code' });
    await use({ model: uuid(), slug: 'gone' });
    expect(await readUsageNames(database.sql)).toEqual({
      subjects: ['ada', 'bob', 'zoe'],
      endpoints: ['chat', 'code'],
      models: [
        { slug: 'gone', provider: null },
        { slug: 'small', provider: 'one' },
        { slug: 'small', provider: 'two' },
      ],
    });
  });

  it('are the first thousand where there are more', async () => {
    const model = await declare.model(await declare.provider('engine'), 'small');
    await database.sql`
      insert into request_logs
      select gen_random_uuid(), now(), 'user-' || to_char(n, 'FM0000'), 'chat', 'small', ${model}::text::uuid, 1, 1, 1, 'reported', false
      from generate_series(1, 1200) n`;
    const { subjects } = await readUsageNames(database.sql);
    expect(subjects).toHaveLength(1000);
    expect([subjects[0], subjects.at(-1)]).toEqual(['user-0001', 'user-1000']);
  });
});
