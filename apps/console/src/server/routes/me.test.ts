import { aUsageRecord } from '@gateway/domain/usage/testing/usage-record';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestConsole, type TestConsole, unique } from '../../testing/console.ts';

let here: TestConsole;
beforeAll(async () => {
  here = await startTestConsole({
    environment: { CONSOLE_CONTACT: 'help desk', GATEWAY_PUBLIC_URL: 'https://gw.example' },
  });
  const { pair } = here;
  const provider = await pair.create('/api/providers', { slug: 'p', name: 'P', baseUrl: 'https://engine.example' });
  const model = await pair.create('/api/models', {
    slug: 'm',
    name: 'M',
    provider: provider.id,
    inputPrice: 0,
    outputPrice: 0,
  });
  for (const name of ['chat', 'left']) await pair.create('/api/endpoints', { name, model: model.id });
  for (const [subject, endpoint, latencyMs] of [
    ['ada', 'chat', 100],
    ['ada', 'left', 300],
    ['bob', 'chat', 200],
  ] as const) {
    const { id, timestamp, model: slug, modelId, inputTokens, outputTokens } = aUsageRecord();
    await here.database.sql`
      insert into request_logs (id, timestamp, subject, endpoint, model, model_id, input_tokens, output_tokens, latency_ms,
        usage_source, interrupted)
      values (${id}, ${timestamp}, ${subject}, ${endpoint}, ${slug}, ${modelId}, ${inputTokens}, ${outputTokens}, ${latencyMs},
        'reported', false)`;
  }
});
afterAll(() => here.stop());

describe('the own page', () => {
  it('shows endpoints that the policy leaves, usage, and the contact', async () => {
    const holder = await here.holder('utilisateur-standard');
    const rule = `@id("one")\nforbid(principal, action == Action::"inference:appeler", resource == Endpoint::"left");`;
    expect((await here.pair.post('/api/policies', { cedar: rule })).json).toMatchObject({
      policies: 1,
      added: 1,
      removed: 0,
    });
    expect((await holder.get('/api/me')).json).toMatchObject({
      subject: holder.username,
      endpoints: [{ name: 'chat', address: 'https://gw.example/chat/v1' }],
      usage: { calls: 0 },
      plan: null,
      contact: 'help desk',
    });
    const administrator = await here.holder('administrateur-d-instance');
    const explain = async (endpoint: string) =>
      (await administrator.post('/api/policies/explain', { subject: holder.username, endpoint })).json;
    expect(await explain('left')).toEqual({
      allowed: false,
      reason: 'policy-forbids',
      policies: ['one'],
      standby: null,
    });
    expect(await explain('chat')).toEqual({ allowed: true, reason: 'role', policies: [], standby: null });
    const append = (id: string) =>
      administrator.post('/api/policies', { cedar: rule.replace('one', id).replace('left', 'chat'), mode: 'append' });
    expect((await append('one')).status).toBe(409);
    const added = await append('two');
    expect([added.status, added.json.policies, added.json.added, added.json.removed]).toEqual([201, 2, 1, 0]);
    expect(added.text).not.toContain('left');
    expect((await administrator.get('/api/policies/own')).json.policies).toMatchObject([{ names: ['two'] }]);
    await here.pair.post('/api/policies/lift', {});
  });

  it('says to administrators whether a standby would serve another person', async () => {
    const { pair } = here;
    const slug = unique('standby');
    const prices = { inputPrice: 0, outputPrice: 0 };
    const [near, far] = await Promise.all(
      ['near', 'far'].map(async (name) => {
        const one = { slug: `${slug}-${name}`, name };
        const provider = await pair.create('/api/providers', { ...one, baseUrl: 'https://engine.example' });
        return pair.create('/api/models', { ...one, provider: provider.id, ...prices });
      }),
    );
    const endpoint = await pair.create('/api/endpoints', { name: slug, model: near.id, standby: far.id });
    const [caller, other] = [await here.holder('utilisateur-standard'), await here.holder('auditeur')];
    const cedar = `@id("near only")\nforbid(principal, action == Action::"inference:appeler", resource == Endpoint::"${slug}")
      unless { resource.provider == "${slug}-near" };`;
    await pair.post('/api/policies', { cedar });
    const explain = async ({ username }: { username: string }) =>
      (await pair.post('/api/policies/explain', { subject: username, endpoint: slug })).json;
    const standby = {
      model: `${slug}-far`,
      provider: `${slug}-far`,
      allowed: false,
      reason: 'policy-forbids',
      policies: ['near only'],
    };
    expect(await explain(caller)).toEqual({ allowed: true, reason: 'role', policies: [], standby });
    expect(await explain(other)).toEqual({ allowed: false, reason: 'role-missing', policies: [], standby: null });
    await pair.patch(`/api/endpoints/${endpoint.id}`, { active: false });
    expect(await explain(caller)).toMatchObject({ reason: 'endpoint-inactive', standby: null });
    await pair.post('/api/policies/lift', {});
  });

  it('rotates an own key alone', async () => {
    const [holder, other] = [await here.holder('utilisateur-standard'), await here.holder()];
    const [theirs] = (await other.get('/api/me/keys')).json.keys;
    expect((await holder.post(`/api/me/keys/${theirs.id}/rotate`, {})).status).toBe(404);
    const [own] = (await holder.get('/api/me/keys')).json.keys;
    const rotated = await holder.post(`/api/me/keys/${own.id}/rotate`, {});
    expect([rotated.status, rotated.json.key]).toEqual([200, expect.stringMatching(/^gwk_/)]);
    expect((await holder.get('/api/me')).status).toBe(401);
  });
});

