import { randomUUID } from 'node:crypto';
import { connect, parseDatabaseAddress } from '@gateway/database';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addUpUsage } from './console.ts';
import { summarizeUsage, type UsageFilter, type UsageSums } from './console-records.ts';

interface Used {
  readonly at: number;
  readonly subject: string;
  readonly endpoint: string;
  readonly model: string;
  readonly input: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
  readonly latency: number;
  readonly source: 'reported' | 'estimated' | 'none';
  readonly interrupted: boolean;
}

const DAYS = { from: Date.UTC(2025, 10, 20), until: Date.UTC(2026, 1, 10) };
const NOTHING: UsageFilter = {
  subject: null,
  endpoint: null,
  model: null,
  provider: null,
  project: null,
  from: null,
  until: null,
};
const instant = fc.oneof(
  fc.integer({ min: DAYS.from, max: DAYS.until }),
  // At the border of days and months.
  fc
    .tuple(fc.integer({ min: 0, max: 82 }), fc.integer({ min: -1, max: 1 }))
    .map(([day, beside]) => DAYS.from + day * 86_400_000 + beside),
);
const record: fc.Arbitrary<Used> = fc.record({
  at: instant,
  subject: fc.constantFrom('ada', 'grace', 'alan'),
  endpoint: fc.constantFrom('chat', 'code'),
  model: fc.constantFrom('small', 'large'),
  input: fc.integer({ min: 2000, max: 5000 }),
  cached: fc.nat({ max: 1000 }),
  written: fc.nat({ max: 1000 }),
  output: fc.nat({ max: 5000 }),
  latency: fc.nat({ max: 90_000 }),
  source: fc.constantFrom('reported', 'estimated', 'none'),
  interrupted: fc.boolean(),
});
const MODELS = { small: randomUUID(), large: randomUUID() };

let database: TestDatabase;
let used: Used[];
beforeAll(async () => {
  database = await createTestDatabase();
  const { sql } = database;
  const provider = randomUUID();
  await sql`insert into providers (id, slug, name, base_url) values (${provider}, 'p', 'p', 'https://e.example')`;
  await sql`
    insert into models (id, slug, name, provider_id, input_price, output_price, cached_input_price, cache_write_price)
    values (${MODELS.small}, 'small', 's', ${provider}, 0.5, 0.25, 0, 0.75), (${MODELS.large}, 'large', 'l', ${provider}, 1, 2, null, null)`;
  // The large model became dearer in December 2025: November keeps what it ended with.
  await sql`
    insert into closed_month_prices (model_id, until, per_input_token, per_output_token, per_cached_token, per_write_token)
    values (${MODELS.large}, '2025-12-01', 1, 2, 1, 1)`;
  await sql`alter table models disable trigger keep_prices_of_closed_months`;
  await sql`update models set input_price = 2, output_price = 4 where id = ${MODELS.large}`;
  await sql`insert into project_members (project, subject, added_by) values ('science', 'ada', 'test')`;
  used = fc.sample(record, { numRuns: 400, seed: 42 });
  for (const one of used) {
    const row = {
      id: randomUUID(),
      timestamp: new Date(one.at),
      subject: one.subject,
      endpoint: one.endpoint,
      model: one.model,
      model_id: MODELS[one.model as keyof typeof MODELS],
      input_tokens: one.input,
      cached_input_tokens: one.cached,
      cache_write_tokens: one.written,
      output_tokens: one.output,
      latency_ms: one.latency,
      usage_source: one.source,
      interrupted: one.interrupted,
    };
    await sql`insert into request_logs ${sql(row)}`;
    // Some days are added up, some in part, some not at all.
    if (used.indexOf(one) === 250) await sql`select add_up_usage(200)`;
  }
});
afterAll(() => database.drop());

const about = (value: number): number => expect.closeTo(value, 6);

/** The same, counted here record by record. */
function counted(records: readonly Used[]): UsageSums {
  const sum = (value: (one: Used) => number) => records.reduce((total, one) => total + value(one), 0);
  const price = ({ at, model, input, cached, written, output }: Used) => {
    if (model === 'small') return (input - cached - written) * 0.5 + written * 0.75 + output * 0.25;
    return (input * 2 + output * 4) / (at < Date.UTC(2025, 11, 1) ? 2 : 1);
  };
  return {
    requests: records.length,
    interrupted: sum(({ interrupted }) => Number(interrupted)),
    estimated: sum(({ source }) => Number(source === 'estimated')),
    inputTokens: sum(({ input }) => input),
    cachedInputTokens: sum(({ cached }) => cached),
    cacheWriteTokens: sum(({ written }) => written),
    outputTokens: sum(({ output }) => output),
    cost: sum(price),
    latencyMs: records.length === 0 ? null : about(sum(({ latency }) => latency) / records.length),
  };
}
function parts(records: readonly Used[], name: (one: Used) => string) {
  return Object.fromEntries(
    [...Map.groupBy(records, name)].map(([key, group]) => [key, { name: key, ...counted(group) }]),
  );
}
const byName = (found: readonly { readonly name: string }[]) =>
  Object.fromEntries(found.map((part) => [part.name, part]));
const CUT = { hour: 13, day: 10, month: 7 } as const;
const REST = { hour: ':00:00.000Z', day: 'T00:00:00.000Z', month: '-01T00:00:00.000Z' };

