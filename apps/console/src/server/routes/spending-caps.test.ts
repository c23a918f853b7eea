import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestConsole, unique } from '../../testing/console.ts';
import { type PricedConsole, startPricedConsole } from '../../testing/priced-console.ts';

let here: TestConsole;
let use: PricedConsole['use'];
beforeAll(async () => {
  ({ console: here, use } = await startPricedConsole());
});
afterAll(() => here.stop());

describe('spending', () => {
  const plan = async (monthlyCap: number | null) =>
    (await here.pair.create('/api/plans', { slug: unique('plan'), name: 'p', monthlyCap })).id;
  const user = async (planId: string | null) =>
    (await here.pair.create('/api/users', { username: unique('capped'), plan: planId })).username as string;
  it('is listed by how near it is to the cap, those without one last', async () => {
    const [ten, none, zero] = [await plan(10), await plan(null), await plan(0)];
    const [near, far, free, planless, out] = [
      await user(ten),
      await user(ten),
      await user(none),
      await user(null),
      await user(zero),
    ];
    await use(
      { subject: near, model: 'dear', input: 4, output: 2 },
      { subject: far, model: 'dear', input: 1, output: 0 },
    );
    await use({ subject: near, model: 'dear', input: 100, output: 0, at: '2020-01-01T00:00:00.000Z' });
    const { json } = await here.pair.get('/api/spending-caps?search=capped&limit=500');
    const rows = json.spendingCaps.map((row: Record<string, unknown>) => [
      row['username'],
      row['spent'],
      row['monthlyCap'],
      row['share'],
    ]);
    expect(rows).toEqual([
      [out, 0, 0, 1],
      [near, 8, 10, 0.8],
      [far, 1, 10, 0.1],
      ...[free, planless].toSorted().map((name) => [name, 0, null, null]),
    ]);
    expect(json.spendingCaps[1].plan).toMatchObject({ id: ten });
    const seen: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await here.pair.get(`/api/spending-caps?search=capped&limit=1${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.json.spendingCaps.map(({ username }: { username: string }) => username));
      cursor = page.json.next;
    }
    expect(seen).toEqual(rows.map(([username]: [string]) => username));
    expect((await here.pair.get(`/api/spending-caps?plan=${none}`)).json.spendingCaps).toHaveLength(1);
  });
  it('still counts a model that was deleted', async () => {
    const subject = await user(await plan(100));
    const [provider] = (await here.pair.get('/api/providers')).json.providers;
    const gone = await here.pair.create('/api/models', {
      slug: 'gone',
      name: 'gone',
      provider: provider.id,
      inputPrice: 1,
      outputPrice: 1,
    });
    await here.database.sql`
      insert into request_logs (id, timestamp, subject, endpoint, model, model_id, input_tokens, output_tokens, latency_ms, usage_source, interrupted)
      values (gen_random_uuid(), now(), ${subject}, 'chat', 'gone', ${gone.id}, 3, 4, 1, 'reported', false)`;
    await here.pair.delete(`/api/models/${gone.id}`);
    expect((await here.pair.get(`/api/spending-caps?search=${subject}`)).json.spendingCaps[0].spent).toBe(7);
    expect((await here.pair.get(`/api/usage?subject=${subject}`)).json.usage[0].cost).toBe(7);
  });
});
