import { parseDatabaseAddress } from '@gateway/database';
import { createLink, type Link } from '@gateway/database/client/link';
import {
  type Administering,
  administering,
  createTestDatabase,
  type Declare,
  declaring,
  type TestDatabase,
} from '@gateway/database/testing';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MODELS } from '../endpoint/console.ts';
import { createOrganization, installOrganizationPolicy } from '../organization/acts.ts';
import { readOrganizationPolicy } from '../organization/gateway.ts';
import { requestProviderTest } from '../provider/acts.ts';
import { readProviderTest } from '../provider/console.ts';
import { finishProviderTest, takeProviderTest } from '../provider/gateway.ts';
import { readModelPrices } from '../usage/gateway.ts';

let database: TestDatabase;
let administer: Administering;
let declare: Declare;
let link: Link;
beforeAll(async () => {
  database = await createTestDatabase();
  administer = administering(database.sql);
  declare = declaring(database.sql);
  link = createLink({ address: parseDatabaseAddress(database.gatewayUrl), applicationName: 'test', budgetMs: 60_000 });
});
afterAll(async () => {
  link.cut();
  await database.drop();
});
const soon = () => performance.now() + 60_000;

describe('the prices of models', () => {
  it('are those of now, with the price of the input where a cache has none of its own', async () => {
    const provider = await declare.provider('priced');
    const [plain, cached] = [
      await declare.model(provider, 'plain', { input: 0.000_003, output: 0.000_015 }),
      await declare.model(provider, 'cached', { input: 2, output: 4 }),
    ];
    const before = await MODELS.lock(database.sql, cached);
    if (before) await MODELS.update(database.sql, { ...before, cachedInputPrice: 0, cacheWritePrice: 2.5 });
    const prices = await readModelPrices(link, soon());
    expect(prices.get(plain)).toEqual({
      input: 0.000_003,
      cachedInput: 0.000_003,
      cacheWrite: 0.000_003,
      output: 0.000_015,
    });
    expect(prices.get(cached)).toEqual({ input: 2, cachedInput: 0, cacheWrite: 2.5, output: 4 });
  });

  it('stay known once the model was deleted, and follow a change at once', async () => {
    const model = await declare.model(await declare.provider('deleting'), 'gone', { input: 1, output: 1 });
    const before = await MODELS.lock(database.sql, model);
    if (before) await MODELS.update(database.sql, { ...before, inputPrice: 9 });
    expect((await readModelPrices(link, soon())).get(model)).toMatchObject({ input: 9 });
    await MODELS.remove(database.sql, model);
    expect((await readModelPrices(link, soon())).get(model)).toMatchObject({ input: 9, output: 1 });
  });

  it('are no prices at all where the database does not answer', async () => {
    await database.sql.begin(async (sql) => {
      await sql`lock table models in access exclusive mode`;
      const late = readModelPrices(link, performance.now() + 40);
      await expect(late).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
    });
  });
});

describe('the policy of an organization', () => {
  const revision = async (slug: string, number: number) => {
    const [row] = await database.sql<{ at: string }[]>`
      select extract(epoch from produced_at)::text as at from organization_policies policy
      join organizations on organizations.id = organization_id where slug = ${slug} and revision = ${number}`;
    return { number, installedAt: row?.at ?? '0' };
  };

  it('is read as the revision that is in force for a call, with its validity', async () => {
    const validFrom = new Date('2026-01-01T00:00:00.000Z');
    await administer(async (act) => {
      const organization = await createOrganization(act, { slug: 'acme', name: 'Acme' });
      if (organization === undefined) throw new Error('acme is new');
      await installOrganizationPolicy(act, organization, { document: {}, validFrom: null, validUntil: null });
      const document = { tools: { exclude: ['rm -rf "/"', 'é😀'] } };
      await installOrganizationPolicy(act, organization, { document, validFrom, validUntil: null });
    });
    expect(await readOrganizationPolicy(link, 'acme', await revision('acme', 2), soon())).toEqual({
      policy: { tools: { exclude: ['rm -rf "/"', 'é😀'] } },
      validFrom,
      validUntil: null,
    });
    expect(await readOrganizationPolicy(link, 'acme', await revision('acme', 1), soon())).toMatchObject({ policy: {} });
  });

  it.each([
    ['another number', 'acme', { number: 3 }],
    ['another instant, as in a restored database', 'acme', { installedAt: '1767225600.000' }],
    ['another organization', 'other', {}],
  ])('is no policy by mistake: %s fails', async (_, organization, change) => {
    const asked = { ...(await revision('acme', 2)), ...change };
    await expect(readOrganizationPolicy(link, organization, asked, soon())).rejects.toThrow(
      `policy ${asked.number} of organization ${organization} is not there`,
    );
  });
});

describe('a test of a provider', () => {
  it('passes from the administrator to one gateway and back, the oldest first', async () => {
    const provider = await declare.provider('tested', {
      baseUrl: 'https://engine.example/v1',
      apiKeyEnv: 'KEY',
      apiKeyHeader: 'x-key',
    });
    const requested: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      requested.push((await administer((act) => requestProviderTest(act, provider))).result.id);
    }
    const taken = [await takeProviderTest(link, soon()), await takeProviderTest(link, soon())];
    expect(await takeProviderTest(link, soon())).toBeNull();
    expect(taken.map((one) => one?.id)).toEqual(requested);
    expect(taken[0]?.provider).toEqual({
      baseUrl: 'https://engine.example/v1',
      apiKeyEnv: 'KEY',
      apiKeyHeader: 'x-key',
    });
    const [first = ''] = requested;
    expect(await readProviderTest(database.sql, first)).toMatchObject({ finishedAt: null, models: null });
    const models = ['small', 'a "quoted" one', 'NULL', '{a,b}', 'é😀'];
    await finishProviderTest(link, first, { status: 200, fault: null, models }, soon());
    expect(await readProviderTest(database.sql, first)).toMatchObject({
      finishedAt: expect.any(Date) as Date,
      status: 200,
      fault: null,
      models,
    });
  });

  it('that found nothing says why, and has no models', async () => {
    const provider = await declare.provider('silent');
    const { result } = await administer((act) => requestProviderTest(act, provider));
    await takeProviderTest(link, soon());
    await finishProviderTest(link, result.id, { status: null, fault: 'no answer', models: [] }, soon());
    expect(await readProviderTest(database.sql, result.id)).toMatchObject({
      status: null,
      fault: 'no answer',
      models: [],
    });
  });

  it('ends with its provider, and a gateway that still reports a result does no harm', async () => {
    const provider = await declare.provider('deleted-meanwhile');
    const { result } = await administer((act) => requestProviderTest(act, provider));
    await takeProviderTest(link, soon());
    await database.sql`delete from providers where id = ${provider}`;
    await finishProviderTest(link, result.id, { status: 200, fault: null, models: [] }, soon());
    expect(await readProviderTest(database.sql, result.id)).toBeUndefined();
    expect(await readProviderTest(database.sql, uuid())).toBeUndefined();
  });
});
