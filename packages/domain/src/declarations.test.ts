import { changeThing, declareThing, deleteThing } from '@gateway/database/audit-log/act';
import { violationOf } from '@gateway/database/client/conditions';
import { type Administering, administering, createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import * as fc from 'fast-check';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint, Model } from './endpoint/console.ts';
import { ENDPOINTS, MODELS } from './endpoint/console.ts';
import { PLANS } from './plan/acts.ts';
import type { Plan } from './plan/console.ts';
import { PROVIDERS } from './provider/acts.ts';
import type { Provider } from './provider/console.ts';

let database: TestDatabase;
let administer: Administering;
beforeAll(async () => {
  database = await createTestDatabase();
  administer = administering(database.sql);
});
afterAll(() => database.drop());

const aProvider = (slug: string): Provider => ({
  id: uuid(),
  slug,
  name: 'Engine',
  baseUrl: 'https://engine.example/v1',
  apiKeyEnv: 'ENGINE_KEY',
  apiKeyHeader: null,
  clearTextAcknowledged: false,
});
const aModel = (provider: string, slug: string): Model => ({
  id: uuid(),
  slug,
  name: 'Small',
  provider,
  inputPrice: 0.000_001,
  outputPrice: 0.000_002,
  cachedInputPrice: null,
  cacheWritePrice: null,
});
const anEndpoint = (model: string, name: string): Endpoint => ({
  id: uuid(),
  name,
  model,
  standby: null,
  active: true,
  paths: [],
});
const aPlan = (slug: string): Plan => ({
  id: uuid(),
  slug,
  name: 'Team',
  monthlyCap: 100,
  alertThresholds: [50, 80],
});

const declareProvider = async (slug: string) => {
  const provider = aProvider(slug);
  await administer((act) => declareThing(act, PROVIDERS, provider));
  return provider;
};
const declareModel = async (provider: string, slug: string) => {
  const model = aModel(provider, slug);
  await administer((act) => declareThing(act, MODELS, model));
  return model;
};
const violation = async (work: Promise<unknown>) => violationOf(await work.catch((error: unknown) => error));
const countActs = async () =>
  (await database.sql<{ n: number }[]>`select count(*)::int as n from administration_actions`)[0]?.n;

describe('a declared thing', () => {
  it('is recorded whole when it is made, changed and deleted', async () => {
    const provider = aProvider('recorded');
    const made = await administer((act) => declareThing(act, PROVIDERS, provider), 'ada');
    const moved = { ...provider, slug: 'renamed', baseUrl: 'https://elsewhere.example/v1' };
    const changed = await administer((act) => changeThing(act, PROVIDERS, provider, moved), 'grace');
    const deleted = await administer((act) => deleteThing(act, PROVIDERS, moved), 'alan');
    expect([...made.entries, ...changed.entries, ...deleted.entries]).toEqual([
      { author: 'ada', action: 'provider.create', target: 'provider:recorded', before: null, after: provider },
      // The log names it as it was called when it was changed.
      { author: 'grace', action: 'provider.change', target: 'provider:recorded', before: provider, after: moved },
      { author: 'alan', action: 'provider.delete', target: 'provider:renamed', before: moved, after: null },
    ]);
    expect(await PROVIDERS.lock(database.sql, provider.id)).toBeUndefined();
  });

  it('is not recorded where a change changes nothing', async () => {
    const plan = aPlan('same');
    await administer((act) => declareThing(act, PLANS, plan));
    expect((await administer((act) => changeThing(act, PLANS, plan, { ...plan }))).entries).toEqual([]);
  });

  it('is not recorded where a later step of its transaction fails', async () => {
    const before = await countActs();
    const plan = aPlan('undone');
    const failing = administer(async (act) => {
      await declareThing(act, PLANS, plan);
      throw new Error('a later step failed');
    });
    await expect(failing).rejects.toThrow('a later step failed');
    expect(await PLANS.lock(database.sql, plan.id)).toBeUndefined();
    expect(await countActs()).toBe(before);
  });

  it('is not kept where its entry cannot be recorded', async () => {
    const plan = aPlan('unrecorded');
    const failing = administer((act) => declareThing(act, PLANS, plan), 'a'.repeat(256));
    expect(await violation(failing)).toEqual({
      kind: 'check',
      constraint: 'administration_actions_author_check',
    });
    expect(await PLANS.lock(database.sql, plan.id)).toBeUndefined();
  });
});