describe('the sums of usage', () => {
  it('are what counting the records gives, for every filter and period', async () => {
    const filter = fc.record({
      subject: fc.option(fc.constantFrom('ada', 'grace', 'nobody')),
      endpoint: fc.option(fc.constantFrom('chat', 'code')),
      model: fc.option(fc.constantFrom('small', 'large')),
      project: fc.option(fc.constant('science')),
      from: fc.option(instant),
      until: fc.option(instant),
    });
    await fc.assert(
      fc.asyncProperty(filter, fc.constantFrom('day', 'month' as const), async (chosen, stretch) => {
        const [from, until] = [chosen.from, chosen.until].map((at) =>
          at === null ? null : new Date(at).toISOString(),
        );
        const found = await summarizeUsage(
          database.sql,
          { ...NOTHING, ...chosen, from: from ?? null, until: until ?? null },
          stretch,
        );
        const records = used.filter(
          (one) =>
            (chosen.subject === null || one.subject === chosen.subject) &&
            (chosen.endpoint === null || one.endpoint === chosen.endpoint) &&
            (chosen.model === null || one.model === chosen.model) &&
            (chosen.project === null || one.subject === 'ada') &&
            (chosen.from === null || one.at >= chosen.from) &&
            (chosen.until === null || one.at < chosen.until),
        );
        expect(found.totals).toEqual(counted(records));
        expect(byName(found.subjects)).toEqual(parts(records, ({ subject }) => subject));
        expect(byName(found.endpoints)).toEqual(parts(records, ({ endpoint }) => endpoint));
        const models = parts(records, ({ model }) => model);
        expect(byName(found.models)).toEqual(
          Object.fromEntries(Object.entries(models).map(([slug, part]) => [slug, { ...part, provider: 'p' }])),
        );
        expect(found.counts).toEqual({
          endpoints: found.endpoints.length,
          models: found.models.length,
          subjects: found.subjects.length,
        });
        const newest = Math.min(chosen.until ?? Number.POSITIVE_INFINITY, Date.now());
        const shown = stretch === 'month' ? records : records.filter(({ at }) => at >= newest - 62 * 86_400_000);
        const step = ({ at }: Used) => new Date(at).toISOString().slice(0, CUT[stretch]) + REST[stretch];
        expect(byName(found.series)).toEqual(parts(shown, step));
        expect(found.series.map(({ name }) => name)).toEqual(found.series.map(({ name }) => name).toSorted());
      }),
      { verbose: true, numRuns: 60 },
    );
  });

  it('are by hour for at most three days, while the totals cover the whole period', async () => {
    const until = Date.UTC(2025, 11, 24);
    const bounds = { from: new Date(DAYS.from).toISOString(), until: new Date(until).toISOString() };
    const found = await summarizeUsage(database.sql, { ...NOTHING, ...bounds }, 'hour');
    const records = used.filter(({ at }) => at >= DAYS.from && at < until);
    const step = ({ at }: Used) => new Date(at).toISOString().slice(0, CUT.hour) + REST.hour;
    expect(found.totals.requests).toBe(records.length);
    expect(byName(found.series)).toEqual(
      parts(
        records.filter(({ at }) => at >= until - 3 * 86_400_000),
        step,
      ),
    );
  });

  it('of what is whole read no record', async () => {
    const done = new Error('rolled back');
    const whole = database.sql.begin(async (sql) => {
      // A reader with access only to the stored sums gets an answer: nothing else was read for it.
      await sql`create role reader_of_sums`;
      await sql`grant usage on schema public to reader_of_sums`;
      await sql`grant select on usage_sums, usage_unsummed, price_periods, model_providers to reader_of_sums`;
      await sql`set local role reader_of_sums`;
      await summarizeUsage(sql, { ...NOTHING, from: '2025-12-01T00:00:00.000Z' }, 'month');
      await summarizeUsage(
        sql,
        { ...NOTHING, from: '2025-12-05T00:00:00.000Z', until: '2026-01-07T00:00:00.000Z' },
        'day',
      );
      throw done;
    });
    await expect(whole).rejects.toBe(done);
  });
});

describe('the stored sums', () => {
  it('equal the recomputation once all records are added, also by several consoles', async () => {
    const consoles = [1, 2, 3].map(() => connect(parseDatabaseAddress(database.consoleUrl), { max: 1 }));
    await Promise.all(consoles.map((sql) => addUpUsage(sql)));
    await Promise.all(consoles.map((sql) => sql.end()));
    expect(await database.sql`select from usage_unsummed`).toHaveLength(0);
    const kept = await database.sql`
      select stretch, starts::text, subject, endpoint, model, model_id, requests, interrupted, estimated, input_tokens,
        cached_input_tokens, cache_write_tokens, output_tokens, latency_ms from usage_sums order by 1, 2, 3, 4, 5`;
    const recomputed = await database.sql`
      select stretch, date_trunc(stretch, timestamp at time zone 'UTC')::date::text as starts, subject, endpoint, model, model_id,
        count(*) as requests, count(*) filter (where interrupted) as interrupted,
        count(*) filter (where usage_source = 'estimated') as estimated, sum(input_tokens)::float8 as input_tokens,
        sum(cached_input_tokens)::float8 as cached_input_tokens, sum(cache_write_tokens)::float8 as cache_write_tokens,
        sum(output_tokens)::float8 as output_tokens, sum(latency_ms)::float8 as latency_ms
      from request_logs cross join (values ('day'), ('month')) step (stretch) group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5`;
    expect(recomputed.length).toBeGreaterThan(50);
    expect([...kept]).toEqual([...recomputed]);
  });
  it('are not added up by the gateway', async () => {
    const sql = connect(parseDatabaseAddress(database.gatewayUrl), { max: 1 });
    await expect(sql`select add_up_usage(1)`).rejects.toMatchObject({ code: '42501' });
    await sql.end();
  });
});
