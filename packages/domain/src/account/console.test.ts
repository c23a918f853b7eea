import { createTestDatabase, type Declare, declaring, type TestDatabase } from '@gateway/database/testing';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { listAccountKeys } from './console.ts';

let database: TestDatabase;
let declare: Declare;
beforeAll(async () => {
  database = await createTestDatabase();
  declare = declaring(database.sql);
});
afterAll(() => database.drop());
beforeEach(() => database.sql`truncate accounts, authorization_decisions, key_uses cascade`);

const keysOf = (account: string, limit: number | null = null, after: readonly [string] | null = null) =>
  listAccountKeys(database.sql, account, { limit, after });
let sequence = 0;
const decide = (subject: string, key: string, at: string) => {
  sequence += 1;
  const digest = Buffer.alloc(32);
  return database.sql`
    insert into authorization_decisions (sequence, id, at, component, subject, credential, key_id, permission, resource, outcome, reason,
      status, roles, previous, digest)
    values (${sequence}, ${uuid()}, ${at}, 'console', ${subject}, 'key', ${key}, 'p', 'r', 'granted', 'role', 200, '{}', ${digest}, ${digest})`;
};
const relay = (key: string, at: string) =>
  database.sql`insert into key_uses (key_id, last_used_at) values (${key}, ${at})`;
const lastUses = async (account: string) =>
  (await keysOf(account)).map(({ lastUsedAt }) => lastUsedAt?.toISOString() ?? null);
const [EARLIER, LATER] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];

it('a key that was never used has no last use', async () => {
  expect(await lastUses(await declare.account('ada'))).toEqual([null]);
});

it('the last use is the later one of a relayed call and of a decision', async () => {
  for (const [name, relayed, decided, last] of [
    ['relayed', LATER, EARLIER, LATER],
    ['decided', EARLIER, LATER, LATER],
    ['only-relayed', EARLIER, null, EARLIER],
    ['only-decided', null, EARLIER, EARLIER],
  ] as const) {
    const account = await declare.account(name);
    const [key] = await keysOf(account);
    if (relayed) await relay(key?.id ?? '', relayed);
    if (decided) await decide(name, key?.id ?? '', decided);
    expect(await lastUses(account)).toEqual([last]);
  }
});

it('the last use of one key is not that of another key of the account', async () => {
  const account = await declare.account('ada');
  const [used] = await keysOf(account);
  await database.sql`
    insert into account_keys (id, account_id, digest, last_four, label) values (${uuid()}, ${account}, ${Buffer.alloc(32, 1)}, 'abcd', 'unused')`;
  await decide('ada', used?.id ?? '', LATER);
  expect((await keysOf(account)).map(({ label, lastUsedAt }) => [label, lastUsedAt !== null])).toEqual([
    ['unused', false],
    ['first', true],
  ]);
});

it('keys of one account alone are listed, the newest first, page by page', async () => {
  const account = await declare.account('ada');
  await declare.account('bob');
  for (let n = 1; n <= 4; n += 1) {
    await database.sql`
      insert into account_keys (id, account_id, digest, last_four, label)
      values (${uuid()}, ${account}, ${Buffer.alloc(32, n)}, 'abcd', ${`key ${n}`})`;
  }
  const labels: string[] = [];
  for (let after: readonly [string] | null = null; ; ) {
    const rows = await keysOf(account, 2, after);
    labels.push(...rows.slice(0, 2).map(({ label }) => label));
    const last = rows[1];
    if (rows.length <= 2 || last === undefined) break;
    after = [last.id];
  }
  expect(labels).toEqual(['key 4', 'key 3', 'key 2', 'key 1', 'first']);
});
