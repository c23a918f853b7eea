import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestConsole, type TestConsole, unique } from '../../testing/console.ts';

let here: TestConsole;
beforeAll(async () => {
  here = await startTestConsole();
});
afterAll(() => here.stop());

describe('the overview', () => {
  it('counts nothing in an empty instance, and then the declared objects, without names', async () => {
    const empty = (await here.pair.get('/api/overview')).json;
    expect(empty).toMatchObject({ providers: 0, activeEndpoints: 0, callers: 0, callsLastDay: 0, hasCall: false });
    expect([empty.policyRevision, empty.lastCallAt]).toEqual([null, null]);
    await here.pair.create('/api/role-assignments', { subject: 'ada', role: 'utilisateur-standard' });
    await here.database.sql`
      insert into upstream_results (decision_id, at, endpoint, provider, status, fault, calls) values
        (gen_random_uuid(), now(), 'chat', 'lab', 200, null, 7), (gen_random_uuid(), now(), 'chat', 'lab', 503, null, 1),
        (gen_random_uuid(), now() - interval '2 hours', 'chat', 'lab', null, 'no answer', 1)`;
    const holder = await here.holder('administrateur-d-instance');
    const { status, json, text } = await holder.get('/api/overview');
    expect([status, json]).toEqual([
      200,
      expect.objectContaining({ callers: 1, callsLastHour: 8, callsLastDay: 9, failedLastHour: 1, failedLastDay: 2 }),
    ]);
    expect(text).not.toContain('ada');
  });
});

describe('how engines answered', () => {
  it('is reported by endpoint and provider, at the provider, and for a decision', async () => {
    await here.pair.create('/api/providers', { slug: 'lab', name: 'Lab', baseUrl: 'https://engine.example' });
    expect((await here.pair.get('/api/engine-results')).json.engines).toEqual([
      {
        endpoint: 'chat',
        provider: 'lab',
        calls: 9,
        failed: 2,
        statuses: expect.arrayContaining([
          { status: 503, calls: 1 },
          { status: null, calls: 1 },
        ]),
      },
    ]);
    const { health } = (await here.pair.get('/api/providers/health')).json;
    expect(health).toEqual([
      expect.objectContaining({ provider: 'lab', callsLastHour: 8, failedLastHour: 1, lastFailure: expect.anything() }),
    ]);
    const [found] = await here.database.sql`select decision_id as id from upstream_results where status = 503`;
    const auditor = await here.holder('auditeur');
    expect((await auditor.get(`/api/audit/decisions/${found?.['id']}/upstream`)).json.upstream).toMatchObject({
      status: 503,
    });
    const unknown = '01890000-0000-7000-8000-000000000000';
    expect((await auditor.get(`/api/audit/decisions/${unknown}/upstream`)).json).toEqual({ upstream: null });
  });
});

describe('the answer to a call that went well', () => {
  const answered = async (model: string): Promise<unknown> => {
    const [row] = await here.database.sql`
      insert into request_logs (id, timestamp, subject, endpoint, model, model_id, input_tokens, output_tokens, latency_ms, usage_source,
        interrupted, upstream_status)
      values (gen_random_uuid(), '2096-01-01T12:00:00Z', 'ada', 'chat', 'small', ${model}, 1, 1, 5, 'reported', false, 201) returning id`;
    return (await (await here.holder('auditeur')).get(`/api/audit/decisions/${row?.['id']}/upstream`)).json.upstream;
  };

  it('is read from its usage record, with the provider of its model', async () => {
    const slug = unique('lab');
    const provider = await here.pair.create('/api/providers', { slug, name: 'Lab', baseUrl: 'https://engine.example' });
    const model = await here.pair.create('/api/models', {
      slug,
      name: 'Small',
      provider: provider.id,
      inputPrice: 0,
      outputPrice: 0,
    });
    expect(await answered(model.id)).toEqual({
      at: '2096-01-01T12:00:00.000Z',
      provider: slug,
      status: 201,
      fault: null,
    });
  });

  it('is known without its provider once the model is deleted', async () => {
    expect(await answered('01890000-0000-7000-8000-000000000000')).toMatchObject({ provider: null, status: 201 });
  });
});

