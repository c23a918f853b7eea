import postgres from 'postgres';

const USAGE = `
  insert into request_logs (id, timestamp, subject, endpoint, model, model_id, input_tokens, output_tokens, latency_ms, usage_source, interrupted)
  select gen_random_uuid(), now() - (n % 2000000) * interval '1 second', case when n % 10 = 0 then 'demo' else 'subject-' || n % 5000 end, 'demo', 'bench-model',
    (select model_id from endpoints where name = 'demo'), 200, 80, 900, 'reported', false
  from generate_series($1::bigint, $2::bigint) n`;
const DECISIONS = `
  insert into authorization_decisions (sequence, id, at, component, subject, credential, permission, resource, outcome, reason, status, roles, previous, digest)
  select (select coalesce(max(sequence), 0) from authorization_decisions) + n, gen_random_uuid(), now(), 'gateway', 'subject-' || n % 5000, 'key', 'inference:appeler',
    'endpoint:demo', 'granted', 'role', 200, '{utilisateur-standard}', sha256(int8send(n - 1)), sha256(int8send(n))
  from generate_series(1, $1::bigint) n`;
const SLICE = 500_000;

/** Fills a stack's tables with `rows` usage records and as many decisions: what years of use leave behind. */
export async function grow(ownerUrl: string, rows: number): Promise<void> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  await sql`set synchronous_commit = off`;
  for (let from = 0; from < rows; from += SLICE) {
    const slice = Math.min(SLICE, rows - from);
    await sql.unsafe(USAGE, [from + 1, from + slice]);
    await sql.unsafe(DECISIONS, [slice]);
  }
  // Years of use have been added up by the console, minute by minute: it would be at that all through the measurement.
  for (let left = true; left; ) {
    await sql`select add_up_usage(${SLICE})`;
    const [row] = await sql<{ left: boolean }[]>`select exists (select from usage_unsummed) as left`;
    left = row?.left ?? false;
  }
  await sql`vacuum analyze request_logs, authorization_decisions, usage_totals, usage_unsummed, usage_sums`;
  await sql`checkpoint`; // measures the size of the tables, not the flushing of the writes that filled them
  await sql.end();
}
