import { createTestDatabase, declaring, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFloor } from './floor.ts';
import { grow } from './grown.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const declare = declaring(database.sql);
  await declare.endpoint('demo', await declare.model(await declare.provider('engine'), 'bench-model'));
});
afterAll(() => database.drop());

const counted = async (table: string): Promise<number> => {
  const [row] = await database.sql.unsafe<{ count: number }[]>(`select count(*)::int as count from ${table}`);
  return row?.count ?? 0;
};

describe('grown tables', () => {
  it('have as many usage records as decisions, and the sums of all of them', async () => {
    await grow(database.ownerUrl, 1000);
    expect([await counted('request_logs'), await counted('authorization_decisions')]).toEqual([1000, 1000]);
    expect(await counted('usage_unsummed')).toBe(0);
    const [sum] = await database.sql`select sum(input_tokens)::int as input from usage_totals`;
    expect(sum).toEqual({ input: 200_000 });
  });

  it('have records of the one who calls among those of many others', async () => {
    const rows = await database.sql<{ subject: string; count: number }[]>`
      select subject, count(*)::int as count from request_logs group by subject`;
    expect(rows.find(({ subject }) => subject === 'demo')?.count).toBe(100);
    expect(rows.length).toBeGreaterThan(500);
  });

  it('grow further behind the decisions that are there', async () => {
    await grow(database.ownerUrl, 10);
    const [row] = await database.sql`
      select count(*)::int as count, max(sequence)::int as last, count(distinct sequence)::int as different from authorization_decisions`;
    expect(row).toEqual({ count: 1010, last: 1010, different: 1010 });
  });
});

describe('the time of one read and one commit', () => {
  it('is measured on a table of its own, each commit durable, which is gone afterwards', async () => {
    const floor = await openFloor(database.ownerUrl);
    expect(await floor.sample()).toBeGreaterThan(0);
    expect(await counted('bench_floor')).toBe(300);
    await floor.stop();
    const [row] = await database.sql`select to_regclass('bench_floor') as found`;
    expect(row).toEqual({ found: null });
  });
});
