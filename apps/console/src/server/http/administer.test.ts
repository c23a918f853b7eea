import { DatabaseUnavailable } from '@gateway/database';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { createOrganization } from '@gateway/domain/organization/acts';
import { createSigner, generateSigningKey } from '@gateway/ledger';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { administer } from './administer.ts';
import type { Services } from './services.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const signer = createSigner(generateSigningKey());
const create = (slug: string, deadline: number) => {
  const services = { database: database.sql, signer } as Services;
  return administer({ services, caller: { kind: 'shared-pair' }, deadline }, async (act) => {
    await createOrganization(act, { slug, name: slug });
  });
};
const stored = (slug: string) => database.sql`
  select 'organization' as kind from organizations where slug = ${slug}
  union all select 'entry' from administration_actions where target = ${`organization:${slug}`}`;

// log-10
it('stores a change and its entry', async () => {
  expect(await create('in-time', Number.POSITIVE_INFINITY)).toEqual({ done: undefined });
  expect(await stored('in-time')).toEqual([{ kind: 'organization' }, { kind: 'entry' }]);
});

it('stores neither once its caller got the answer that the database is not available', async () => {
  await expect(create('late', Number.NEGATIVE_INFINITY)).rejects.toThrow(DatabaseUnavailable);
  expect(await stored('late')).toEqual([]);
});
