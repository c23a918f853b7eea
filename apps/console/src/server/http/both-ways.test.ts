import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestConsole, type TestConsole } from '../../testing/console.ts';

// Paging forward and back gives the same list: the reader of a shared link steps to the page before it, not to the first.
const ROWS = 7;
const SUBJECT = 'subject-1';

let here: TestConsole;
beforeAll(async () => {
  here = await startTestConsole();
  const { pair, database } = here;
  const { sql } = database;
  const plan = await pair.create('/api/plans', { slug: 'plan-0', name: 'Plan', monthlyCap: 4 });
  const provider = await pair.create('/api/providers', {
    slug: 'provider-0',
    name: 'Provider',
    baseUrl: 'https://engine.example',
  });
  const prices = { inputPrice: 0.001, outputPrice: 0 };
  const model = await pair.create('/api/models', { slug: 'model-0', name: 'M', provider: provider.id, ...prices });
  await pair.create('/api/organization', { slug: 'acme', name: 'Acme' });
  for (let n = 1; n <= ROWS; n += 1) {
    await pair.create('/api/plans', { slug: `plan-${n}`, name: 'Plan', monthlyCap: n });
    await pair.create('/api/providers', { slug: `provider-${n}`, name: 'P', baseUrl: 'https://engine.example' });
    await pair.create('/api/models', { slug: `model-${n}`, name: 'M', provider: provider.id, ...prices });
    await pair.create('/api/endpoints', { name: `endpoint-${n}`, model: model.id });
    await pair.create('/api/users', { username: `subject-${n}`, plan: n % 3 === 0 ? null : plan.id });
    await pair.create('/api/role-assignments', { subject: `subject-${n}`, role: 'utilisateur-standard' });
    await pair.create('/api/role-assignments', {
      subject: SUBJECT,
      role: 'administrateur-de-projet',
      project: `project-${n}`,
    });
    await pair.create('/api/projects/project-1/members', { subject: `subject-${n}` });
    await pair.create('/api/subject-revocations', { subject: `gone-${n}`, reason: 'left' });
    await pair.create('/api/policies', { cedar: `forbid(principal, action, resource) when { ${n} == 0 };` });
    await pair.send('POST', '/api/organization/policy', { organization: 'acme', document: { unknown: n } });
  }
  const auditor = await here.holder('auditeur');
  for (let n = 0; n < ROWS; n += 1) await auditor.get('/api/audit/agent-acts');
  const [account] = await sql<{ id: string }[]>`select id from accounts where username = ${SUBJECT}`;
  for (let n = 0; n < ROWS; n += 1) await pair.create(`/api/users/${account?.id}/keys`, { label: `key ${n}` });
  await sql`
    insert into request_logs (id, timestamp, subject, endpoint, model, model_id, input_tokens, output_tokens, latency_ms, usage_source, interrupted)
    select gen_random_uuid(), date_trunc('month', now()) + n / 2 * interval '1 millisecond', 'subject-' || n % 2, 'endpoint-1', 'model-0', ${model.id},
      100 * (n % 5), 0, 1, 'reported', false from generate_series(1, ${2 * ROWS}) n`;
  await sql`
    insert into agent_acts (id, session, subject, at, tool, target_kind, target_value, authorized_by, outcome)
    select gen_random_uuid(), 'session-' || n, ${SUBJECT}, timestamptz '2026-01-01' + n / 2 * interval '1 second', 'shell', 'path', '/', 'policy', 'succeeded'
    from generate_series(1, ${ROWS}) n`;
  await sql`
    insert into agent_commands (id, subject, session, interpreter, started_at)
    select gen_random_uuid(), ${SUBJECT}, 'session-1', 'sh', timestamptz '2026-01-01' + n / 2 * interval '1 second' from generate_series(1, ${ROWS}) n`;
  await sql`
    insert into secret_detections (id, at, decision_id, place, kind, rule, confidence, response, pointer, start_offset, end_offset, length, digest, occurrences)
    select gen_random_uuid(), timestamptz '2026-01-01' + n / 2 * interval '1 second', gen_random_uuid(), 'request', 'github-token', 'rule', 'high', 'block',
      '', 0, 1, 1, sha256('x'), 1 from generate_series(1, ${ROWS}) n`;
});
afterAll(() => here?.stop());

it.each([
  ['/api/users', 'users'],
  ['/api/users?search=subject', 'users'],
  [`/api/users/:id/keys`, 'keys'],
  ['/api/plans', 'plans'],
  ['/api/usage', 'usage'],
  ['/api/usage?subject=subject-1', 'usage'],
  ['/api/spending-caps', 'spendingCaps'],
  ['/api/providers', 'providers'],
  ['/api/models', 'models'],
  ['/api/endpoints', 'endpoints'],
  ['/api/policies', 'policies'],
  ['/api/audit/policies', 'attempts'],
  ['/api/audit/organization-policy', 'attempts'],
  ['/api/role-assignments', 'roleAssignments'],
  ['/api/subject-revocations', 'subjectRevocations'],
  ['/api/agent-sessions', 'agentSessions'],
  ['/api/agent-execution', 'commands'],
  ['/api/projects', 'projects'],
  ['/api/projects/own', 'projects'],
  ['/api/subjects', 'subjects'],
  ['/api/projects/project-1/members', 'members'],
  ['/api/projects/project-1/member-plans', 'memberPlans'],
  ['/api/audit/decisions?permission=journal:lire', 'decisions'],
  ['/api/audit/decisions?permission=journal:lire&from=2000-01-01T00:00:00Z', 'decisions'],
  ['/api/administration-actions', 'administrationActions'],
  ['/api/administration-actions?from=2000-01-01T00:00:00Z', 'administrationActions'],
  ['/api/audit/agent-acts', 'agentActs'],
  ['/api/audit/detections', 'detections'],
])('%s is read to its end, and back to its beginning', async (path, plural) => {
  const users = (await here.pair.get(`/api/users?search=${SUBJECT}`)).json.users as { id: string }[];
  const at = path.replace(':id', users[0]?.id ?? '');
  const asked = `${at}${at.includes('?') ? '&' : '?'}limit=3`;
  const read = async (cursor: string | null) => {
    const { status, json } = await here.pair.get(cursor === null ? asked : `${asked}&cursor=${cursor}`);
    expect(status, JSON.stringify(json)).toBe(200);
    return json as { next: string | null; previous?: string | null } & Record<string, readonly unknown[]>;
  };
  const there = [await read(null)];
  for (let next = there[0]?.next ?? null; next !== null; next = there.at(-1)?.next ?? null)
    there.push(await read(next));
  expect(there.length, 'pages').toBeGreaterThan(1);
  expect(there[0]).not.toHaveProperty('previous');
  const back = [];
  for (let previous = there.at(-1)?.previous ?? null; previous !== null; previous = back.at(-1)?.previous ?? null)
    back.push(await read(previous));
  const pages = (of: readonly Readonly<Record<string, unknown>>[]) => of.map((page) => page[plural]);
  expect(pages(back.reverse())).toEqual(pages(there.slice(0, -1)));
  // And from the end of the list, where nothing is left on the page that was asked for.
  const end = await read(Buffer.from(JSON.stringify([plural, { before: null }])).toString('base64url'));
  expect(end.next).not.toBeNull();
  const beyond = await read(end.next);
  expect(beyond[plural]).toEqual([]);
  expect((await read(beyond.previous ?? null))[plural]).toEqual(end[plural]);
});
