import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestConsole, type TestConsole } from '../testing/console.ts';

let here: TestConsole;
const ids: Record<string, string> = {};
beforeAll(async () => {
  here = await startTestConsole();
  const provider = await here.pair.create('/api/providers', {
    slug: 'lab',
    name: 'Lab',
    baseUrl: 'https://engine.example',
  });
  const model = { slug: 'm', name: 'M', provider: provider.id, inputPrice: 0, outputPrice: 0 };
  const made = {
    provider,
    model: await here.pair.create('/api/models', model),
    plan: await here.pair.create('/api/plans', { slug: 'p', name: 'P', monthlyCap: null }),
    user: await here.pair.create('/api/users', { username: 'ada' }),
  };
  const endpoint = await here.pair.create('/api/endpoints', { name: 'chat', model: made.model.id });
  for (const [name, { id }] of Object.entries({ ...made, endpoint })) ids[name] = id;
});
afterAll(() => here.stop());

/** An address with the ids of what is declared: `/api/users/<user>`. */
const addressed = (path: string) => path.replaceAll(/<(\w+)>/g, (_, name: string) => ids[name] ?? '');
const NAME = 'must be 1 to 64 characters of A-Z, a-z, 0-9, ".", "_" and "-", the first a letter or a digit';
const CLEAR = 'is an http:// address: acknowledge that traffic to it travels in the clear (clearTextAcknowledged)';
const LIMIT = 'must be a whole number from 1 to 500';
const INSTANT = 'must be an instant such as 2030-01-31T00:00:00Z';
const EXISTS = 'must be the id of one that exists';

const stored = async () =>
  JSON.stringify(
    await Promise.all(
      ['providers', 'models', 'endpoints', 'plans', 'users', 'role-assignments', 'subject-revocations'].map(
        async (list) => (await here.pair.get(`/api/${list}?limit=500`)).json,
      ),
    ),
  );

describe('a check of the input alone', () => {
  const plan = { slug: 'checked', name: 'Checked', monthlyCap: 1 };
  it('names every fault', async () => {
    const { status, json } = await here.pair.post('/api/plans?check=input', { ...plan, slug: 'a b', monthlyCap: -1 });
    expect([status, Object.keys(json.fields)]).toEqual([400, ['slug', 'monthlyCap']]);
  });
  it('changes nothing where there is none', async () => {
    const before = await stored();
    expect((await here.pair.post('/api/plans?check=input', plan)).status).toBe(204);
    expect((await here.pair.send('DELETE', `/api/plans/${ids['plan']}?check=input`)).status).toBe(204);
    expect(await stored()).toBe(before);
  });
  it('is no parameter of a read, and has no other value', async () => {
    expect((await here.pair.get('/api/plans?check=input')).status).toBe(400);
    expect((await here.pair.post('/api/plans?check=all', plan)).status).toBe(400);
  });
});

