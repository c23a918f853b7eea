import { type Act, type Changes, type Created, onlyRow, type Replaced } from '@gateway/database/audit-log/act';
import {
  keepPolicyAttempt,
  keepRefusedPolicy,
  type MaskSecrets,
  type PolicyRevision,
  policyColumns,
  type RefusedPolicy,
  readPolicyInForce,
} from './console.ts';

type PolicyChange = Changes<{
  readonly 'policy.install': Replaced<PolicyRevision>;
  readonly 'policy.refuse': Created<{ readonly cedar: string; readonly fault: string }>;
}>;

/**
 * Installs the next revision of the authorization policy. Concurrent installations wait for each other at the lock.
 * @param handedIn the text of the author, which the attempt keeps
 * @param compose makes the text of the revision from the one in force; by default, the text of the author replaces it
 */
export async function installPolicy(
  { sql, author, record }: Act<PolicyChange>,
  handedIn: string,
  compose: (inForce: string) => string = () => handedIn,
): Promise<PolicyRevision> {
  await sql`select pg_advisory_xact_lock(hashtextextended('authorization_policies', 7331))`;
  const before = (await readPolicyInForce(sql)) ?? null;
  const cedar = compose(before?.cedar ?? '');
  const after = onlyRow(
    await sql<PolicyRevision[]>`
    insert into authorization_policies (revision, cedar, author)
    values (${(before?.revision ?? 0) + 1}, ${cedar}, ${author}) returning ${policyColumns(sql)}`,
  );
  await keepPolicyAttempt(sql, { author, document: handedIn, organization: null }, { revision: after.revision });
  record({ action: 'policy.install', target: 'policy', before, after });
  return after;
}

/** Keeps a refused attempt with its author (roles-17). */
export async function refusePolicy(
  { sql, author, record }: Act<PolicyChange>,
  refused: RefusedPolicy,
  mask: MaskSecrets,
): Promise<void> {
  const { document: cedar, fault } = await keepRefusedPolicy(sql, { author, organization: null }, refused, mask);
  record({ action: 'policy.refuse', target: 'policy', before: null, after: { cedar, fault } });
}
