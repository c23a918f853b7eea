import { parseDatabaseAddress } from '@gateway/database';
import { createLink, type Link } from '@gateway/database/client/link';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLicenseSeats, type LicenseSeats } from './gateway.ts';

let database: TestDatabase;
const links: Link[] = [];

/** The seats in another gateway process: over its own connection. */
function seats(): LicenseSeats {
  const address = parseDatabaseAddress(database.gatewayUrl);
  const link = createLink({ address, applicationName: 'seats of the test', budgetMs: 5000 });
  links.push(link);
  return createLicenseSeats(link);
}
const soon = () => performance.now() + 20_000;
const claimAt = (gateways: readonly LicenseSeats[], index: number): LicenseSeats['claim'] =>
  (gateways[index % gateways.length] as LicenseSeats).claim;
const names = (count: number, prefix = 's') => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => database.sql`delete from license_seats`);
afterAll(async () => {
  for (const link of links) link.cut();
  await database.drop();
});

describe('seats of the month', () => {
  it('are given until none is left; a subject with a seat is always served', async () => {
    const { claim, standing } = seats();
    expect(await claim('alice', 2, soon())).toBe(true);
    expect(await claim('bob', 2, soon())).toBe(true);
    expect(await claim('carol', 2, soon())).toBe(false);
    expect(await claim('alice', 2, soon())).toBe(true);
    expect((await standing('alice', 2, soon())).kind).toBe('held');
    expect((await standing('carol', 2, soon())).kind).toBe('full');
    expect((await standing('carol', 3, soon())).kind).toBe('free');
    expect(await claim('alice', 0, soon())).toBe(true);
  });
  it('are unlimited where the license has no number, but still counted', async () => {
    const { claim } = seats();
    for (const name of names(5)) expect(await claim(name, null, soon())).toBe(true);
    expect(await claim('one more', 5, soon())).toBe(false);
  });
  it('may be more than there are people', async () => {
    const { claim, standing } = seats();
    expect(await claim('alice', 3_000_000_000, soon())).toBe(true);
    expect((await standing('bob', Number.MAX_SAFE_INTEGER, soon())).kind).toBe('free');
    expect(await claim('bob', Number.MAX_SAFE_INTEGER, soon())).toBe(true);
  });
  it('none at all', async () => expect(await seats().claim('alice', 0, soon())).toBe(false));
  it('of another month do not count', async () => {
    await database.sql`insert into license_seats (month, seat, subject)
      values ((date_trunc('month', now() at time zone 'UTC') - interval '1 month')::date, 1, 'alice')`;
    const { claim, standing } = seats();
    expect((await standing('alice', 1, soon())).kind).toBe('free');
    expect(await claim('bob', 1, soon())).toBe(true);
    expect((await standing('alice', 1, soon())).kind).toBe('full');
  });
  it('returns the rest of the month', async () => {
    const { monthLeftMs } = await seats().standing('alice', 1, soon());
    const now = new Date();
    const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    expect(Math.abs(end - now.getTime() - monthLeftMs)).toBeLessThan(60_000);
  });
});

describe('many concurrent subjects', () => {
  it('100 first requests for the last seat, over four gateways: one seat', async () => {
    const gateways = [seats(), seats(), seats(), seats()];
    for (const name of names(9, 'before')) await gateways[0]?.claim(name, 10, soon());
    const claims = names(100).map((name, index) => claimAt(gateways, index)(name, 10, soon()));
    const served = (await Promise.all(claims)).filter(Boolean);
    const [{ count } = { count: 0n }] = await database.sql<{ count: bigint }[]>`select count(*) from license_seats`;
    expect([served.length, Number(count)]).toEqual([1, 10]);
  });
  it('100 requests of one subject: one seat', async () => {
    const gateways = [seats(), seats(), seats(), seats()];
    const claims = names(100).map((_, index) => claimAt(gateways, index)('alice', 1, soon()));
    expect((await Promise.all(claims)).every(Boolean)).toBe(true);
    expect(await database.sql`select seat, subject from license_seats`).toEqual([{ seat: 1, subject: 'alice' }]);
  });
  it('as many subjects as seats: all are served, and the numbers have no gap', async () => {
    const gateways = [seats(), seats(), seats()];
    const claims = names(60).map((name, index) => claimAt(gateways, index)(name, 60, soon()));
    expect((await Promise.all(claims)).every(Boolean)).toBe(true);
    const rows = await database.sql<{ seat: number }[]>`select seat from license_seats order by seat`;
    expect(rows.map(({ seat }) => seat)).toEqual(names(60).map((_, index) => index + 1));
  });
});

it('a table that cannot be read is no seat', async () => {
  const { claim, standing } = seats();
  await database.sql`alter table license_seats rename to elsewhere`;
  await expect(claim('alice', 1, soon())).rejects.toThrow('not available');
  await expect(standing('alice', 1, soon())).rejects.toThrow('not available');
  await database.sql`alter table elsewhere rename to license_seats`;
  expect(await claim('alice', 1, soon())).toBe(true);
});

it('the gateway can neither free a seat nor change one', async () => {
  const link = createLink({
    address: parseDatabaseAddress(database.gatewayUrl),
    applicationName: 'test',
    budgetMs: 5000,
  });
  links.push(link);
  for (const text of ['delete from license_seats', 'update license_seats set seat = 1', 'truncate license_seats']) {
    await expect(link.run(soon(), (sql) => sql.unsafe(text))).rejects.toThrow('permission denied');
  }
});
