import { createSigner, generateSigningKey } from '@gateway/ledger';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestConsole, type TestConsole, unique } from '../../testing/console.ts';
import type { JobServices } from '../http/background-jobs.ts';
import { budgetAlertJob } from './billing.ts';

let here: TestConsole;
let model: string;
let consoles: readonly JobServices[];
beforeAll(async () => {
  here = await startTestConsole();
  const provider = await here.pair.create('/api/providers', { slug: 'p', name: 'p', baseUrl: 'https://e.example' });
  const prices = { inputPrice: 1, outputPrice: 1 };
  model = (await here.pair.create('/api/models', { slug: 'm', name: 'm', provider: provider.id, ...prices })).id;
  consoles = [0, 1, 2].map(() => ({ database: here.database.sql, signer: createSigner(generateSigningKey()) }));
});
afterAll(() => here.stop());
beforeEach(async () => {
  await here.database.sql`delete from budget_alerts`;
  await here.database.sql`delete from accounts where username like 'spender%'`;
});

/** An account on a plan with a cap of 100 €, and these thresholds. */
async function spender(alertThresholds: readonly number[], monthlyCap: number | null = 100) {
  const slug = unique('plan');
  const plan = await here.pair.create('/api/plans', { slug, name: slug, monthlyCap, alertThresholds });
  const username = unique('spender');
  const user = await here.pair.create('/api/users', { username, plan: plan.id });
  return { username, plan, user };
}
/** A token costs a euro. */
const spend = (subject: string, tokens: number, at = new Date()) => here.database.sql`
  insert into request_logs (id, timestamp, subject, endpoint, model, model_id, input_tokens, output_tokens, latency_ms, usage_source, interrupted)
  values (gen_random_uuid(), ${at}, ${subject}, 'chat', 'm', ${model}, ${tokens}, 0, 1, 'reported', false)`;
const look = () => Promise.all(consoles.map((at) => budgetAlertJob.run(at)));
const alertsOf = async (subject: string) => {
  const { json } = await here.pair.get(`/api/budget-alerts?subject=${subject}&sort=threshold`);
  return json.budgetAlerts as { threshold: number; spent: number; cap: number; plan: string; month: string }[];
};
const thresholdsOf = async (subject: string) => (await alertsOf(subject)).map(({ threshold }) => threshold);
const recordedOf = async (subject: string) => {
  const { sql } = here.database;
  return sql<{ author: string; value: string }[]>`
    select author, new_value as value from administration_actions
    where action = 'budget.alert' and target = ${`subject:${subject}`} order by sequence`;
};

