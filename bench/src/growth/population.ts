import { createHash } from 'node:crypto';
import postgres from 'postgres';

/** The key of a subject of the population. */
export function keyOfSubject(number: number): string {
  return `gwk_${createHash('sha256').update(`grown-${number}`).digest('hex').slice(0, 48)}`;
}

const KEY = "'gwk_' || left(encode(sha256(('grown-' || n)::bytea), 'hex'), 48)";
const ACCOUNTS = `
  insert into accounts (id, username, plan_id) select gen_random_uuid(), 'grown-' || n, (select plan_id from accounts where plan_id is not null limit 1)
  from generate_series($1::int, $2::int) n`;
const KEYS = `
  insert into account_keys (id, account_id, digest, last_four, label)
  select gen_random_uuid(), account.id, sha256((${KEY})::bytea), right(${KEY}, 4), 'bench'
  from generate_series($1::int, $2::int) n join accounts account on account.username = 'grown-' || n`;
const ROLES = `
  insert into role_assignments (id, subject, role, author) select gen_random_uuid(), 'grown-' || n, 'utilisateur-standard', 'bench'
  from generate_series($1::int, $2::int) n`;
const TOTALS = `
  insert into usage_totals (subject, month, model_id, input_tokens, output_tokens)
  select 'grown-' || n, date_trunc('month', now() at time zone 'UTC')::date, model.id, 200, 80
  from generate_series($1::int, $2::int) n, (select id from models order by id limit 1) model`;
const SLICE = 100_000;

/** Declares this many subjects, each with an account, a key, a plan, a role and consumption in this month. */
export async function populate(ownerUrl: string, subjects: number): Promise<void> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  await sql`set synchronous_commit = off`;
  for (let from = 1; from <= subjects; from += SLICE) {
    const to = Math.min(from + SLICE - 1, subjects);
    for (const statement of [ACCOUNTS, KEYS, ROLES, TOTALS]) await sql.unsafe(statement, [from, to]);
  }
  await sql`vacuum analyze accounts, account_keys, role_assignments, usage_totals`;
  await sql`checkpoint`;
  await sql.end();
}
