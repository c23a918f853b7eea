import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, parseDatabaseAddress, type Sql } from '../client/connect.ts';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';

/**
 * The whole privilege matrix: the rights of each service role on each table. `r` reads, `a` adds, `w` rewrites, `d` deletes;
 * brackets list the only columns that may be rewritten. Everything else must fail, including tables added later.
 */
const MATRIX: Readonly<Record<string, { readonly gateway: string; readonly console: string }>> = {
  account_imports: { gateway: '', console: 'ra' },
  account_keys: { gateway: 'r', console: 'ra w(revoked_at)' },
  accounts: { gateway: 'r', console: 'rawd' },
  administration_action_seals: { gateway: '', console: 'ra' },
  administration_actions: { gateway: 'r', console: 'ra' },
  agent_acts: { gateway: 'ra', console: 'r' },
  agent_acts_number_seq: { gateway: '', console: '' },
  agent_command_ends: { gateway: 'ra', console: 'r' },
  agent_command_interruptions: { gateway: 'ra', console: 'r' },
  agent_commands: { gateway: 'ra', console: 'r' },
  agent_session_lineage: { gateway: 'ra', console: 'r' },
  agent_session_parents: { gateway: 'ra', console: 'r' },
  agent_session_revocations: { gateway: 'r', console: 'ra' },
  agent_sessions: { gateway: '', console: 'r' },
  authorization_decision_seals: { gateway: 'ra', console: 'ra' },
  authorization_decisions: { gateway: 'ra', console: 'ra' },
  authorization_policies: { gateway: 'r', console: 'ra' },
  background_work: { gateway: '', console: '' },
  budget_alerts: { gateway: '', console: 'ra' },
  chain_verifications: { gateway: '', console: 'ra' },
  closed_month_prices: { gateway: '', console: '' },
  console_sessions: { gateway: '', console: 'rad' },
  console_sign_ins: { gateway: '', console: 'rad' },
  deleted_model_prices: { gateway: '', console: '' },
  endpoints: { gateway: 'r', console: 'rawd' },
  group_roles: { gateway: '', console: 'rad' },
  key_uses: { gateway: 'raw', console: 'r' },
  license_seats: { gateway: 'ra', console: 'r' },
  log_archives: { gateway: '', console: 'r' },
  log_export_positions: { gateway: 'ra w(exported_at,position)', console: '' },
  log_instance: { gateway: 'r', console: 'r' },
  log_retention: { gateway: '', console: '' },
  log_tiles: { gateway: 'r', console: 'r' },
  model_prices: { gateway: 'r', console: 'r' },
  model_providers: { gateway: '', console: 'r' },
  models: { gateway: 'r', console: 'rawd' },
  organization_policies: { gateway: 'r', console: 'ra' },
  organizations: { gateway: 'r', console: 'ra' },
  plans: { gateway: 'r', console: 'rawd' },
  policy_attempts: { gateway: '', console: 'ra' },
  price_periods: { gateway: '', console: 'r' },
  project_members: { gateway: '', console: 'rad' },
  provider_tests: { gateway: 'r w(fault,finished_at,models,status,taken_at)', console: 'ra' },
  provisioned_group_members: { gateway: '', console: 'rad' },
  provisioned_groups: { gateway: '', console: 'rawd' },
  provisioned_users: { gateway: '', console: 'rawd' },
  providers: { gateway: 'r', console: 'rawd' },
  reported_expiries: { gateway: 'ra w(reported_at)', console: 'r' },
  reported_key_variables: { gateway: 'rawd', console: 'r' },
  request_logs: { gateway: 'ra', console: 'r' },
  role_assignments: { gateway: 'r', console: 'rad' },
  running_agent_commands: { gateway: 'rad', console: '' },
  schema_migrations: { gateway: 'r', console: 'r' },
  secret_detections: { gateway: 'ra', console: 'r' },
  secret_detections_number_seq: { gateway: '', console: '' },
  signing_keys: { gateway: 'ra', console: 'ra' },
  subject_revocations: { gateway: 'r', console: 'ra w(lift_reason,lifted_at,lifted_by)' },
  upstream_results: { gateway: 'ra', console: 'r' },
  usage_sums: { gateway: '', console: 'r' },
  usage_totals: { gateway: 'r', console: 'r' },
  usage_unsummed: { gateway: '', console: 'r' },
};
const SERVICES = ['gateway', 'console'] as const;
/** insufficient_privilege; and what PostgreSQL answers where a view cannot be written or is no table. */
const DENIED = new Set(['42501', '55000', '42809']);

