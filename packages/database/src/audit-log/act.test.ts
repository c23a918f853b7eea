import { createSigner, generateSigningKey } from '@gateway/ledger';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { inAct } from './act.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const recorder = { component: 'console', signer: createSigner(generateSigningKey()) } as const;
const recorded = async (before: unknown, after: unknown): Promise<number> => {
  const change = { action: 'organization.change', target: 'organization:a', before, after };
  await database.sql.begin((sql) => inAct(sql, 'somebody', recorder, async ({ record }) => record(change)));
  const [row] = await database.sql<{ n: number }[]>`select count(*)::int as n from administration_actions`;
  await database.sql`truncate administration_actions, administration_action_seals`;
  return row?.n ?? 0;
};

// console-15
it('records every act that changes something', async () => {
  expect(await recorded(null, { name: 'a' })).toBe(1);
  expect(await recorded({ name: 'a' }, { name: 'b' })).toBe(1);
  expect(await recorded({ name: 'a' }, null)).toBe(1);
});

it('records nothing where the stored values stay the same', async () => {
  expect(await recorded({ name: 'a', at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z', name: 'a' })).toBe(0);
});
