import { USAGE_COLUMNS } from '@gateway/domain/usage/console-records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestConsole, unique } from '../../testing/console.ts';
import { type PricedConsole, startPricedConsole } from '../../testing/priced-console.ts';

let here: TestConsole;
let models: PricedConsole['models'];
let use: PricedConsole['use'];
beforeAll(async () => {
  ({ console: here, models, use } = await startPricedConsole());
});
afterAll(() => here.stop());

describe('usage records', () => {
  // console-22
  it('are listed with their cost at the price of now', async () => {
    const subject = unique('spender');
    await use({ subject, input: 10, output: 5, latency: 42 });
    const { json } = await here.pair.get(`/api/usage?subject=${subject}`);
    expect(json.usage).toMatchObject([
      {
        id: expect.any(String),
        timestamp: expect.stringMatching(/Z$/),
        subject,
        endpoint: 'chat',
        model: 'cheap',
        provider: 'p',
        inputTokens: 10,
        cachedInputTokens: 0,
        cacheWriteTokens: 0,
        outputTokens: 5,
        latencyMs: 42,
        usageSource: 'reported',
        interrupted: false,
        cost: 0.02,
        pricedAs: 'current',
        inputPrice: 0.001,
        cachedInputPrice: 0.001,
        cacheWritePrice: 0.001,
        outputPrice: 0.002,
      },
    ]);
    await here.pair.patch(`/api/models/${models.cheap}`, { inputPrice: 0.002 });
    expect((await here.pair.get(`/api/usage?subject=${subject}`)).json.usage[0].cost).toBe(0.03);
    await here.pair.patch(`/api/models/${models.cheap}`, { inputPrice: 0.001 });
  });
  it('are chosen by subject, endpoint, model and period, page by page', async () => {
    const subject = unique('spender');
    await use(
      { subject, at: '2026-03-01T00:00:00.000Z' },
      { subject, at: '2026-03-02T00:00:00.000Z', endpoint: 'code' },
      { subject, at: '2026-03-03T00:00:00.000Z', model: 'dear' },
      { subject, at: '2026-03-03T00:00:00.000Z' },
    );
    const count = async (query: string) =>
      (await here.pair.get(`/api/usage?subject=${subject}&${query}`)).json.usage.length;
    expect([
      await count('endpoint=code'),
      await count('model=dear'),
      await count('until=2026-03-02T00:00:00Z'),
    ]).toEqual([1, 1, 1]);
    expect([await count('from=2026-03-02T00:00:00Z'), await count('from=2026-03-02T02:00:00%2B02:00')]).toEqual([3, 3]);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { json } = await here.pair.get(`/api/usage?subject=${subject}&limit=1${cursor && `&cursor=${cursor}`}`);
      seen.push(...json.usage.map(({ id }: { id: string }) => id));
      cursor = json.next;
    }
    expect(new Set(seen).size).toBe(4);
    expect(seen).toHaveLength(4);
  });
  it('are a file, for the shared pair', async () => {
    const { text, headers } = await here.pair.get('/api/usage', { accept: 'text/csv' });
    expect(headers.get('content-type')).toMatch(/^text\/csv/);
    expect(text.split('\r\n')[0]).toBe(Object.keys(USAGE_COLUMNS).join(','));
  });
  it('name their filters', async () => {
    const [subject, endpoint] = [unique('spender'), unique('endpoint')];
    await use({ subject, endpoint }, { subject, endpoint }, { subject });
    const { json } = await here.pair.get('/api/usage/filters');
    expect(json).toEqual({
      subjects: expect.arrayContaining([subject]),
      endpoints: expect.arrayContaining([endpoint, 'chat']),
      models: expect.arrayContaining(['cheap', 'dear'].map((slug) => ({ slug, provider: 'p' }))),
    });
    expect(new Set(json.subjects).size).toBe(json.subjects.length);
  });
  it('of the caller are readable by every caller, those of others are not', async () => {
    const caller = await here.holder('utilisateur-standard');
    await use({ subject: caller.username }, { subject: unique('other') });
    const { json } = await caller.get('/api/usage/own');
    expect(json.usage).toMatchObject([{ subject: caller.username }]);
    expect((await caller.get('/api/usage/own?subject=somebody')).status).toBe(400);
    expect((await here.pair.get('/api/usage/own')).json.usage).toEqual([]);
  });
});