describe('a connection test', () => {
  it('is requested through the database, recorded, and read', async () => {
    const provider = await here.pair.create('/api/providers', {
      slug: unique('lab'),
      name: 'Lab',
      baseUrl: 'https://engine.example',
    });
    const test = await here.pair.create(`/api/providers/${provider.id}/test`, {});
    expect(test).toMatchObject({ finishedAt: null, status: null });
    await here.database.sql`
      update provider_tests set finished_at = now(), status = 200, models = array['m'] where id = ${test.id}`;
    expect((await here.pair.get(`/api/provider-tests/${test.id}`)).json).toMatchObject({ status: 200, models: ['m'] });
    expect((await here.pair.post(`/api/providers/01890000-0000-7000-8000-000000000000/test`, {})).status).toBe(404);
    const auditor = await here.holder('auditeur');
    const actions = (await auditor.get('/api/administration-actions?action=provider.test')).json.administrationActions;
    expect(actions).toHaveLength(1);
  });

  it('is requested before there is a provider, for an address in the clear only if that is acknowledged', async () => {
    const connection = { baseUrl: 'http://engine.example', apiKeyEnv: 'LAB_KEY' };
    const refused = await here.pair.post('/api/provider-tests', connection);
    expect([refused.status, Object.keys(refused.json.fields)]).toEqual([400, ['baseUrl']]);
    for (const apiKeyEnv of ['DATABASE_URL', 'not a name'])
      expect((await here.pair.post('/api/provider-tests', { baseUrl: 'https://e.example', apiKeyEnv })).status).toBe(
        400,
      );
    const test = await here.pair.create('/api/provider-tests', { ...connection, clearTextAcknowledged: true });
    expect((await here.pair.get(`/api/provider-tests/${test.id}`)).json).toMatchObject({ finishedAt: null });
    const auditor = await here.holder('auditeur');
    expect((await auditor.post('/api/provider-tests', connection)).status).toBe(403);
    const [act] = (await auditor.get('/api/administration-actions?action=provider.test')).json.administrationActions;
    expect(act.newValue).toEqual({ id: test.id, ...connection, apiKeyHeader: null });
  });
});

describe('the key variables of the gateways', () => {
  it('are reported with their names, and a report that was not repeated is old', async () => {
    await here.database.sql`
      insert into reported_key_variables (gateway, present, absent, reported_at) values
        ('one:8080', '{A_KEY}', '{B_KEY}', now()), ('two:8080', '{}', '{A_KEY}', now() - interval '6 minutes'),
        ('three:8080', '{}', '{A_KEY}', now() - interval '25 hours')`;
    const { reports } = (await here.pair.get('/api/providers/key-variables')).json;
    expect(reports).toEqual([
      { gateway: 'one:8080', reportedAt: expect.any(String), isOld: false, present: ['A_KEY'], absent: ['B_KEY'] },
      { gateway: 'two:8080', reportedAt: expect.any(String), isOld: true, present: [], absent: ['A_KEY'] },
    ]);
    expect((await (await here.holder('auditeur')).get('/api/providers/key-variables')).status).toBe(403);
  });
});

describe('an account', () => {
  it('is created with its role, both or neither', async () => {
    const username = unique('person');
    const made = await here.pair.create('/api/users', { username, role: 'utilisateur-standard' });
    expect(made.roles).toEqual([{ role: 'utilisateur-standard', project: null }]);
    expect((await here.pair.get(`/api/users?username=${username}`)).json.users[0].roles).toHaveLength(1);
    const early = unique('person');
    await here.pair.create('/api/role-assignments', { subject: early, role: 'auditeur' });
    const refused = await here.pair.post('/api/users', { username: early, role: 'administrateur-d-instance' });
    expect(refused.status).toBe(409);
    expect((await here.pair.get(`/api/users?username=${early}`)).json.users).toEqual([]);
    expect((await here.pair.post('/api/users', { username: early, role: 'administrateur-de-projet' })).status).toBe(
      400,
    );
  });
});
