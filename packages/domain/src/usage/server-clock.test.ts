import { connect, parseDatabaseAddress, type Sql } from '@gateway/database';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createServerClock, READ_CLOCK } from './gateway.ts';

let database: TestDatabase;
let sql: Sql;

async function ask(): Promise<number> {
  const [row] = await sql.unsafe<{ floor: number }[]>(READ_CLOCK);
  return row?.floor ?? 0;
}

beforeEach(async () => {
  database = await createTestDatabase();
  sql = connect(parseDatabaseAddress(database.gatewayUrl), { max: 1 });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await sql.end();
  await database.drop();
});

it('never exceeds the server’s clock at the deadline', async () => {
  const clock = createServerClock();
  for (let round = 0; round < 20; round += 1) {
    const said = await clock.at(performance.now(), 1, ask);
    const [shown] = await sql<{ clock: number }[]>`
      select extract(epoch from clock_timestamp())::float8 * 1000 as clock`;
    expect(said).toBeLessThanOrEqual(shown?.clock ?? 0);
  }
});

it('is read once, then again on another connection, and when the reading is a minute old', async () => {
  const asked = vi.fn(ask);
  const clock = createServerClock();
  const first = await clock.at(1000, 1, asked);
  expect(await clock.at(3000, 1, asked), 'two seconds later').toBeCloseTo(first + 2000);
  expect(asked).toHaveBeenCalledTimes(1);
  await clock.at(1000, 2, asked);
  expect(asked).toHaveBeenCalledTimes(2);
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now + 61_000);
  await clock.at(1000, 2, asked);
  expect(asked).toHaveBeenCalledTimes(3);
});

it('uses the last reported answer', async () => {
  const clock = createServerClock();
  vi.spyOn(performance, 'now').mockReturnValue(500);
  clock.read(7, 1_800_000_000_000);
  expect(await clock.at(750, 7, ask)).toBe(1_800_000_000_250);
});
