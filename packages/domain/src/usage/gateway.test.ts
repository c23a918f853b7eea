import { connect, parseDatabaseAddress } from '@gateway/database';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import * as fc from 'fast-check';
import { v7 as uuid } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createUsageLog, type UsageLog, usageLine } from './gateway.ts';
import type { UsageRecord } from './shape.ts';
import { aUsageRecord } from './testing/usage-record.ts';

let database: TestDatabase;
let logs: UsageLog[];
const open = (): UsageLog => {
  const log = createUsageLog({ address: parseDatabaseAddress(database.gatewayUrl), budgetMs: 5000, proveEveryMs: 20 });
  logs.push(log);
  return log;
};
const MODELS = [uuid(), uuid()];
const aRecord = (change: Partial<UsageRecord> = {}) => aUsageRecord({ modelId: MODELS[0] ?? '', ...change });
const totals = () => database.sql`
  select subject, month::text, model_id, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens from usage_totals order by 1, 2, 3`;
const recomputed = () => database.sql`
  select subject, date_trunc('month', timestamp at time zone 'UTC')::date::text as month, model_id,
    sum(input_tokens) as input_tokens, sum(cached_input_tokens) as cached_input_tokens,
    sum(cache_write_tokens) as cache_write_tokens, sum(output_tokens) as output_tokens
  from request_logs group by 1, 2, 3 order by 1, 2, 3`;

beforeEach(async () => {
  logs = [];
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const log of logs) await log.close(1000);
  await database.drop();
});

/** Writes one record. @throws where it is refused */
async function insert(log: UsageLog, record: UsageRecord): Promise<void> {
  const line = usageLine(record);
  const refused = (await log.insert([line])).get(line);
  if (refused !== undefined) throw refused;
}

describe('a usage record', () => {
  it('is in the table when insert resolves', async () => {
    const record = aRecord({
      usageSource: 'estimated',
      cachedInputTokens: 3,
      cacheWriteTokens: 2,
      interrupted: true,
      timestamp: new Date('2026-01-02T03:04:05.678Z'),
    });
    await insert(open(), record);
    expect(await database.sql`select * from request_logs`).toEqual([
      {
        id: record.id,
        timestamp: record.timestamp,
        subject: 'caller',
        endpoint: 'chat',
        model: 'small',
        model_id: MODELS[0],
        input_tokens: 11n,
        cached_input_tokens: 3n,
        cache_write_tokens: 2n,
        output_tokens: 7n,
        latency_ms: 5,
        first_token_ms: 3,
        usage_source: 'estimated',
        interrupted: true,
        upstream_status: 200,
        started_by: null,
      },
    ]);
  });

  it('written twice is one record, counted once, also within one batch', async () => {
    const log = open();
    const record = aRecord();
    await Promise.all([insert(log, record), insert(log, record), insert(log, record)]);
    await insert(log, record);
    expect((await totals())[0]).toMatchObject({ input_tokens: '11', output_tokens: '7' });
  });

  it('that cannot be stored is refused alone', async () => {
    const log = open();
    const results = await Promise.allSettled([
      insert(log, aRecord()),
      ...[aRecord(), aRecord({ inputTokens: -1 }), aRecord(), aRecord({ id: 'none' })].map((one) => insert(log, one)),
      insert(log, aRecord({ subject: 'a\0b' })),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect((await database.sql`select from request_logs`).length).toBe(4);
  });

  it('is returned to no caller once it is confirmed on disk', async () => {
    const log = open();
    await insert(log, aRecord());
    expect(await log.close(5000)).toEqual([]);
    await expect(insert(log, aRecord())).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
  });
});

describe('the totals', () => {
  it('always equal the recomputation, for any concurrent writes (console-23)', async () => {
    const written = fc.record({
      subject: fc.constantFrom('one', 'two', 'three'),
      modelId: fc.constantFrom(...MODELS),
      inputTokens: fc.integer({ min: 2000, max: 1_000_000 }),
      cachedInputTokens: fc.nat({ max: 1000 }),
      cacheWriteTokens: fc.nat({ max: 1000 }),
      outputTokens: fc.nat({ max: 1_000_000 }),
      timestamp: fc.date({ min: new Date('2025-11-30'), max: new Date('2026-02-02'), noInvalidDate: true }),
    });
    const [one, other] = [open(), open()];
    await fc.assert(
      fc.asyncProperty(fc.array(written, { maxLength: 30 }), async (changes) => {
        const records = changes.map(aRecord);
        await Promise.all([
          ...records.map((record) => insert(one, record)),
          ...records.slice(0, 5).map((record) => insert(other, record)),
          ...changes.map((change) => insert(other, aRecord(change))),
        ]);
      }),
      { numRuns: 30 },
    );
    const expected = await recomputed();
    expect(expected.length).toBeGreaterThan(10);
    expect(await totals()).toEqual(expected);
  });

  it('belong to the UTC month of the record', async () => {
    const log = open();
    await insert(log, aRecord({ timestamp: new Date('2026-01-31T23:59:59.999Z') }));
    await insert(log, aRecord({ timestamp: new Date('2026-02-01T00:00:00.000Z') }));
    expect((await totals()).map(({ month }) => String(month))).toEqual(['2026-01-01', '2026-02-01']);
  });

  it('cannot be fooled by a temporary table of the writer', async () => {
    const sql = connect(parseDatabaseAddress(database.gatewayUrl), { max: 1 });
    try {
      await sql`create temporary table usage_totals (like usage_totals including all)`;
      await sql`insert into request_logs values (${uuid()}, now(), 'caller', 'chat', 'small', ${MODELS[0] ?? ''}, 1, 2, 3,
        'reported', false)`;
    } finally {
      await sql.end();
    }
    expect((await totals())[0]).toMatchObject({ input_tokens: '1', output_tokens: '2' });
  });
});