describe('a value that cannot be stored', () => {
  it.each<[string, object, Record<string, string>]>([
    ['POST /api/providers', {}, { slug: 'must be text', name: 'must be text', baseUrl: 'must be text' }],
    ['POST /api/providers', { slug: 'a b', name: 'A', baseUrl: 'https://e.example' }, { slug: NAME }],
    ['POST /api/providers', { slug: 'a', name: '', baseUrl: 'https://e.example' }, { name: 'must not be empty' }],
    [
      'POST /api/providers',
      { slug: 'a', name: 'A', baseUrl: 'ftp://e.example' },
      { baseUrl: 'must begin with https:// or http:// and a host' },
    ],
    ['POST /api/providers', { slug: 'a', name: 'A', baseUrl: 'http://e.example' }, { baseUrl: CLEAR }],
    [
      'POST /api/providers',
      { slug: 'a', name: 'A', baseUrl: 'https://e.example', colour: 'red' },
      { colour: 'is not known here' },
    ],
    ['PATCH /api/providers/<provider>', { baseUrl: 'http://e.example' }, { baseUrl: CLEAR }],
    [
      'PATCH /api/providers/<provider>',
      { apiKeyEnv: 'not-a-name' },
      { apiKeyEnv: 'must be the name of an environment variable, never the key itself' },
    ],
    [
      'POST /api/models',
      { slug: 'n', name: 'N', provider: 'lab', inputPrice: 0, outputPrice: 0 },
      { provider: EXISTS },
    ],
    ['PATCH /api/models/<model>', { inputPrice: -1 }, { inputPrice: 'must not be below 0' }],
    [
      'PATCH /api/models/<model>',
      { inputPrice: '1' },
      { inputPrice: 'must be a number of euros per token, with a decimal point and without separators: 0.0000025' },
    ],
    [
      'POST /api/endpoints',
      { name: 'v', model: '<model>' },
      { name: 'must not be v, ide, _agent-execution: the gateway keeps these' },
    ],
    ['POST /api/endpoints', { name: 'a/b', model: '<model>' }, { name: NAME }],
    [
      'PATCH /api/endpoints/<endpoint>',
      { paths: ['chat'] },
      { 'paths.0': 'must begin with / and hold no spaces or characters beyond ASCII' },
    ],
    ['PATCH /api/endpoints/<endpoint>', { active: 'yes' }, { active: 'must be true or false' }],
    ['POST /api/plans', { slug: 'q', name: 'Q', monthlyCap: -1 }, { monthlyCap: 'must not be below 0' }],
    ['PATCH /api/plans/<plan>', { alertThresholds: [0] }, { 'alertThresholds.0': 'must not be below 1' }],
    ['PATCH /api/plans/<plan>', { alertThresholds: [80, 50] }, { alertThresholds: 'must rise, each percentage once' }],
    ['POST /api/users', { username: '' }, { username: 'must not be empty' }],
    [
      'POST /api/users',
      { username: 'shared-pair' },
      {
        username: 'must not be a reserved name: shared-pair, scim, or one that begins with workload:',
      },
    ],
    [
      'POST /api/users',
      { username: 'b', role: 'administrateur-de-projet' },
      { role: 'must be one of utilisateur-standard, administrateur-d-instance, auditeur' },
    ],
    [
      'POST /api/users',
      { username: 'b', keyExpiresAt: '2020-01-01T00:00:00Z' },
      { keyExpiresAt: 'must lie in the future' },
    ],
    ['PATCH /api/users/<user>', { email: 'nobody' }, { email: 'must be an e-mail address' }],
    ['PATCH /api/users/<user>', { plan: '00000000-0000-4000-8000-000000000000' }, { plan: EXISTS }],
    ['PATCH /api/users/<user>', { username: 'other' }, { username: 'is not known here' }],
    ['POST /api/users/<user>/keys', {}, { label: 'must be text' }],
    ['POST /api/users/<user>/keys', { label: 'a', expiresAt: 'tomorrow' }, { expiresAt: INSTANT }],
    [
      'POST /api/role-assignments',
      { subject: 'ada', role: 'root' },
      { role: 'must be one of utilisateur-standard, administrateur-de-projet, administrateur-d-instance, auditeur' },
    ],
    [
      'POST /api/role-assignments',
      { subject: 'ada', role: 'auditeur', project: 'p' },
      { project: 'is not for this role' },
    ],
    [
      'POST /api/role-assignments',
      { subject: 'ada', role: 'administrateur-de-projet' },
      { project: 'is missing: this role belongs to a project' },
    ],
    ['POST /api/subject-revocations', { subject: 'ada', reason: '' }, { reason: 'must not be empty' }],
    ['POST /api/projects/a/members', { subject: 7 }, { subject: 'must be text' }],
  ])('is refused with a sentence for each field, and nothing changes: %s %j', async (address, body, fields) => {
    const [method = '', path = ''] = address.split(' ');
    const before = await stored();
    const reply = await here.pair.send(method, addressed(path), addressed(JSON.stringify(body)));
    expect([reply.status, reply.json.fields]).toEqual([400, fields]);
    expect(reply.json.error).toBe(
      Object.entries(fields)
        .map(([name, sentence]) => `${name} ${sentence}`)
        .join('; '),
    );
    expect(await stored()).toBe(before);
  });
});