describe('consumption', () => {
  it('sums calls and tokens with percentiles, the most calls first, as JSON and CSV', async () => {
    const holder = await here.holder('administrateur-d-instance');
    const { json } = await holder.get('/api/consumption?by=endpoint&limit=1');
    expect(json.rows).toEqual([
      {
        name: 'chat',
        calls: 2,
        inputTokens: 22,
        cachedInputTokens: 0,
        outputTokens: 14,
        latencyMs: { p50: 100, p95: 200, p99: 200 },
        firstTokenMs: null,
      },
    ]);
    const rest = await holder.get(`/api/consumption?by=endpoint&cursor=${json.next}`);
    expect(rest.json.rows.map(({ name }: { name: string }) => name)).toEqual(['left']);
    const csv = await holder.get('/api/consumption?by=subject&format=csv');
    expect(csv.text.trim().split('\r\n')).toHaveLength(3);
    expect((await holder.get('/api/consumption?by=week')).status).toBe(400);
    expect((await (await here.holder('auditeur')).get('/api/consumption?by=model')).status).toBe(403);
  });
});

describe('consumption over time', () => {
  it('has times, failures and parts of the chosen calls, by step', async () => {
    const holder = await here.holder('administrateur-d-instance');
    const { timestamp } = aUsageRecord();
    const day = `${new Date(timestamp).toISOString().slice(0, 10)}T00:00:00.000Z`;
    await here.database.sql`
      insert into upstream_results (decision_id, at, endpoint, provider, status, fault, calls)
      values (gen_random_uuid(), ${timestamp}, 'chat', 'p', 503, null, 1), (gen_random_uuid(), ${timestamp}, 'left', 'p', 200, null, 4)`;
    const read = async (query: string) => (await holder.get(`/api/consumption/series?${query}`)).json;
    expect(await read('by=subject')).toEqual({
      steps: [
        {
          at: day,
          calls: 3,
          inputTokens: 33,
          outputTokens: 21,
          failed: 1,
          latencyMs: { p50: 200, p95: 300, p99: 300 },
          firstTokenMs: null,
        },
      ],
      parts: [
        { at: day, name: 'ada', calls: 2, tokens: 36 },
        { at: day, name: 'bob', calls: 1, tokens: 18 },
      ],
    });
    expect((await read('endpoint=left')).steps).toMatchObject([{ calls: 1, failed: 0 }]);
    expect((await read('subject=bob')).steps).toMatchObject([{ calls: 1, failed: 0 }]);
    expect((await read('model=m')).steps).toMatchObject([{ failed: 1 }]);
    expect(await read('until=2001-01-01T00:00:00Z&stretch=month')).toEqual({ steps: [], parts: [] });
    expect((await holder.get('/api/consumption/series?stretch=week')).status).toBe(400);
    const engines = async (query: string) => (await here.pair.get(`/api/engine-results?${query}`)).json.engines;
    expect(await engines('endpoint=left')).toMatchObject([{ endpoint: 'left', calls: 4, failed: 0 }]);
    expect(await engines('subject=nobody')).toEqual([]);
  });
});

describe('those who wait for a role', () => {
  it('are listed with their refusals until they get one, many at once', async () => {
    const waiting = async (subject: string) =>
      (await here.pair.get(`/api/subjects?waiting=true&subject=${subject}`)).json.subjects;
    const holder = await here.holder();
    expect(await waiting(holder.username)).toEqual([]);
    await holder.get('/api/providers');
    await expect.poll(() => waiting(holder.username)).toMatchObject([{ subject: holder.username, refusals: 1 }]);
    const watcher = unique('watcher');
    await here.pair.create('/api/role-assignments', { subject: watcher, role: 'auditeur' });
    const batch = { role: 'administrateur-d-instance', subjects: [holder.username, watcher, holder.username, 'a\nb'] };
    const { json } = await here.pair.post('/api/role-assignments/batch', batch);
    expect(json.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'granted',
      'refused',
      'held',
      'refused',
    ]);
    expect(await waiting(holder.username)).toEqual([]);
    const refused = await (await here.holder('auditeur')).get('/api/subjects?waiting=true');
    expect([refused.status, refused.text.includes('attributions:administrer')]).toEqual([403, true]);
  });
});
