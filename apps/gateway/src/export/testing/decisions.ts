import type { TestDatabase } from '@gateway/database/testing';

/** Inserts decisions into the log without a valid chain, which the tests do not need. */
export async function decide({ sql }: TestDatabase, count: number): Promise<void> {
  await sql`
    insert into authorization_decisions (sequence, id, at, component, subject, credential, permission, resource, outcome,
      reason, status, roles, detail, previous, digest)
    select last + n, gen_random_uuid(), now(), 'gateway', 'caller', 'key', 'inference:appeler', 'endpoint:chat', 'granted',
      'role', 200, '{utilisateur-standard}', repeat('d', 200), sha256(n::text::bytea), sha256(n::text::bytea)
    from generate_series(1, ${count}::int) n, (select coalesce(max(sequence), 0) as last from authorization_decisions) end_of_log`;
}
