import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestConsole, type TestConsole, unique } from '../../testing/console.ts';

let here: TestConsole;
let provider: { id: string };
beforeAll(async () => {
  here = await startTestConsole();
  provider = await here.pair.create('/api/providers', { slug: 'p', name: 'p', baseUrl: 'https://engine.example' });
});
afterAll(() => here.stop());

const NOBODY = '01890000-0000-7000-8000-000000000000';
const model = (more: Record<string, unknown> = {}) => {
  const slug = unique('model');
  return { slug, name: slug, provider: provider.id, inputPrice: 0.000001, outputPrice: 0.000002, ...more };
};
const newModel = (more: Record<string, unknown> = {}) => here.pair.create('/api/models', model(more));
const newEndpoint = async (more: Record<string, unknown> = {}) =>
  here.pair.create('/api/endpoints', { name: unique('endpoint'), model: (await newModel()).id, ...more });

describe('a model', () => {
  it('is created with its fields, and listed', async () => {
    const asked = model();
    const made = await here.pair.create('/api/models', asked);
    expect(made).toEqual({
      id: expect.any(String),
      ...asked,
      cachedInputPrice: null,
      cacheWritePrice: null,
      priceUnit: 'EUR per token',
    });
    expect((await here.pair.get('/api/models?limit=500')).json.models).toContainEqual(made);
  });
  it.each([0, 1, 1e-9, 0.1, 123_456.789, 2.5e-7])('keeps the price %d exactly', async (inputPrice) => {
    expect((await newModel({ inputPrice })).inputPrice).toBe(inputPrice);
    const [row] = await here.database.sql`select input_price from models order by id desc limit 1`;
    expect(Number(row?.['input_price'])).toBe(inputPrice);
  });
  it.each([
    ['inputPrice', -0.000001],
    ['inputPrice', 'free'],
    ['inputPrice', null],
    ['inputPrice', {}],
    ['inputPrice', 1e300],
    ['cachedInputPrice', -1],
    ['cacheWritePrice', 'free'],
    ['outputPrice', undefined],
    ['slug', ''],
    ['slug', 'a\tb'],
    ['provider', 'p'],
    ['provider', undefined],
    ['provider', NOBODY],
  ])('is refused with %s %j', async (field, value) => {
    const reply = await here.pair.post('/api/models', model({ [field]: value }));
    expect([reply.status, Object.keys(reply.json.fields)]).toEqual([400, [field]]);
  });
  it('keeps prices of its cache, which are optional, and takes them back', async () => {
    const made = await newModel({ cachedInputPrice: 0, cacheWritePrice: 1.25e-6 });
    expect(made).toMatchObject({ cachedInputPrice: 0, cacheWritePrice: 1.25e-6 });
    const reply = await here.pair.patch(`/api/models/${made.id}`, { cachedInputPrice: null });
    expect(reply.json).toEqual({ ...made, cachedInputPrice: null });
  });
  it('may have the slug that an engine gives it', async () => {
    const slug = `meta-llama/Llama 3.1:8b@${unique('x')}`;
    expect((await newModel({ slug })).slug).toBe(slug);
  });
  it('has a slug of its own within its provider', async () => {
    const made = await newModel();
    expect((await here.pair.post('/api/models', model({ slug: made.slug }))).status).toBe(409);
    const other = await here.pair.create('/api/providers', {
      slug: unique('p'),
      name: 'o',
      baseUrl: 'https://o.example',
    });
    expect(await newModel({ slug: made.slug, provider: other.id })).toMatchObject({ slug: made.slug });
    const listed = await here.pair.get(`/api/models?provider=${other.id}`);
    expect(listed.json.models).toHaveLength(1);
  });
  it('takes new prices and a new name', async () => {
    const made = await newModel();
    const reply = await here.pair.patch(`/api/models/${made.id}`, { inputPrice: 0.5, name: 'Another' });
    expect([reply.status, reply.json]).toEqual([200, { ...made, inputPrice: 0.5, name: 'Another' }]);
    expect((await here.pair.patch(`/api/models/${made.id}`, { provider: NOBODY })).status).toBe(400);
    expect((await here.pair.patch(`/api/models/${NOBODY}`, {})).status).toBe(404);
  });
  it('is deleted when no endpoint serves it', async () => {
    const made = await newModel();
    await here.pair.create('/api/endpoints', { name: unique('endpoint'), model: made.id });
    expect((await here.pair.delete(`/api/models/${made.id}`)).status).toBe(409);
    expect((await here.pair.delete(`/api/models/${(await newModel()).id}`)).status).toBe(204);
    expect((await here.pair.delete(`/api/models/${NOBODY}`)).status).toBe(404);
  });
  it('comes page by page, slugs that two providers share included', async () => {
    const slug = unique('shared');
    for (let n = 0; n < 3; n += 1) {
      const own = await here.pair.create('/api/providers', {
        slug: unique('p'),
        name: 'o',
        baseUrl: 'https://o.example',
      });
      await newModel({ slug, provider: own.id });
    }
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { json } = await here.pair.get(`/api/models?limit=1${cursor && `&cursor=${cursor}`}`);
      seen.push(...json.models.map(({ slug }: { slug: string }) => slug));
      cursor = json.next;
    }
    expect(seen.filter((found) => found === slug)).toHaveLength(3);
  });
});

