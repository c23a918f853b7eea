import { randomUUID } from 'node:crypto';
import { connect, parseDatabaseAddress, type Sql } from '@gateway/database';
import { createDecisionLog } from '@gateway/database/audit-log/decision-log';
import { createSigner, generateSigningKey } from '@gateway/ledger';

import type { Stack } from '../support/hosted-stack.ts';

/** Calls the console's API as the shared pair does, and returns the created object. */
export function asPair({ console: base, consoleSignIn }: Stack) {
  const pair = btoa(`${consoleSignIn?.user}:${consoleSignIn?.password}`);
  return async (method: string, path: string, body: unknown): Promise<{ id: string; key: string }> => {
    const headers = { authorization: `Basic ${pair}`, 'content-type': 'application/json' };
    const answer = await fetch(base + path, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { id: string; key: string };
  };
}

export function ownerOf(stack: Stack): Sql {
  return connect(parseDatabaseAddress(stack.database.owner), { max: 2 });
}

const PEOPLE = ['ada', 'alan', 'barbara', 'edsger', 'grace', 'ci-pipeline'];
const MODELS = [
  ['qwen3-coder-30b', 'Qwen3 Coder 30B', 0.6, 1.8],
  ['mistral-small-3.2', 'Mistral Small 3.2', 0.1, 0.3],
  ['bge-m3', 'BGE M3', 0.02, 0],
] as const;
const ENDPOINTS = [
  ['code', 0],
  ['chat', 1],
  ['embeddings', 2],
] as const;

/** Decisions of the last two days, chained and sealed as a gateway does it. */
export async function appendDecisions(stack: Stack, count: number): Promise<void> {
  const signer = createSigner(generateSigningKey());
  const log = createDecisionLog({ address: parseDatabaseAddress(stack.database.gateway), signer, budgetMs: 60_000 });
  const begin = Date.now() - 48 * 3_600_000;
  await Promise.all(
    Array.from({ length: count }, (_, n) => {
      const refused = n % 11 === 7;
      return log.append({
        id: randomUUID(),
        at: new Date(begin + (n * 48 * 3_600_000) / count).toISOString(),
        component: 'gateway',
        subject: PEOPLE[n % PEOPLE.length] ?? null,
        credential: 'key',
        keyId: randomUUID(),
        permission: 'inference:appeler',
        resource: `endpoint:${ENDPOINTS[n % 3]?.[0]}`,
        session: n % 4 === 0 ? `session-${n % 5}` : null,
        outcome: refused ? 'refused' : 'granted',
        reason: refused ? 'role-missing' : 'role',
        status: refused ? 403 : 200,
        roles: refused ? [] : ['utilisateur-standard'],
        policyRevision: null,
        detail: null,
        requestId: null,
        sourceAddress: '10.20.0.7',
      });
    }),
  );
  log.close();
}

/** A policy that limits one caller of the furnished instance to some endpoints, and says which. */
export function pipelineCalls(endpoints: readonly string[]): string {
  const names = endpoints.map((name) => `"${name}"`).join(' and ');
  const allowed = endpoints.map((name) => `resource == Endpoint::"${name}"`).join(' || ');
  return `// The pipeline calls no endpoint but ${names}.
forbid (
  principal == Subject::"ci-pipeline",
  action == Action::"inference:appeler",
  resource
)
unless { ${allowed} };
`;
}

/** Acts of agents and a month of records, as a workday has them: many by day, few by night, none at the weekend. */
async function writeRows(sql: Sql, models: readonly string[]): Promise<void> {
  await sql`
    insert into request_logs
    select gen_random_uuid(), at, (string_to_array(${PEOPLE.join()}, ','))[1 + n % 6], (array['code', 'chat', 'embeddings'])[1 + n % 3],
      (string_to_array(${MODELS.map(([slug]) => slug).join()}, ','))[1 + n % 3], (string_to_array(${models.join()}, ','))[1 + n % 3]::uuid,
      (400 + n * 7919 % 6000) * (2 + extract(day from at)::int * 7 % 5), case when n % 3 = 2 then 0 else (80 + n * 104729 % 900) * (1 + extract(day from at)::int * 3 % 4) end,
      250 + n * 48611 % 5200 + extract(day from at)::int * 11 % 7 * 400,
      case when n % 29 = 0 then 'estimated' else 'reported' end, n % 61 = 0
    from (
      select n, now() - interval '29 days' + n * (interval '29 days' / 4000) as at from generate_series(1, 4000) n
    ) made where extract(isodow from at) < 6 and (extract(hour from at) between 7 and 18 or n % 9 = 0)`;
  await sql`
    insert into upstream_results
    select gen_random_uuid(), max("timestamp"), endpoint, 'research', status, null, count(*)::integer
    from (select *, case when latency_ms % 97 = 0 then 503 when latency_ms % 89 = 0 then 429 else 200 end as status from request_logs) used
    group by date_trunc('hour', "timestamp"), endpoint, status, case when status <> 200 then id end`;
  await sql`
    insert into agent_acts (id, session, subject, at, tool, target_kind, target_value, authorized_by, outcome, reason)
    select gen_random_uuid(), 'session-' || n % 5, (string_to_array(${PEOPLE.join()}, ','))[1 + n % 5], now() - n * interval '7 minutes',
      case when n % 3 = 0 then 'run_command' else 'read_file' end, case when n % 3 = 0 then 'command' else 'path' end,
      case when n % 3 = 0 then 'npm test -- --run' else '/home/dev/project/src/module-' || n || '.ts' end,
      (array['policy', 'human', 'automatic'])[1 + n % 3], case when n % 13 = 0 then 'refused' else 'succeeded' end,
      case when n % 13 = 0 then 'outside the project' end
    from generate_series(1, 60) n`;
  // Two people reach a threshold with a last call. The console adds the alert within a minute: nothing waits for that here.
  await sql`
    with reached as (
      select subject, threshold, plan, cap, greatest(cap * threshold / 100, spent) as total, spent,
        greatest(now() - age, date_trunc('month', now() at time zone 'UTC') at time zone 'UTC') as at
      from (values ('ada', 80, 'team', 5, interval '2 hours'), ('ci-pipeline', 100, 'trial', 0.5, interval '1 day'))
        alert (subject, threshold, plan, cap, age)
      cross join lateral (
        select coalesce(sum(input_tokens * input_price + output_tokens * output_price), 0) as spent
        from request_logs used join models on models.id = used.model_id
        where used.subject = alert.subject and date_trunc('month', "timestamp" at time zone 'UTC') = date_trunc('month', now() at time zone 'UTC')
      ) spending
    ), last_calls as (
      insert into request_logs
      select gen_random_uuid(), at, subject, 'code', models.slug, models.id, 0, ceil((total - spent) / output_price), 900, 'reported', false
      from reached join models on models.id = ${models[0] ?? ''}
    )
    insert into budget_alerts (subject, month, threshold, plan, cap, spent, at)
    select subject, date_trunc('month', now() at time zone 'UTC')::date, threshold, plan, cap, total, at from reached
    on conflict do nothing`;
  await sql`
    with commands (n, interpreter, code, cause) as (
      values (1, 'python3', null::integer, null), (2, 'sh', 0, null), (3, 'node', 2, null), (4, 'sh', null, 'revoked')
    ), begun as (
      insert into agent_commands (id, subject, session, interpreter, started_at)
      select gen_random_uuid(), 'ada', 'session-' || n, interpreter, now() - n * interval '3 minutes' from commands
      returning id, session, started_at
    )
    insert into agent_command_ends
    select id, started_at + interval '2 seconds', code, case when code is null then 'SIGTERM' end, cause, null, 2000, 512, 0
    from begun join commands on session = 'session-' || n where n > 1`;
  await sql`
    insert into secret_detections (id, at, decision_id, place, kind, rule, confidence, response, pointer, start_offset, end_offset,
      length, digest, occurrences)
    select gen_random_uuid(), at + interval '40 milliseconds', id, case when sequence % 2 = 0 then 'request' else 'answer' end,
      (array['github-token', 'aws-access-key', 'private-key'])[1 + sequence % 3], 'rule', 'high',
      case when sequence % 2 = 0 then 'block' else 'mask' end, '/messages/0/content', 120, 160, 40, sha256(id::text::bytea), 1
    from authorization_decisions where sequence % 17 = 0`;
}

/** A console in use: what an operator has declared, and what people and agents did since. */
export async function furnish(stack: Stack): Promise<void> {
  const ask = asPair(stack);
  const provider = await ask('POST', '/api/providers', {
    slug: 'research',
    name: 'Research cluster',
    baseUrl: 'https://inference.research.example:8443',
    apiKeyEnv: 'RESEARCH_ENGINE_KEY',
  });
  const models: string[] = [];
  for (const [slug, name, input, output] of MODELS) {
    const prices = { inputPrice: input / 1_000_000, outputPrice: output / 1_000_000 };
    models.push((await ask('POST', '/api/models', { slug, name, provider: provider.id, ...prices })).id);
  }
  for (const [name, model] of ENDPOINTS) await ask('POST', '/api/endpoints', { name, model: models[model] });
  const team = await ask('POST', '/api/plans', {
    slug: 'team',
    name: 'Team',
    monthlyCap: 5,
    alertThresholds: [80, 100],
  });
  const tight = await ask('POST', '/api/plans', { slug: 'trial', name: 'Trial', monthlyCap: 0.5 });
  for (const username of PEOPLE) {
    const plan = username === 'ci-pipeline' ? tight.id : team.id;
    await ask('POST', '/api/users', { username, plan });
    await ask('POST', '/api/role-assignments', { subject: username, role: 'utilisateur-standard' });
  }
  await ask('POST', '/api/policies', {
    cedar: pipelineCalls(['chat']),
  });
  await ask('POST', '/api/organization', { slug: 'acme', name: 'Acme Research' });
  await ask('POST', '/api/organization/policy', {
    organization: 'acme',
    document: { models: { providers: ['research'] }, tools: { ask: ['run_command'], exclude: ['web_search'] } },
  });
  for (const subject of ['ada', 'grace', 'mallory']) await ask('POST', '/api/projects/apollo/members', { subject });
  await ask('POST', '/api/subject-revocations', { subject: 'mallory', reason: 'left the company' });
  await ask('POST', '/api/audit/agent-sessions/session-4/revocation', { reason: 'a runaway loop' });
  await appendDecisions(stack, 120);
  const sql = ownerOf(stack);
  await writeRows(sql, models);
  await sql.end();
}

/** A browser's credentials of a user with a role: the username, and the account's key as password. */
export async function holderOf(stack: Stack, username: string, role: string, project?: string) {
  const ask = asPair(stack);
  const { key } = await ask('POST', '/api/users', { username });
  await ask('POST', '/api/role-assignments', {
    subject: username,
    role,
    ...(project === undefined ? {} : { project }),
  });
  return { username, password: key };
}
