import { connect, parseDatabaseAddress, type Sql } from '@gateway/database';
import { createTestDatabase, digestOfKey, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installAdministrator } from './gateway.ts';

describe('the first administrator', () => {
  let database: TestDatabase;
  let gateway: Sql;
  beforeAll(async () => {
    database = await createTestDatabase();
    gateway = connect(parseDatabaseAddress(database.gatewayUrl));
  });
  afterAll(async () => {
    await gateway.end();
    await database.drop();
  });
  const key = (text: string) => ({ digest: digestOfKey(text), lastFour: text.slice(-4) });

  // roles-9
  it('is made once for any number of concurrent starts', async () => {
    const made = await Promise.all(
      ['one1', 'two2', 'thr3', 'fou4'].map((text) => installAdministrator(gateway, key(text))),
    );
    expect(made.filter((outcome) => outcome === 'made')).toHaveLength(1);
    const accounts = await database.sql`
      select a.username, a.origin, a.enabled, p.slug, p.monthly_cap, count(k.id)::int as keys
      from accounts a join plans p on p.id = a.plan_id join account_keys k on k.account_id = a.id group by a.id, p.id`;
    expect([...accounts]).toEqual([
      { username: 'admin', origin: 'local', enabled: true, slug: 'administrator', monthly_cap: null, keys: 1 },
    ]);
    expect([...(await database.sql`select * from role_assignments`)]).toEqual([]);
  });
  it('keeps its key and plan when another key is given later, and reports a key that is not its own', async () => {
    const before = await database.sql`select digest from account_keys`;
    expect(await installAdministrator(gateway, key('late'))).toBe('other-key');
    expect(await database.sql`select digest from account_keys`).toEqual(before);
    await database.sql`insert into account_keys (id, account_id, digest, last_four, label)
      select gen_random_uuid(), id, ${digestOfKey('late')}, 'late', 'another' from accounts`;
    expect(await installAdministrator(gateway, key('late'))).toBe('kept');
    await database.sql`update account_keys set revoked_at = now() where label = 'another'`;
    expect(await installAdministrator(gateway, key('late'))).toBe('other-key');
  });
  it('is not changed by concurrent starts with one key', async () => {
    await database.sql`delete from account_keys`;
    await database.sql`delete from accounts`;
    const outcomes = await Promise.all([1, 2, 3].map(() => installAdministrator(gateway, key('same'))));
    expect(outcomes.toSorted()).toEqual(['kept', 'kept', 'made']);
  });
  it('gives the gateway no other way to write accounts', async () => {
    await expect(gateway`insert into accounts (id, username) values (gen_random_uuid(), 'x')`).rejects.toThrow(
      /permission denied/,
    );
    await expect(gateway`update plans set monthly_cap = null`).rejects.toThrow(/permission denied/);
    await expect(gateway`delete from account_keys`).rejects.toThrow(/permission denied/);
  });
});