let database: TestDatabase;
let services: Record<(typeof SERVICES)[number], Sql>;
beforeAll(async () => {
  database = await createTestDatabase();
  const as = (url: string): Sql => connect(parseDatabaseAddress(url), { max: 1 });
  services = { gateway: as(database.gatewayUrl), console: as(database.consoleUrl) };
});
afterAll(async () => {
  await Promise.all(Object.values(services).map((sql) => sql.end()));
  await database.drop();
});

/** Whether the database allowed the statement, with any result; its effect is rolled back. */
async function isAllowed(sql: Sql, statement: string): Promise<boolean> {
  const undone = new Error('undone');
  try {
    await sql.begin(async (transaction) => {
      await transaction.unsafe(statement);
      throw undone;
    });
    return true;
  } catch (error) {
    return error === undone || !DENIED.has((error as { code?: string }).code ?? '');
  }
}

async function columnsOf(table: string): Promise<string[]> {
  const rows = await database.sql<{ name: string }[]>`
    select column_name as name from information_schema.columns where table_schema = 'public' and table_name = ${table} order by 1`;
  return rows.map(({ name }) => name);
}

/** What a role can do to a table, tried out, in the matrix's letters. */
async function triedOut(sql: Sql, table: string): Promise<string> {
  const columns = await columnsOf(table);
  const letters = [
    (await isAllowed(sql, `select * from ${table} limit 1`)) ? 'r' : '',
    (await isAllowed(sql, `insert into ${table} default values`)) ? 'a' : '',
  ];
  const rewritten: string[] = [];
  for (const column of columns)
    if (await isAllowed(sql, `update ${table} set ${column} = default where false`)) rewritten.push(column);
  if (columns.length > 0 && rewritten.length === columns.length) letters.push('w');
  if (await isAllowed(sql, `delete from ${table} where false`)) letters.push('d');
  if (rewritten.length > 0 && rewritten.length < columns.length) letters.push(` w(${rewritten.join(',')})`);
  return letters.join('').trim();
}

describe('the privilege matrix', () => {
  it('names every table there is', async () => {
    const rows = await database.sql<{ name: string }[]>`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'S') order by 1`;
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(MATRIX).toSorted());
  });

  // log-11
  it.each(SERVICES)('is what the %s role can do, and nothing else', async (service) => {
    const seen: Record<string, string> = {};
    for (const table of Object.keys(MATRIX)) seen[table] = await triedOut(services[service], table);
    expect(seen).toEqual(Object.fromEntries(Object.entries(MATRIX).map(([table, may]) => [table, may[service]])));
  });

  it.each(SERVICES)('forbids the %s role to truncate, change or create any table', async (service) => {
    const sql = services[service];
    for (const table of Object.keys(MATRIX)) {
      for (const statement of [
        `truncate ${table}`,
        `alter table ${table} add column x int`,
        `drop table ${table}`,
        `create trigger x before insert on ${table} for each row execute function suppress_redundant_updates_trigger()`,
        `create index on ${table} ((1))`,
        `lock table ${table} in access exclusive mode`,
      ]) {
        // A role that may rewrite or delete whole rows may also lock (PostgreSQL, LOCK).
        const mayLock = statement.startsWith('lock') && /^\w*[wd]/.test(MATRIX[table]?.[service] ?? '');
        expect(await isAllowed(sql, statement), `${service}: ${statement}`).toBe(mayLock);
      }
    }
    for (const statement of [
      'create table public.x (a int)',
      'create schema x',
      'create role x',
      "alter role current_user password 'x' superuser",
    ])
      expect(await isAllowed(sql, statement), `${service}: ${statement}`).toBe(false);
  });

  it('allows each role exactly its functions', async () => {
    const rows = await database.sql<{ name: string; gateway: boolean; console: boolean }[]>`
      select proname as name, has_function_privilege('gateway_service', oid, 'execute') as gateway,
        has_function_privilege('console_service', oid, 'execute') as console
      from pg_proc where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype order by 1`;
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { name: 'add_up_usage', gateway: false, console: true },
      { name: 'bill_background_work', gateway: true, console: false },
      { name: 'extend_log_tiles', gateway: true, console: true },
      { name: 'install_administrator', gateway: true, console: false },
      { name: 'record_background_work', gateway: true, console: false },
      { name: 'register_directory_identity', gateway: true, console: false },
      { name: 'remove_expired_results', gateway: true, console: false },
      { name: 'standby_model', gateway: true, console: false },
    ]);
  });
});