// console-25
describe('a budget alert', () => {
  it('comes when spending reaches a threshold, once, however many consoles look, and is recorded', async () => {
    const { username, plan } = await spender([50, 80, 100]);
    await spend(username, 49);
    await look();
    expect(await alertsOf(username)).toEqual([]);
    await spend(username, 31);
    await look();
    await look();
    const month = `${new Date().toISOString().slice(0, 7)}-01`;
    const alert = { plan: plan.slug, month, cap: 100, spent: 80 };
    expect(await alertsOf(username)).toMatchObject([
      { ...alert, threshold: 50 },
      { ...alert, threshold: 80 },
    ]);
    const recorded = await recordedOf(username);
    expect(recorded.map(({ author }) => author)).toEqual(['budget-alerts', 'budget-alerts']);
    expect(recorded.map(({ value }) => JSON.parse(value) as unknown)).toEqual([
      { ...alert, threshold: 50 },
      { ...alert, threshold: 80 },
    ]);
    await spend(username, 20);
    await look();
    expect(await thresholdsOf(username)).toEqual([50, 80, 100]);
  });

  it('comes for each of many accounts, each once', async () => {
    const { plan } = await spender([10]);
    const { sql } = here.database;
    await sql`
      insert into accounts (id, username, origin, plan_id)
      select gen_random_uuid(), 'spender-' || n, 'local', ${plan.id} from generate_series(1, 120) n`;
    await sql`
      insert into request_logs (id, timestamp, subject, endpoint, model, model_id, input_tokens, output_tokens, latency_ms, usage_source, interrupted)
      select gen_random_uuid(), now(), 'spender-' || n, 'chat', 'm', ${model}, 10, 0, 1, 'reported', false
      from generate_series(1, 120) n`;
    const recordedNow = async () =>
      (
        await sql<{ n: number }[]>`
        select count(*)::int as n from administration_actions where action = 'budget.alert'`
      )[0]?.n ?? 0;
    const before = await recordedNow();
    await look();
    const [found] = await sql`
      select count(*)::int as alerts, count(distinct subject)::int as subjects from budget_alerts`;
    expect(found).toEqual({ alerts: 120, subjects: 120 });
    expect((await recordedNow()) - before).toBe(120);
  });

  it('does not come without a threshold, a cap or a plan', async () => {
    const none = await spender([]);
    const unlimited = await spender([50], null);
    const zero = await spender([50], 0);
    const planless = unique('spender');
    await here.pair.create('/api/users', { username: planless });
    const names = [none.username, unlimited.username, zero.username, planless, unique('no-account')];
    for (const name of names) await spend(name, 1000);
    await look();
    for (const name of names) expect(await alertsOf(name)).toEqual([]);
  });

  it('does not come again in its month after another cap, and comes for a new threshold', async () => {
    const { username, plan } = await spender([80]);
    await spend(username, 90);
    await look();
    await here.pair.patch(`/api/plans/${plan.id}`, { monthlyCap: 1000 });
    await spend(username, 800);
    await look();
    expect(await alertsOf(username)).toMatchObject([{ threshold: 80, cap: 100, spent: 90 }]);
    await here.pair.patch(`/api/plans/${plan.id}`, { alertThresholds: [60, 80] });
    await look();
    expect(await alertsOf(username)).toMatchObject([
      { threshold: 60, cap: 1000, spent: 890 },
      { threshold: 80, cap: 100 },
    ]);
  });

  it('belongs to its month only: earlier spending does not count', async () => {
    const { username } = await spender([50]);
    await spend(username, 1000, new Date(Date.now() - 70 * 86_400_000));
    await look();
    expect(await alertsOf(username)).toEqual([]);
  });

  it('is whole or not at all: an alert that cannot be recorded is due again', async () => {
    const { username } = await spender([50]);
    await spend(username, 60);
    const signer = {
      ...createSigner(generateSigningKey()),
      sign: () => {
        throw new Error('no room');
      },
    };
    await expect(budgetAlertJob.run({ database: here.database.sql, signer })).rejects.toThrow('no room');
    expect(await alertsOf(username)).toEqual([]);
    await look();
    expect(await thresholdsOf(username)).toEqual([50]);
    expect(await recordedOf(username)).toHaveLength(1);
  });

  it('is shown beside the spending of the month', async () => {
    const { username } = await spender([50, 80]);
    const alerted = async () =>
      (await here.pair.get(`/api/spending-caps?search=${username}`)).json.spendingCaps[0].alerted;
    expect(await alerted()).toBeNull();
    await spend(username, 85);
    await look();
    expect(await alerted()).toBe(80);
  });

  it('is read and exported by the shared pair, and by nobody without the right', async () => {
    const { username } = await spender([50]);
    await spend(username, 50);
    await look();
    const csv = await here.pair.get(`/api/budget-alerts?subject=${username}&format=csv`);
    expect(csv.text).toContain(`,${username},`);
    const auditor = await here.holder('auditeur');
    expect((await auditor.get('/api/budget-alerts')).status).toBe(403);
    expect((await here.nobody.get('/api/budget-alerts')).status).toBe(401);
  });
});

describe('the thresholds of a plan', () => {
  it.each([[[0]], [[101]], [[80, 50]], [[80, 80]], [[1.5]], ['80'], [Array.from({ length: 11 }, (_, n) => n + 1)]])(
    'are refused as %j',
    async (alertThresholds) => {
      const reply = await here.pair.post('/api/plans', {
        slug: unique('p'),
        name: 'p',
        monthlyCap: 1,
        alertThresholds,
      });
      expect([reply.status, Object.keys(reply.json.fields)[0]]).toEqual([
        400,
        expect.stringMatching(/^alertThresholds/),
      ]);
    },
  );
  it('stay where a change does not name them, and can be removed', async () => {
    const { plan } = await spender([80, 100]);
    const change = async (body: object) => (await here.pair.patch(`/api/plans/${plan.id}`, body)).json.alertThresholds;
    expect(await change({ name: 'Other' })).toEqual([80, 100]);
    expect(await change({ alertThresholds: [] })).toEqual([]);
  });
});
