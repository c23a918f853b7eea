import { DatabaseUnavailable } from '@gateway/database';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { createSigner, generateSigningKey } from '@gateway/ledger';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAdministrationLog } from '../services/administration-log.ts';
import type { Services } from '../services/services.ts';
import { administer } from './administer.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const administration = createAdministrationLog(createSigner(generateSigningKey()));
const create = (slug: string, deadline: number) => {
  const services = { database: database.sql, administration } as Services;
  return administer({ services, caller: { kind: 'shared-pair' }, deadline }, async ({ sql, record }) => {
    await sql`insert into plans (id, slug, name, monthly_cap) values (gen_random_uuid(), ${slug}, ${slug}, null)`;
    await record({ action: 'plan.create', target: slug, before: null, after: { slug } });
  });
};
const stored = (slug: string) => database.sql`
  select 'plan' as kind from plans where slug = ${slug}
  union all select 'entry' from administration_actions where target = ${slug}`;

// log-10
it('stores a change and its entry', async () => {
  expect(await create('in-time', Number.POSITIVE_INFINITY)).toEqual({ done: undefined });
  expect(await stored('in-time')).toEqual([{ kind: 'plan' }, { kind: 'entry' }]);
});

it('stores neither once its caller was told that the database gave no answer', async () => {
  await expect(create('late', Number.NEGATIVE_INFINITY)).rejects.toThrow(DatabaseUnavailable);
  expect(await stored('late')).toEqual([]);
});