describe('every storable value', () => {
  const price = fc.oneof(
    fc.constantFrom(0, 0.1, 0.1 + 0.2, 1e-7, 5e-324, 0.000_000_15, 1e21),
    fc.double({ min: 0, max: 1e6, noNaN: true, noDefaultInfinity: true }).map(Math.abs),
  );
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'NULL', '"', '\\', '{a,b}', "'; --"));
  const storableText = text.map((one) => one.replaceAll('\0', ''));

  it('of a model is read back and recorded exactly, prices to the last digit', async () => {
    const { id: provider } = await declareProvider('exact');
    const values = fc.record({ name: storableText, inputPrice: price, outputPrice: price });
    const cached = fc.record({ cachedInputPrice: fc.option(price), cacheWritePrice: fc.option(price) });
    await fc.assert(
      fc.asyncProperty(values, cached, async (some, others) => {
        const model = { ...aModel(provider, 'exact'), ...some, ...others };
        const { result, entries } = await administer(async (act) => {
          await declareThing(act, MODELS, model);
          const found = await MODELS.lock(act.sql, model.id);
          await deleteThing(act, MODELS, model);
          return found;
        });
        expect(result).toEqual(model);
        expect(entries.map(({ before, after }) => [before, after])).toEqual([
          [null, model],
          [model, null],
        ]);
      }),
      { numRuns: 30 },
    );
  });

  it('of an endpoint is read back exactly, and so are its paths', async () => {
    const { id: provider } = await declareProvider('paths');
    const { id: model } = await declareModel(provider, 'paths');
    const endpoint = anEndpoint(model, 'paths');
    await administer((act) => declareThing(act, ENDPOINTS, endpoint));
    await fc.assert(
      fc.asyncProperty(fc.array(storableText, { maxLength: 5 }), fc.boolean(), async (paths, active) => {
        const after = { ...endpoint, paths, active };
        const { result } = await administer(async (act) => {
          await changeThing(act, ENDPOINTS, endpoint, after);
          return ENDPOINTS.lock(act.sql, endpoint.id);
        });
        expect(result).toEqual(after);
      }),
      { numRuns: 30 },
    );
  });

  it('of a plan is read back exactly, also without a cap and without thresholds', async () => {
    const cap = fc.option(price);
    const thresholds = fc.uniqueArray(fc.integer({ min: 1, max: 1000 }), { maxLength: 5 });
    const plan = aPlan('caps');
    await administer((act) => declareThing(act, PLANS, plan));
    await fc.assert(
      fc.asyncProperty(cap, thresholds, storableText, async (monthlyCap, alertThresholds, name) => {
        const after = { ...plan, monthlyCap, alertThresholds, name };
        const { result } = await administer(async (act) => {
          await changeThing(act, PLANS, plan, after);
          return PLANS.lock(act.sql, plan.id);
        });
        expect(result).toEqual(after);
      }),
      { numRuns: 30 },
    );
  });
});

