import { createSigner, generateSigningKey } from '@gateway/ledger';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseDatabaseAddress } from '../client/address.ts';
import type { Queryable } from '../client/connect.ts';
import { aDecision, createTestDatabase, type TestDatabase, verdictOn } from '../testing/index.ts';
import { appendAdministrationAction } from './append-action.ts';
import { createDecisionLog } from './decision-log.ts';
import { ACTIONS, type ChainName, DECISIONS } from './names.ts';

const signer = createSigner(generateSigningKey());
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  const log = createDecisionLog({ address: parseDatabaseAddress(database.gatewayUrl), signer, budgetMs: 5000 });
  const act = { component: 'console', author: 'a', action: 'x', target: 'y' } as const;
  const text = '{"\\",NULL}\'\u{1F600}\n ';
  const whole = { session: text, policyRevision: 1, detail: text, requestId: text, roles: ['auditeur', text] as never };
  await Promise.all([{}, whole].map((change) => log.append(aDecision(change)))); // one statement, and one for each of the others
  for (const change of [whole, {}]) await log.append(aDecision(change));
  log.close();
  for (const value of [null, 'v', null]) {
    await database.sql.begin((sql) =>
      appendAdministrationAction(sql, { ...act, oldValue: value, newValue: value }, signer),
    );
  }
});
afterAll(() => database.drop());

/** Another value of each type. */
const OTHER: Readonly<Record<string, (column: string) => string>> = {
  bigint: (column) => `${column} + 1000`,
  integer: (column) => `coalesce(${column}, 0) + 1`,
  text: (column) => `coalesce(${column}, '') || 'x'`,
  uuid: () => 'gen_random_uuid()',
  'timestamp with time zone': (column) => `${column} + interval '1 ms'`,
  ARRAY: (column) => `array_append(${column}, 'x')`,
  bytea: (column) => `set_byte(${column}, 0, 255 - get_byte(${column}, 0))`,
};

/** Entries with a value in every column, and others with null in every nullable column. */
const WHOLE: Readonly<Record<ChainName, readonly number[]>> = { [DECISIONS]: [2, 3], [ACTIONS]: [2] };
const SPARSE: Readonly<Record<ChainName, readonly number[]>> = { [DECISIONS]: [1, 4], [ACTIONS]: [1, 3] };

class Undone extends Error {}

/** The decision with another value, which the owner, who may drop constraints, has inserted. */
async function verdictWith(chain: ChainName, column: string, value: string, sequence: number) {
  let verdict: Awaited<ReturnType<typeof verdictOn>> | undefined;
  const undo = async (sql: Queryable): Promise<never> => {
    await sql.unsafe(`do $$ declare one record; begin
      for one in select conname from pg_constraint where conrelid = '${chain}'::regclass and contype <> 'n' loop
        execute format('alter table ${chain} drop constraint %I', one.conname);
      end loop; end $$`);
    // Not-null constraints are dropped separately: before the primary key it is impossible, and the order is unknown.
    const [nullable] =
      await sql`select from pg_attribute where attrelid = ${chain}::regclass and attname = ${column} and attnotnull`;
    if (nullable) await sql.unsafe(`alter table ${chain} alter ${column} drop not null`);
    const changed = await sql.unsafe(
      `update ${chain} set ${column} = ${value} where sequence = ${sequence} returning 1`,
    );
    expect(changed).toHaveLength(1);
    verdict = await verdictOn(sql, chain);
    throw new Undone();
  };
  await expect(database.sql.begin(undo)).rejects.toThrow(Undone);
  return verdict;
}

describe.each<ChainName>([DECISIONS, ACTIONS])('%s', (chain) => {
  it('has no column that can be changed, filled or emptied unseen', async () => {
    expect(await verdictOn(database.sql, chain)).toMatchObject({
      ok: true,
      entries: BigInt(WHOLE[chain].length + SPARSE[chain].length),
    });
    const columns = await database.sql<{ name: string; type: string }[]>`
      select column_name as name, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name = ${chain}`;
    expect(columns.length).toBeGreaterThan(10);
    for (const { name, type } of columns) {
      const other = OTHER[type]?.(name) ?? `no value of ${type} is known here`;
      const changes = [
        ...[...SPARSE[chain], ...WHOLE[chain]].map((sequence) => [other, sequence] as const),
        ...WHOLE[chain].map((sequence) => ['null', sequence] as const),
      ];
      for (const [value, sequence] of changes) {
        const verdict = await verdictWith(chain, name, value, sequence);
        expect(verdict?.ok, `${name} = ${value} in entry ${sequence}`).toBe(false);
      }
    }
  });
});