describe('a list', () => {
  it.each<[string, Record<string, string>]>([
    ['/api/providers?limit=0', { limit: LIMIT }],
    ['/api/providers?limit=501', { limit: LIMIT }],
    ['/api/providers?limit=1e2', { limit: LIMIT }],
    ['/api/providers?limit=', { limit: LIMIT }],
    ['/api/providers?limit=10&limit=20', { limit: 'is given more than once' }],
    ['/api/providers?cursor=abc', { cursor: 'must be the value of "next" or "previous" in another page' }],
    ['/api/providers?page=2', { page: 'is not known here' }],
    [
      '/api/providers?sort=colour',
      { sort: 'must be one of slug, -slug, name, -name, baseUrl, -baseUrl, apiKeyEnv, -apiKeyEnv' },
    ],
    ['/api/users?enabled=yes', { enabled: 'must be true or false' }],
    ['/api/users?search=', { search: 'must not be empty' }],
    ['/api/users?plan=p', { plan: EXISTS }],
    ['/api/audit/decisions?from=yesterday', { from: INSTANT }],
    ['/api/audit/decisions?until=0000-01-01T00:00:00Z', { until: 'must lie in the years 1 to 9999' }],
    ['/api/audit/decisions?sequence=-1', { sequence: 'must be a whole number' }],
    ['/api/audit/decisions?outcome=maybe', { outcome: 'must be one of granted, refused' }],
    ['/api/audit/decisions?subject=%00', { subject: 'must be well-formed text without NUL' }],
    ['/api/audit/agent-acts?outcome=ok', { outcome: 'must be one of succeeded, failed, refused, interrupted' }],
    ['/api/audit/policies?outcome=granted', { outcome: 'must be one of installed, refused' }],
    [
      '/api/role-assignments?role=root',
      { role: 'must be one of utilisateur-standard, administrateur-de-projet, administrateur-d-instance, auditeur' },
    ],
  ])('is refused where its address asks for what it has not: %s', async (path, fields) => {
    const reply = await here.pair.get(path);
    expect([reply.status, reply.json.fields]).toEqual([400, fields]);
  });
});

describe('an address', () => {
  it.each([
    ['GET', '/api/users/nobody/keys', 'user'],
    ['PATCH', '/api/users/nobody', 'user'],
    ['POST', '/api/users/<user>/keys/nobody/revoke', 'key'],
    ['POST', '/api/users/<user>/keys/00000000-0000-4000-8000-000000000000/revoke', 'key'],
    ['DELETE', '/api/models/00000000-0000-4000-8000-000000000000', 'model'],
    ['DELETE', '/api/role-assignments/7', 'role assignment'],
    ['POST', '/api/subject-revocations/7/lift', 'subject revocation'],
    ['PATCH', '/api/endpoints/chat', 'endpoint'],
  ])('that names nothing is 404 with what it should name: %s %s', async (method, path, kind) => {
    const body = path.endsWith('/lift') ? { reason: 'x' } : {};
    const reply = await here.pair.send(method, addressed(path), method === 'GET' ? undefined : body);
    expect([reply.status, reply.json]).toEqual([404, { error: `There is no such ${kind}.` }]);
  });
  it('with a broken percent code is refused, and stores nothing', async () => {
    const reply = await here.pair.post('/api/projects/a%zz/members', { subject: 'ada' });
    expect([reply.status, reply.json.error]).toEqual([
      400,
      'Malformed request: the address holds a % that begins no character.',
    ]);
  });
});