describe('the schema refuses, and names its rule', () => {
  it('a name that is in use', async () => {
    const { id: provider } = await declareProvider('taken');
    const { id: model } = await declareModel(provider, 'taken');
    await administer((act) => declareThing(act, ENDPOINTS, anEndpoint(model, 'taken')));
    await administer((act) => declareThing(act, PLANS, aPlan('taken')));
    const again = await Promise.all([
      violation(declareProvider('taken')),
      violation(declareModel(provider, 'taken')),
      violation(administer((act) => declareThing(act, ENDPOINTS, anEndpoint(model, 'taken')))),
      violation(administer((act) => declareThing(act, PLANS, aPlan('taken')))),
    ]);
    expect(again).toEqual([
      { kind: 'taken', constraint: 'providers_slug_key' },
      { kind: 'taken', constraint: 'models_provider_id_slug_key' },
      { kind: 'taken', constraint: 'endpoints_name_key' },
      { kind: 'taken', constraint: 'plans_slug_key' },
    ]);
  });

  it('no model of the same name of another provider', async () => {
    const one = await declareProvider('first-of-two');
    const other = await declareProvider('second-of-two');
    await declareModel(one.id, 'shared-name');
    expect(await violation(declareModel(other.id, 'shared-name'))).toBeUndefined();
  });

  it('a reference to what does not exist', async () => {
    expect(await violation(declareModel(uuid(), 'lost'))).toEqual({
      kind: 'reference',
      constraint: 'models_provider_id_fkey',
    });
    expect(await violation(administer((act) => declareThing(act, ENDPOINTS, anEndpoint(uuid(), 'lost'))))).toEqual({
      kind: 'reference',
      constraint: 'endpoints_model_id_fkey',
    });
  });

  it('a standby of the same provider, however it comes about', async () => {
    const [one, other] = [await declareProvider('standby-one'), await declareProvider('standby-other')];
    const [first, same, second] = [
      await declareModel(one.id, 'standby-first'),
      await declareModel(one.id, 'standby-same'),
      await declareModel(other.id, 'standby-second'),
    ];
    const endpoint = { ...anEndpoint(first.id, 'with-standby'), standby: second.id };
    await administer((act) => declareThing(act, ENDPOINTS, endpoint));
    expect(await ENDPOINTS.lock(database.sql, endpoint.id)).toEqual(endpoint);
    const change = (after: Endpoint) => administer((act) => changeThing(act, ENDPOINTS, endpoint, after));
    const refused = [
      () => change({ ...endpoint, standby: same.id }),
      () => change({ ...endpoint, model: second.id }),
      () => database.sql`update models set provider_id = ${one.id} where id = ${second.id}`,
      () => database.sql`update models set provider_id = ${other.id} where id = ${first.id}`,
    ];
    for (const attempt of refused)
      expect(await violation(attempt())).toEqual({ kind: 'check', constraint: 'endpoints_standby_provider' });
    expect(await violation(administer((act) => deleteThing(act, MODELS, second)))).toEqual({
      kind: 'reference',
      constraint: 'endpoints_standby_model_id_fkey',
    });
    expect(await violation(change({ ...endpoint, standby: null }))).toBeUndefined();
  });

  it('the deletion of what is in use, and leaves it with all that refers to it', async () => {
    const provider = await declareProvider('used');
    const model = await declareModel(provider.id, 'used');
    const plan = aPlan('used');
    await administer((act) => declareThing(act, ENDPOINTS, anEndpoint(model.id, 'used')));
    await administer((act) => declareThing(act, PLANS, plan));
    await database.sql`insert into accounts (id, username, origin, plan_id) values (${uuid()}, 'ada', 'local', ${plan.id})`;
    const before = await countActs();
    const refused = await Promise.all([
      violation(administer((act) => deleteThing(act, PROVIDERS, provider))),
      violation(administer((act) => deleteThing(act, MODELS, model))),
      violation(administer((act) => deleteThing(act, PLANS, plan))),
    ]);
    expect(refused).toEqual([
      { kind: 'reference', constraint: 'models_provider_id_fkey' },
      { kind: 'reference', constraint: 'endpoints_model_id_fkey' },
      { kind: 'reference', constraint: 'accounts_plan_id_fkey' },
    ]);
    expect(await countActs()).toBe(before);
    expect(await PROVIDERS.lock(database.sql, provider.id)).toEqual(provider);
  });

  it.each([
    ['a name with a slash', 'a/b'],
    ['a name that begins with a dot', '.hidden'],
    ['a name of 65 characters', 'n'.repeat(65)],
    ['an empty name', ''],
    ['the address of the models', 'v'],
    ['the address of agents', '_agent-execution'],
  ])('%s of an endpoint', async (_, name) => {
    const [model] = await database.sql<{ id: string }[]>`select id from models limit 1`;
    const declared = administer((act) => declareThing(act, ENDPOINTS, anEndpoint(model?.id ?? '', name)));
    expect(await violation(declared)).toEqual({ kind: 'check', constraint: 'endpoints_name_check' });
  });

  it('an engine without encryption, unless an administrator acknowledged it', async () => {
    const provider = { ...aProvider('clear'), baseUrl: 'http://engine.example' };
    const declared = administer((act) => declareThing(act, PROVIDERS, provider));
    expect(await violation(declared)).toEqual({ kind: 'check', constraint: 'providers_check' });
    const acknowledged = { ...provider, clearTextAcknowledged: true };
    expect(await violation(administer((act) => declareThing(act, PROVIDERS, acknowledged)))).toBeUndefined();
  });

  it('a negative price or cap', async () => {
    const { id: provider } = await declareProvider('negative');
    const model = { ...aModel(provider, 'negative'), cachedInputPrice: -0.1 };
    expect(await violation(administer((act) => declareThing(act, MODELS, model)))).toMatchObject({
      constraint: 'models_cached_input_price_check',
    });
    const plan = { ...aPlan('negative'), monthlyCap: -1 };
    expect(await violation(administer((act) => declareThing(act, PLANS, plan)))).toMatchObject({
      constraint: 'plans_monthly_cap_check',
    });
  });
});
