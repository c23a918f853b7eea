import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '../profile/serverless.ts';
import { startTestConsole, type TestConsole } from '../testing/console.ts';
import { orderingOf } from './http/page.ts';
import type { Route } from './http/route.ts';

const PEOPLE = ['ada', 'barbara', 'edsger', 'grace', 'Zoë'];
const people = `(array['${PEOPLE.join("','")}'])`;

let here: TestConsole;
let holder: string;
beforeAll(async () => {
  here = await startTestConsole();
  const { pair, database } = here;
  const gold = await pair.create('/api/plans', { slug: 'a-gold', name: 'Gold', monthlyCap: 9 });
  await pair.create('/api/plans', { slug: 'b-free', name: 'Alms', monthlyCap: null });
  await pair.create('/api/plans', { slug: 'c-iron', name: 'Iron', monthlyCap: 1 });
  const provider = await pair.create('/api/providers', { slug: 'one', name: 'Z', baseUrl: 'https://z.example' });
  await pair.create('/api/providers', { slug: 'two', name: 'A', baseUrl: 'https://a.example', apiKeyEnv: 'KEY_OF_A' });
  const models: string[] = [];
  for (const [slug, inputPrice] of Object.entries({ small: 0.5, large: 0.25, tiny: 0.5 }))
    models.push(
      (await pair.create('/api/models', { slug, name: slug, provider: provider.id, inputPrice, outputPrice: 1 })).id,
    );
  for (const [n, name] of ['chat', 'code', 'more'].entries())
    await pair.create('/api/endpoints', { name, model: models[2 - n], active: n !== 1 });
  for (const [n, username] of PEOPLE.entries()) {
    const { id } = await pair.create('/api/users', { username, plan: n % 2 === 0 ? gold.id : null, enabled: n !== 3 });
    if (n === 0) holder = id;
    await pair.create('/api/projects/apollo/members', { subject: username });
  }
  for (const label of ['laptop', 'ci', 'phone']) await pair.create(`/api/users/${holder}/keys`, { label });
  await pair.create('/api/projects/zeus/members', { subject: 'ada' });
  await pair.create('/api/role-assignments', { subject: 'grace', role: 'auditeur' });
  await pair.create('/api/organization', { slug: 'acme', name: 'Acme' });
  for (const providers of [['one'], ['two']])
    await pair.post('/api/organization/policy', { organization: 'acme', document: { models: { providers } } });
  await pair.post('/api/organization/policy', { organization: 'acme', document: { budget: 7 } });
  for (const subject of ['mallory', 'eve', 'bob'])
    await pair.create('/api/subject-revocations', { subject, reason: `of ${subject}` });
  const { sql } = database;
  await sql.unsafe(`
    insert into policy_attempts (id, at, kind, author, outcome, revision, document)
    select gen_random_uuid(), now() + n * interval '1 second', 'authorization', 'author-' || n % 2, 'installed', n, '' from generate_series(1, 4) n;
    insert into authorization_policies (revision, cedar, author) select n, '// ' || n, 'author-' || n % 2 from generate_series(1, 5) n;
    insert into authorization_decisions (sequence, id, at, component, subject, credential, permission, resource, session, outcome,
      reason, status, roles, previous, digest)
    select n, gen_random_uuid(), now() + n * interval '1 second', 'gateway', ${people}[1 + n % 5], 'key', 'inference:appeler',
      'endpoint:e-' || n % 2, case when n % 3 = 0 then 's-' || n end, case when n % 4 = 0 then 'refused' else 'granted' end,
      case when n % 4 = 0 then 'cap-reached' else 'role' end, 200 + n % 2, '{}', sha256('a'), sha256('b') from generate_series(1, 9) n;
    insert into agent_acts (id, session, subject, at, tool, target_kind, target_value, authorized_by, outcome)
    select gen_random_uuid(), 's-' || n % 3, ${people}[1 + n % 5], now() - n * interval '1 minute', 'tool-' || n % 2, 'path', '/' || n % 4, 'policy',
      case when n % 3 = 0 then 'failed' else 'succeeded' end from generate_series(1, 9) n;
    with begun as (
      insert into agent_commands (id, subject, session, interpreter, started_at)
      select gen_random_uuid(), ${people}[1 + n % 5], 's-' || n % 3, 'sh', now() - n * interval '1 minute' from generate_series(1, 6) n
      returning id, started_at)
    insert into agent_command_ends select id, started_at + interval '1 second', 0, null, null, null, 7, 0, 0 from begun limit 3;
    insert into request_logs select gen_random_uuid(), now() - n * interval '1 second', ${people}[1 + n % 5], 'chat', 'small',
      gen_random_uuid(), n % 3, 10 - n, 5, 'reported', false from generate_series(1, 9) n;
    insert into budget_alerts (id, at, subject, month, threshold, plan, cap, spent)
    select gen_random_uuid(), now() - n * interval '1 second', ${people}[1 + n % 5], date '2026-01-01' + n * interval '1 month',
      80 + n % 3 * 10, 'a-gold', 9, 8 from generate_series(1, 5) n;
    insert into secret_detections (id, at, decision_id, place, kind, rule, confidence, response, start_offset, end_offset, length, digest, occurrences)
    select gen_random_uuid(), now() - n * interval '1 second', gen_random_uuid(), 'request', 'kind-' || n % 2, 'r', 'high', 'block', 0, 1, 1, sha256('a'), 1
      from generate_series(1, 5) n`);
});
afterAll(() => here.stop());

