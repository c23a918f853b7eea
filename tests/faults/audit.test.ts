import { createTestDatabase } from '@gateway/database/testing';
import { expect, it } from 'vitest';
import { audit } from './audit.ts';

it('counts unrecorded calls, calls without usage, crossed answers, and missing numbers', async () => {
  const database = await createTestDatabase();
  const { sql } = database;
  await sql`
    insert into authorization_decisions (sequence, id, at, component, subject, credential, permission, resource, request_id, outcome,
      reason, status, roles, previous, digest)
    select n, gen_random_uuid(), now(), 'gateway', 'caller', 'key', 'inference:appeler', 'endpoint:chat', 'call-' || n, 'granted',
      'role', 200, '{}', sha256('a'), sha256('b') from unnest(array[1, 2, 5]) n`;
  const evidence = {
    database: { asOwner: <Result>(work: (owner: typeof sql) => Promise<Result>) => work(sql) },
    engine: { receipts: ['call-1', 'call-3', 'call-5'], early: ['call-5'] },
    callers: { observed: { whole: new Map([['call-1', 'plain, gateway killed']]), crossed: ['call-2'] } },
  };
  const found = await audit(evidence, 0);
  await database.drop();
  expect(found).toMatchObject({ unlogged: 2, lostUsage: 1, crossed: 1 });
  expect(found.gaps).toBe(3); // 3 and 4 lack, and the chain does not verify
  expect(found.examples).toMatchObject({
    unlogged: ['call-3', 'call-5'],
    lostUsage: ['call-1 (plain, gateway killed)'],
    crossed: ['call-2'],
  });
});
