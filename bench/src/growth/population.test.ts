import { createTestDatabase, declaring, digestOfKey } from '@gateway/database/testing';
import { describe, expect, it } from 'vitest';
import { keyOfSubject, populate } from './population.ts';

it('declares subjects whose keys, plans, roles and consumption are there', async () => {
  const database = await createTestDatabase();
  const declare = declaring(database.sql);
  await declare.model(await declare.provider('engine'), 'served');
  await declare.account('first', { plan: await declare.plan('free', null) });
  await populate(database.ownerUrl, 20);
  const rows = await database.sql`
    select account.username, account.plan_id is not null as planned, held.role, total.input_tokens
    from account_keys key join accounts account on account.id = key.account_id
    join role_assignments held on held.subject = account.username join usage_totals total on total.subject = account.username
    where key.digest = sha256(${keyOfSubject(20)}::bytea) and key.last_four = ${keyOfSubject(20).slice(-4)}`;
  expect(rows).toEqual([{ username: 'grown-20', planned: true, role: 'utilisateur-standard', input_tokens: '200' }]);
  await database.drop();
});

describe('the keys of a population', () => {
  it('are account keys, one for each subject, and always the same ones', () => {
    const keys = Array.from({ length: 1000 }, (_, number) => keyOfSubject(number + 1));
    expect(new Set(keys).size).toBe(1000);
    for (const key of keys) expect(key).toMatch(/^gwk_[0-9a-f]{48}$/);
    expect(keyOfSubject(1)).toBe(keys[0]);
  });

  it('belong each to the subject of its number, the first and the last one included', async () => {
    const database = await createTestDatabase();
    try {
      await populate(database.ownerUrl, 7);
      const rows = await database.sql<{ username: string; digest: Buffer }[]>`
        select username, digest from account_keys key join accounts account on account.id = key.account_id order by username`;
      expect(rows.map(({ username }) => username)).toEqual(Array.from({ length: 7 }, (_, at) => `grown-${at + 1}`));
      expect(rows.map(({ digest }) => digest.toString('hex'))).toEqual(
        rows.map((_, at) => digestOfKey(keyOfSubject(at + 1)).toString('hex')),
      );
    } finally {
      await database.drop();
    }
  });
});
