import {
  type ActionFilter,
  type DecisionFilter,
  listAdministrationActions,
  listDecisions,
  listDetections,
} from '@gateway/database/audit-log/lists';
import type { Rows } from '@gateway/database/client/pages';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSpendingCaps } from './plan/console-spending.ts';
import { type ActFilter, listAgentActs, listAgentSessions } from './session/console.ts';
import { listUsage } from './usage/console-records.ts';

// A list must stay fast at a million rows (issue: under a fifth of a second). Checked here is the plan: through an index in the
// order of the list, never by sorting or scanning the table. That does not depend on a machine's speed.
let database: TestDatabase;
const ROWS = 30_000;
beforeAll(async () => {
  database = await createTestDatabase();
  const { sql } = database;
  await sql`
    insert into authorization_decisions (sequence, id, at, component, subject, credential, permission, resource, session, outcome,
      reason, status, roles, previous, digest)
    select n, gen_random_uuid(), timestamptz '2026-01-01' + n * interval '20 seconds', 'gateway', 'user-' || n % 97, 'key',
      'inference:appeler', 'endpoint:e-' || n % 50, case when n % 100 = 0 then 's-' || n % 7 end,
      case when n % 200 = 0 then 'refused' else 'granted' end, case when n % 200 = 0 then 'cap-reached' else 'role' end, 200,
      '{}', sha256('a'), sha256('b') from generate_series(1, ${ROWS}) n`;
  await sql`
    insert into administration_actions (sequence, id, at, component, author, action, target, previous, digest)
    select n, gen_random_uuid(), timestamptz '2026-01-01' + n * interval '20 seconds', 'console', 'admin-' || n % 50,
      'provider.change', 'provider:p-' || n % 1000, sha256('a'), sha256('b') from generate_series(1, ${ROWS}) n`;
  await sql`
    insert into agent_acts (id, session, subject, at, tool, target_kind, target_value, authorized_by, outcome)
    select gen_random_uuid(), 's-' || n % 500, 'user-' || n % 97, timestamptz '2026-01-01' + n * interval '20 seconds',
      'tool-' || n % 30, 'path', '/x', 'policy', case when n % 500 = 0 then 'failed' else 'succeeded' end
    from generate_series(1, ${ROWS}) n`;
  await sql`
    insert into request_logs
    select gen_random_uuid(), timestamptz '2026-01-01' + n * interval '20 seconds', 'user-' || n % 97, 'e-' || n % 50, 'm-' || n % 20,
      gen_random_uuid(), 1, 1, 1, 'reported', false from generate_series(1, ${ROWS}) n`;
  await sql`
    insert into secret_detections (id, at, decision_id, place, kind, rule, confidence, response, start_offset, end_offset, length,
      digest, occurrences)
    select gen_random_uuid(), timestamptz '2026-01-01' + n * interval '20 seconds', gen_random_uuid(), 'request', 'kind-' || n % 30,
      'r', 'high', 'block', 0, 1, 1, sha256('a'), 1 from generate_series(1, ${ROWS}) n`;
  await sql`vacuum analyze`;
});
afterAll(() => database.drop());