/** The columns by which a list may be sorted, from its own schema: only the route table defines them. */
const optionsOf = ({ query }: Route): readonly string[] => {
  const sort = query?.shape['sort'] as { def?: { innerType?: { def?: { in?: { options?: string[] } } } } } | undefined;
  return sort?.def?.innerType?.def?.in?.options ?? [];
};
const LISTS = profile.routes.filter((route) => optionsOf(route).length > 0 && route.path !== '/api/usage/own');
const addressOf = ({ path }: Route) => path.replace('/users/:id', `/users/${holder}`).replace(/:project|:id/, 'apollo');
type Row = Record<string, unknown>;

/** Every row of a list, three at a time, forwards; then the same back to its beginning. */
async function walk(address: string, sort?: string): Promise<{ forwards: Row[]; backwards: Row[] }> {
  const steps: Row[][] = [[], []];
  let cursor: string | null = null;
  let back: string | null = null;
  const read = async (at: string | null) => {
    const words = new URLSearchParams({ limit: '3', ...(sort && { sort }), ...(at !== null && { cursor: at }) });
    const { status, json, text } = await here.pair.get(`${address}?${words.toString()}`);
    expect([address, sort, status, status === 200 ? '' : text]).toEqual([address, sort, 200, '']);
    const [rows] = Object.values(json as Row).filter(Array.isArray) as Row[][];
    return { rows: rows ?? [], next: json.next as string | null, previous: (json.previous ?? null) as string | null };
  };
  do {
    const page = await read(cursor);
    steps[0]?.push(...page.rows);
    cursor = page.next;
    back = page.previous;
    if (cursor === null) steps[1]?.unshift(...page.rows);
  } while (cursor !== null);
  while (back !== null) {
    const page = await read(back);
    steps[1]?.unshift(...page.rows);
    back = page.previous;
  }
  return { forwards: steps[0] ?? [], backwards: steps[1] ?? [] };
}

const texts = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row));

describe('a list', () => {
  it('is sorted by a column in most of the tables', () => expect(LISTS.length).toBeGreaterThan(20));
  it.each(LISTS.map((route) => [route.path, route] as const))(
    '%s contains the same rows in every order, page by page, forwards and back',
    async (_, route) => {
      const address = addressOf(route);
      const usual = await walk(address);
      expect(usual.forwards.length).toBeGreaterThan(1);
      for (const sort of optionsOf(route)) {
        const { forwards, backwards } = await walk(address, sort);
        expect(texts(forwards).toSorted()).toEqual(texts(usual.forwards).toSorted());
        expect(texts(backwards), sort).toEqual(texts(forwards));
        expect(forwards.filter((row) => 'sortValue' in row || 'sortTie' in row)).toEqual([]);
        const other = await walk(address, sort.startsWith('-') ? sort.slice(1) : `-${sort}`);
        expect(texts(other.forwards)).toEqual(texts(forwards).toReversed());
      }
    },
  );
  const values = async (address: string, sort: string, name: string) =>
    (await walk(address, sort)).forwards.map((row) => row[name]);
  it('sorts numbers numerically, names alphabetically, and absent values first', async () => {
    expect(await values('/api/plans', 'monthlyCap', 'monthlyCap')).toEqual([null, 1, 9]);
    expect(await values('/api/plans', '-name', 'name')).toEqual(['Iron', 'Gold', 'Alms']);
    expect(await values('/api/endpoints', 'model', 'name')).toEqual(
      ['more', 'chat', 'code'].toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)),
    );
    expect((await values('/api/usage', '-outputTokens', 'outputTokens')).slice(0, 3)).toEqual([9, 8, 7]);
    const { forwards } = await walk('/api/users', 'plan');
    expect(forwards.map(({ plan }) => plan === null)).toEqual([true, true, false, false, false]);
  });
  it('continues in the order of its page, ignores other parameters, and rejects an unknown order', async () => {
    const { json } = await here.pair.get('/api/users?limit=2&sort=-username');
    const next = await here.pair.get(`/api/users?limit=2&cursor=${json.next}`);
    const all = await values('/api/users', '-username', 'username');
    expect([...json.users, ...next.json.users].map(({ username }: { username: string }) => username)).toEqual(
      all.slice(0, 4),
    );
    for (const sort of ['password', '-', 'username;drop', '--username', 'digest'])
      expect(
        (await here.pair.get(`/api/users?${new URLSearchParams({ sort }).toString()}`)).json.fields,
      ).toHaveProperty('sort');
    const forged = Buffer.from(JSON.stringify(['users digest', ['a', 'b']])).toString('base64url');
    expect((await here.pair.get(`/api/users?cursor=${forged}`)).json.fields).toHaveProperty('cursor');
    const wrong = Buffer.from(JSON.stringify(['caps -plan', ['a', 'b']])).toString('base64url');
    expect((await here.pair.get(`/api/users?cursor=${wrong}`)).status).toBe(400);
  });
  it('keeps its own order in a file', async () => {
    const { text } = await here.pair.get('/api/usage?sort=outputTokens&format=csv');
    const usual = await here.pair.get('/api/usage?format=csv');
    expect(text).toBe(usual.text);
  });
});

/** By the models' names: large, small, tiny. */
const ORDER = ['code', 'more', 'chat'];

describe('an order', () => {
  const sortable = { usual: '-at', columns: { cost: 'float8' } } as const;
  it.each([
    ['-at', undefined],
    ['at', { asked: 'at', reversed: true, sorted: null }],
    ['cost', { asked: 'cost', reversed: false, sorted: { column: 'cost', type: 'float8', descending: false } }],
    ['-cost', { asked: '-cost', reversed: false, sorted: { column: 'cost', type: 'float8', descending: true } }],
    ['price', undefined],
    ['constructor', undefined],
  ])('%s', (asked, ordering) => {
    expect(orderingOf(asked, sortable)).toEqual(ordering);
  });
});
