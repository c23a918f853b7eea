import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BILLING } from './hosted-billing.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

// A scan from the first page would read every empty page before the first record, in each call.
it('reads a few pages of a table whose oldest records were archived', async () => {
  const { sql } = database;
  await sql`
    insert into request_logs select gen_random_uuid(), now(), 'caller', 'chat', 'small', gen_random_uuid(), 1, 1, 1, 'reported', false
    from generate_series(1, 20000)`;
  const [size] = await sql<{ pages: number }[]>`
    select (pg_relation_size('request_logs') / current_setting('block_size')::int)::int as pages`;
  expect(size?.pages).toBeGreaterThan(200);
  await sql`delete from request_logs where ctid < (select max(ctid) from request_logs)`;
  const probe = BILLING("'caller'", 'account').probe;
  const [row] = await sql.unsafe<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(
    `explain (analyze, buffers, format json) select ${probe}`,
  );
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  expect(plan && plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(10);
});
