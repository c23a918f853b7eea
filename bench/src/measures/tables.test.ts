import { createTestDatabase, declaring } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFloor } from './floor.ts';
import { grow } from './grown.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
  const declare = declaring(database.sql);
  await declare.endpoint('demo', await declare.model(await declare.provider('engine'), 'served'));
});
afterAll(() => database.drop());

async function count(table: string): Promise<number> {
  const [row] = await database.sql<{ count: number }[]>`select count(*)::int as count from ${database.sql(table)}`;
  return row?.count ?? Number.NaN;
}

describe('grown tables', () => {
  it('have so many usage records and decisions, and all of the records are added up', async () => {
    await grow(database.ownerUrl, 500);
    expect([await count('request_logs'), await count('authorization_decisions')]).toEqual([500, 500]);
    expect(await count('usage_unsummed')).toBe(0);
    const [own] = await database.sql`
      select count(*)::int as records, sum(output_tokens)::int as tokens from request_logs where subject = 'demo'`;
    expect(own).toEqual({ records: 50, tokens: 50 * 80 });
  });

  it('can grow again, with sequences that go on', async () => {
    await grow(database.ownerUrl, 20);
    const [row] = await database.sql`
      select count(*)::int as count, max(sequence)::int as last from authorization_decisions`;
    expect(row).toEqual({ count: 520, last: 520 });
  });
});

describe('the floor', () => {
  it('is the time of a read and a commit, and leaves no table', async () => {
    const floor = await openFloor(database.ownerUrl);
    expect(await floor.sample()).toBeGreaterThan(0);
    expect(await count('bench_floor')).toBe(300);
    await floor.stop();
    const [row] = await database.sql`select to_regclass('bench_floor') as found`;
    expect(row).toEqual({ found: null });
  });
});