/** PostgreSQL's generic plan of a list. */
async function planOf<Row extends object>(query: Rows<Row>): Promise<string> {
  const { string } = await query.describe();
  const rows = await database.sql.unsafe<{ 'QUERY PLAN': string }[]>(`explain (generic_plan) ${string}`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
/** The plan for these values, as the console's connections ask for it. */
async function planFor<Row extends object>(
  query: Rows<Row>,
  values: readonly (string | number | null)[],
  setting = 'set local work_mem = default',
  explain = 'explain',
): Promise<string> {
  const { string } = await query.describe();
  const rows = await database.sql.begin(async (sql) => {
    await sql.unsafe(setting);
    return sql.unsafe<{ 'QUERY PLAN': string }[]>(`${explain} ${string}`, [...values]);
  });
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
/** The number of rows read for an answer. */
async function visited<Row extends object>(query: Rows<Row>, values: readonly (string | number | null)[]) {
  const plan = await planFor(query, values, undefined, 'explain (analyze, timing off, buffers off)');
  const counts = [...plan.matchAll(/Scan.*actual rows=([\d.]+) loops=(\d+)/g)].map(
    ([, rows, loops]) => Number(rows) * Number(loops),
  );
  const removed = [...plan.matchAll(/Rows Removed by .*: (\d+)/g)].map(([, rows]) => Number(rows));
  return [...counts, ...removed].reduce((sum, rows) => sum + rows, 0);
}
const PERIOD = { from: '2026-01-02T00:00:00.000Z', until: '2026-01-05T00:00:00.000Z' };
const page = { limit: 50, after: null };
const SORTED = /(?<!Incremental )Sort {2}\(/;

const DECISIONS: DecisionFilter = {
  sequence: null,
  subject: null,
  subjectPart: null,
  resourcePart: null,
  outcome: null,
  permission: null,
  reason: null,
  resource: null,
  session: null,
  component: null,
  requestId: null,
  from: null,
  until: null,
};
const ACTIONS: ActionFilter = {
  sequence: null,
  author: null,
  action: null,
  target: null,
  component: null,
  authorPart: null,
  actionPart: null,
  targetPart: null,
  from: null,
  until: null,
};
const SESSIONS = { session: null, subject: null, sessionPart: null, subjectPart: null };
const ACTS: ActFilter = {
  id: null,
  subjectPart: null,
  session: null,
  subject: null,
  tool: null,
  outcome: null,
  from: null,
  until: null,
};
const USAGE = { subject: null, endpoint: null, model: null, provider: null, project: null, from: null, until: null };

describe('the decision log', () => {
  it.each([
    [{}, 'authorization_decisions_pkey'],
    [{ subject: 'user-5' }, 'authorization_decisions_subject'],
    [{ outcome: 'refused' as const }, 'authorization_decisions'],
    [{ session: 's-3' }, 'authorization_decisions_session'],
    [{ reason: 'cap-reached' }, 'authorization_decisions_refused'],
  ])('is read in order through an index: %j', async (filter, index) => {
    const plan = await planOf(listDecisions(database.sql, { ...DECISIONS, ...filter }, page));
    expect(plan).toContain(index);
    expect(plan).not.toMatch(SORTED);
    expect(plan).not.toContain('Seq Scan');
  });
  it('reads a middle page as fast as the first', async () => {
    const middle = { limit: 50, after: ['2026-01-04T11:20:00.000Z', 15_000] as const };
    const plan = await planOf(listDecisions(database.sql, DECISIONS, middle));
    expect(plan).toMatch(/Index Scan Backward using authorization_decisions_pkey[\s\S]*Index Cond: \(sequence < /);
    const ofPeriod = listDecisions(database.sql, { ...DECISIONS, ...PERIOD }, middle);
    const going = await planFor(ofPeriod, [PERIOD.from, PERIOD.until, ...middle.after, 51]);
    expect(going).toMatch(/Index Scan using authorization_decisions_at[\s\S]*Index Cond: .*ROW\(at, sequence\) < /);
    expect(going).not.toMatch(SORTED);
  });
  it.each([{}, { subject: 'user-5' }, { outcome: 'refused' as const }])(
    'reads no more than a small part of the log for a period: %j',
    async (filter) => {
      const query = listDecisions(database.sql, { ...DECISIONS, ...filter, ...PERIOD }, page);
      const values = [...Object.values(filter), PERIOD.from, PERIOD.until, 51];
      expect(await visited(query, values)).toBeLessThan(ROWS / 4);
    },
  );
  it.each([
    { resource: 'endpoint:none' },
    { permission: 'journal:lire' },
    { component: 'console' },
    { requestId: 'r' },
  ])('finds what is rare without reading everything: %j', async (filter) => {
    const query = listDecisions(database.sql, { ...DECISIONS, ...filter }, page);
    const [value = ''] = Object.values(filter);
    // At so few rows reading them all is as cheap: what counts is that there is another way.
    const plan = await planFor(query, [value, 51], 'set local enable_seqscan = off');
    expect(plan).toContain('authorization_decisions_values');
  });
});

describe('the administration log', () => {
  it.each([{}, { author: 'admin-3' }, { target: 'provider:p-5' }, { component: 'gatewayctl' }, { action: 'x' }])(
    'is read in order through an index: %j',
    async (filter) => {
      const plan = await planOf(listAdministrationActions(database.sql, { ...ACTIONS, ...filter }, page));
      expect(plan).not.toMatch(SORTED);
      expect(plan).not.toContain('Seq Scan');
    },
  );
});

describe('acts and sessions of agents', () => {
  it.each([{}, { session: 's-1' }, { subject: 'user-3' }, { tool: 'tool-3' }, { outcome: 'failed' }])(
    'are read in order through an index: %j',
    async (filter) => {
      const plan = await planOf(listAgentActs(database.sql, { ...ACTS, ...filter }, page));
      expect(plan).not.toMatch(SORTED);
      expect(plan).not.toContain('Seq Scan');
    },
  );
  it('are counted when they arrive, so that sessions are listed without reading acts', async () => {
    const plan = await planOf(listAgentSessions(database.sql, { ...SESSIONS, revoked: null }, page));
    expect(plan).not.toContain('agent_acts');
  });
});

describe('usage records', () => {
  it.each([{}, { subject: 'user-3' }, { endpoint: 'e-3' }, { model: 'm-3' }])(
    'are read in order through an index: %j',
    async (filter) => {
      const plan = await planOf(listUsage(database.sql, { ...USAGE, ...filter }, page));
      expect(plan).not.toMatch(SORTED);
      expect(plan).not.toContain('Seq Scan on request_logs');
    },
  );
});

describe('detections of secrets', () => {
  it.each([{}, { kind: 'kind-3' }])('are read in order through an index: %j', async (filter) => {
    const none = {
      id: null,
      kindPart: null,
      kind: null,
      place: null,
      response: null,
      decision: null,
      from: null,
      until: null,
    };
    const plan = await planOf(listDetections(database.sql, { ...none, ...filter }, page));
    expect(plan).toContain('secret_detections_');
    expect(plan).not.toMatch(SORTED);
  });
});

describe('the list of caps', () => {
  it('reads the totals of its month alone, and makes plans for its page only', async () => {
    const plan = await planOf(listSpendingCaps(database.sql, { search: null, plan: null }, page));
    expect(plan).toContain('usage_totals_month');
    expect(plan).not.toContain('request_logs');
  });
});

describe('revoked sessions', () => {
  it('are found from the revocations, not by looking at every session', async () => {
    const revoked = listAgentSessions(database.sql, { ...SESSIONS, revoked: true }, page);
    expect(await visited(revoked, [51])).toBeLessThan(20);
  });
});