describe('prices', () => {
  // console-24
  it('of a closed month are those that it ended with, of the current one those of now', async () => {
    const subject = unique('spender');
    const { id } = (await here.pair.get('/api/models')).json.models.find(
      ({ slug }: { slug: string }) => slug === 'dear',
    );
    await use({ subject, model: 'dear', at: '2026-01-15T00:00:00.000Z' }, { subject, model: 'dear' });
    const costs = async () =>
      (await here.pair.get(`/api/usage?subject=${subject}`)).json.usage.map(
        (row: { cost: number; pricedAs: string; inputPrice: number }) => [row.pricedAs, row.inputPrice, row.cost],
      );
    const total = async () =>
      (await here.pair.get(`/api/usage/summary?subject=${subject}&stretch=month`)).json.series.map(
        ({ cost }: { cost: number }) => cost,
      );
    for (const inputPrice of [5, 7]) await here.pair.patch(`/api/models/${id}`, { inputPrice });
    expect(await costs()).toEqual([
      ['current', 7, 80],
      ['month-end', 1, 20],
    ]);
    expect(await total()).toEqual([20, 80]);
    await here.pair.patch(`/api/models/${id}`, { inputPrice: 1 });
    expect(await costs()).toMatchObject([
      ['current', 1, 20],
      ['month-end', 1, 20],
    ]);
  });
  it('of cached input are their own, or the input price where there are none', async () => {
    const subject = unique('spender');
    const id = models.cheap;
    await here.database.sql`
      insert into request_logs (id, timestamp, subject, endpoint, model, model_id, input_tokens, cached_input_tokens,
        cache_write_tokens, output_tokens, latency_ms, usage_source, interrupted)
      values (gen_random_uuid(), now(), ${subject}, 'chat', 'cheap', ${id}, 1000, 800, 100, 0, 1, 'reported', false)`;
    const cost = async () => (await here.pair.get(`/api/usage?subject=${subject}`)).json.usage[0].cost;
    expect(await cost()).toBe(1);
    await here.pair.patch(`/api/models/${id}`, { cachedInputPrice: 0.0001, cacheWritePrice: 0.002 });
    expect(await cost()).toBeCloseTo(0.38, 12);
    await here.pair.patch(`/api/models/${id}`, { cachedInputPrice: null, cacheWritePrice: null });
    expect(await cost()).toBe(1);
  });
});

describe('two models of one slug', () => {
  it('are two rows, and chosen by their provider', async () => {
    const subject = unique('spender');
    const slug = unique('twin');
    for (const price of [1, 2]) {
      const name = unique('provider');
      const provider = await here.pair.create('/api/providers', { slug: name, name, baseUrl: 'https://e.example' });
      const model = { slug, name: slug, provider: provider.id, inputPrice: price, outputPrice: 0 };
      const { id } = await here.pair.create('/api/models', model);
      await here.database.sql`
        insert into request_logs (id, timestamp, subject, endpoint, model, model_id, input_tokens, output_tokens, latency_ms, usage_source, interrupted)
        values (gen_random_uuid(), now(), ${subject}, 'chat', ${slug}, ${id}, 10, 0, 1, 'reported', false)`;
    }
    const summary = (await here.pair.get(`/api/usage/summary?subject=${subject}`)).json;
    expect(summary.models).toMatchObject([
      { name: slug, cost: 20 },
      { name: slug, cost: 10 },
    ]);
    expect(summary.counts.models).toBe(2);
    const { provider } = summary.models[0];
    const chosen = await here.pair.get(`/api/usage?model=${slug}&provider=${provider}`);
    expect(chosen.json.usage).toMatchObject([{ provider, cost: 20 }]);
    const filters = (await here.pair.get('/api/usage/filters')).json.models;
    expect(filters.filter((model: { slug: string }) => model.slug === slug)).toHaveLength(2);
  });
});