describe('an endpoint', () => {
  // console-14
  it('is active when it is new', async () => {
    const made = await newEndpoint();
    expect(made).toMatchObject({ standby: null, active: true, paths: [] });
    expect((await here.pair.get(`/api/endpoints?model=${made.model}`)).json.endpoints).toEqual([made]);
  });
  it('is disabled, enabled, renamed and given another model', async () => {
    const made = await newEndpoint();
    const other = await newModel();
    const name = unique('renamed');
    for (const change of [{ active: false }, { active: true }, { name }, { model: other.id }]) {
      const reply = await here.pair.patch(`/api/endpoints/${made.id}`, change);
      expect([reply.status, reply.json]).toEqual([200, expect.objectContaining(change)]);
    }
    const { json } = await here.pair.get(`/api/endpoints?model=${other.id}`);
    expect(json.endpoints).toEqual([{ ...made, name, model: other.id }]);
  });
  it('has a standby of another provider, which is not deleted meanwhile', async () => {
    const other = await newModel({
      provider: (
        await here.pair.create('/api/providers', { slug: unique('p'), name: 'p', baseUrl: 'https://other.example' })
      ).id,
    });
    const made = await newEndpoint({ standby: other.id });
    expect(made.standby).toBe(other.id);
    expect((await here.pair.get(`/api/endpoints?model=${other.id}`)).json.endpoints).toEqual([made]);
    const removed = await here.pair.delete(`/api/models/${other.id}`);
    expect([removed.status, removed.json.error]).toEqual([
      409,
      'This model cannot be deleted: the standby of an endpoint refers to it.',
    ]);
    for (const standby of [made.model, (await newModel({ provider: other.provider })).id]) {
      const before = standby === made.model ? {} : { model: other.id };
      const reply = await here.pair.patch(`/api/endpoints/${made.id}`, { ...before, standby });
      expect([reply.status, reply.json.fields]).toEqual([
        400,
        { standby: 'must be a model of another provider than that of the model' },
      ]);
    }
    const nobody = await here.pair.patch(`/api/endpoints/${made.id}`, { standby: NOBODY });
    expect([nobody.status, nobody.json.fields]).toEqual([400, { standby: 'must be the id of one that exists' }]);
    expect((await here.pair.patch(`/api/endpoints/${made.id}`, { standby: null })).json.standby).toBeNull();
    expect((await here.pair.delete(`/api/models/${other.id}`)).status).toBe(204);
  });
  it.each(['v', 'ide', '_agent-execution', '', '-a', '.a', '_a', 'a b', 'a/b', 'é', 'a\n', 'a'.repeat(65), 7, null])(
    'is not called %j, neither when it is made nor when it is renamed',
    async (name) => {
      const made = await newEndpoint();
      for (const reply of [
        await here.pair.post('/api/endpoints', { name, model: made.model }),
        await here.pair.patch(`/api/endpoints/${made.id}`, { name }),
      ]) {
        expect([reply.status, Object.keys(reply.json.fields)]).toEqual([400, ['name']]);
      }
    },
  );
  // console-13
  it('may have a name of 64 characters, or one that looks like a reserved one', async () => {
    for (const name of ['n'.repeat(64), 'V', 'vv', 'v1', 'IDE', 'a.b_c-d', '0']) {
      expect((await newEndpoint({ name })).name).toBe(name);
    }
  });
  it('declares the paths that callers may use, or none', async () => {
    const paths = ['/chat/completions', '/v1beta/models/*:generateContent', '/a"b,{c}'];
    const made = await newEndpoint({ paths });
    expect(made.paths).toEqual(paths);
    const reply = await here.pair.patch(`/api/endpoints/${made.id}`, { paths: [] });
    expect(reply.json).toEqual({ ...made, paths: [] });
  });
  it.each([
    [['chat']],
    [['/a b']],
    [['/a?b']],
    [['/a/../b']],
    [['/a', '/a']],
    ['/a'],
    [null],
    [[7]],
    [Array.from({ length: 51 }, (_, index) => `/${index}`)],
  ])('is refused with the paths %j', async (paths) => {
    const reply = await here.pair.post('/api/endpoints', { name: unique('e'), model: (await newModel()).id, paths });
    expect([reply.status, Object.keys(reply.json.fields)[0]]).toEqual([400, expect.stringMatching(/^paths/)]);
  });
  it('has a name of its own', async () => {
    const [one, two] = [await newEndpoint(), await newEndpoint()];
    expect((await here.pair.post('/api/endpoints', { name: one.name, model: one.model })).status).toBe(409);
    expect((await here.pair.patch(`/api/endpoints/${two.id}`, { name: one.name })).status).toBe(409);
  });
  it('serves a model that exists', async () => {
    const made = await newEndpoint();
    for (const reply of [
      await here.pair.post('/api/endpoints', { name: unique('e'), model: NOBODY }),
      await here.pair.patch(`/api/endpoints/${made.id}`, { model: NOBODY }),
    ]) {
      expect([reply.status, Object.keys(reply.json.fields)]).toEqual([400, ['model']]);
    }
  });
  it('is found by a part of its name, or of its model or provider, in any case', async () => {
    const rare = await here.pair.create('/api/providers', {
      slug: 'rare-slug',
      name: 'Rare',
      baseUrl: 'https://x.example',
    });
    const served = await newModel({ provider: rare.id, name: 'Owl 7B' });
    const owl = await newEndpoint({ name: 'night', model: served.id });
    const found = async (of: string, search: string) =>
      ((await here.pair.get(`/api/${of}?search=${search}`)).json[of] as { id: string }[]).map(({ id }) => id);
    for (const search of ['NIGHT', 'owl', 'rare-s']) expect(await found('endpoints', search)).toEqual([owl.id]);
    for (const search of ['owl', 'RARE']) expect(await found('models', search)).toEqual([served.id]);
    for (const search of ['rare', 'x.example']) expect(await found('providers', search)).toEqual([rare.id]);
    expect(await found('endpoints', '%25')).toEqual([]);
  });
  it('is deleted once', async () => {
    const made = await newEndpoint();
    expect((await here.pair.delete(`/api/endpoints/${made.id}`)).status).toBe(204);
    expect((await here.pair.delete(`/api/endpoints/${made.id}`)).status).toBe(404);
    expect((await here.pair.patch(`/api/endpoints/${made.id}`, { active: true })).status).toBe(404);
  });
});
