import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { createSigner, generateSigningKey } from '@gateway/ledger';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAdministrationLog } from './administration-log.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const log = createAdministrationLog(createSigner(generateSigningKey()));
const recorded = async (before: unknown, after: unknown): Promise<number> => {
  const change = { action: 'thing.act', target: 'thing', author: 'somebody', before, after };
  await database.sql.begin((sql) => log.append(sql, change));
  const [row] = await database.sql<{ n: number }[]>`select count(*)::int as n from administration_actions`;
  await database.sql`truncate administration_actions, administration_action_seals`;
  return row?.n ?? 0;
};

// console-15
it('tells every act that changes something, and those that leave nothing behind', async () => {
  expect(await recorded(null, { name: 'a' })).toBe(1);
  expect(await recorded({ name: 'a' }, { name: 'b' })).toBe(1);
  expect(await recorded({ name: 'a' }, null)).toBe(1);
  expect(await recorded(null, null)).toBe(1);
});

it('tells nothing of a change to what is stored already', async () => {
  expect(await recorded({ name: 'a', at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z', name: 'a' })).toBe(0);
});