describe('the sums of usage', () => {
  it('agree with the records, by time, endpoint, model and subject', async () => {
    const [one, two] = [unique('spender'), unique('spender')];
    await use(
      { subject: one, at: '2026-04-01T01:00:00.000Z', latency: 100 },
      { subject: one, at: '2026-04-01T23:00:00.000Z', latency: 300, interrupted: true },
      {
        subject: two,
        at: '2026-04-02T01:00:00.000Z',
        endpoint: 'code',
        model: 'dear',
        source: 'estimated',
        latency: 200,
      },
    );
    const period = 'from=2026-04-01T00:00:00Z&until=2026-05-01T00:00:00Z';
    const reader = await here.holder('administrateur-d-instance');
    const { json } = await reader.get(`/api/usage/summary?${period}`);
    const sums = {
      requests: 1,
      interrupted: 0,
      estimated: 0,
      inputTokens: 10,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 5,
      cost: 0.02,
      latencyMs: 100,
    };
    expect(json.totals).toEqual({
      ...sums,
      requests: 3,
      interrupted: 1,
      estimated: 1,
      inputTokens: 30,
      outputTokens: 15,
      cost: 20.04,
      latencyMs: 200,
    });
    const cheap = {
      ...sums,
      requests: 2,
      interrupted: 1,
      inputTokens: 20,
      outputTokens: 10,
      cost: 0.04,
      latencyMs: 200,
    };
    const dear = { ...sums, estimated: 1, cost: 20, latencyMs: 200 };
    expect(json.series).toEqual([
      { name: '2026-04-01T00:00:00.000Z', ...cheap },
      { name: '2026-04-02T00:00:00.000Z', ...dear },
    ]);
    // The dearest first.
    expect(json.endpoints).toEqual([
      { name: 'code', ...dear },
      { name: 'chat', ...cheap },
    ]);
    expect(json.models).toEqual([
      { name: 'dear', provider: 'p', ...dear },
      { name: 'cheap', provider: 'p', ...cheap },
    ]);
    expect(json.subjects).toEqual([
      { name: two, ...dear },
      { name: one, ...cheap },
    ]);
    expect(json.counts).toEqual({ endpoints: 2, models: 2, subjects: 2 });
    const days = 'from=2026-04-01T00:00:00Z&until=2026-04-03T00:00:00Z';
    const hours = await reader.get(`/api/usage/summary?${days}&stretch=hour&subject=${one}`);
    expect(hours.json.series.map(({ name }: { name: string }) => name)).toEqual([
      '2026-04-01T01:00:00.000Z',
      '2026-04-01T23:00:00.000Z',
    ]);
  });
  it('are nothing where nothing was used', async () => {
    const { json } = await here.pair.get('/api/usage/summary?subject=nobody');
    expect(json).toMatchObject({ totals: { requests: 0, cost: 0, latencyMs: null }, series: [], subjects: [] });
  });
  it.each(['stretch=week', 'from=yesterday', 'colour=red'])('are refused for %s', async (query) => {
    expect((await here.pair.get(`/api/usage/summary?${query}`)).status).toBe(400);
  });
  it('of a project are those of its members, for its administrator', async () => {
    const project = unique('project');
    const administrator = await here.holder({ role: 'administrateur-de-projet', project });
    const [member, stranger] = [unique('member'), unique('stranger')];
    await here.pair.create(`/api/projects/${project}/members`, { subject: member });
    await use({ subject: member }, { subject: stranger });
    const { json } = await administrator.get(`/api/projects/${project}/usage`);
    expect(json.subjects).toMatchObject([{ name: member, requests: 1 }]);
    expect((await administrator.get('/api/projects/other/usage')).status).toBe(403);
  });
});
