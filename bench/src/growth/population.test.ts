import { createTestDatabase, declaring } from '@gateway/database/testing';
import { expect, it } from 'vitest';
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
