import { isRole, type Role } from '@gateway/contract';
import type { Queryable } from '../client/connect.ts';
import {
  keepPolicyAttempt,
  type PolicyRevision,
  policyColumns,
  readPolicyInForce,
} from '../queries/console/policies.ts';
import { type ImposedPolicy, imposedColumns, type Organization } from '../queries/console/subjects.ts';
import { type Act, onlyRow } from './act.ts';

/**
 * Installs the next revision of the authorization policy. Concurrent installations wait for each other at the lock.
 * @param handedIn the text of the author, which the attempt keeps
 * @param compose makes the text of the revision from the one in force; by default, the text of the author replaces it
 */
export async function installPolicy(
  { sql, author, record }: Act,
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
export async function refusePolicy({ sql, author, record }: Act, cedar: string, fault: string): Promise<void> {
  await keepPolicyAttempt(sql, { author, document: cedar, organization: null }, { fault });
  record({ action: 'policy.refuse', target: 'policy', before: null, after: { cedar, fault } });
}

/** Installs the next revision of the policy for the workstations of an organization (workstation-2). */
export async function installOrganizationPolicy(
  { sql, author, record }: Act,
  { id, slug }: Pick<Organization, 'id' | 'slug'>,
  { document, validFrom, validUntil }: Pick<ImposedPolicy, 'document' | 'validFrom' | 'validUntil'>,
): Promise<ImposedPolicy> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${id}, 7332))`;
  const [before = null] = await sql<ImposedPolicy[]>`
    select ${imposedColumns(sql)} from organization_policies where organization_id = ${id}
    order by revision desc limit 1`;
  const after = onlyRow(
    await sql<ImposedPolicy[]>`
    insert into organization_policies (organization_id, revision, document, valid_from, valid_until, author)
    values (${id}, ${(before?.revision ?? 0) + 1}, ${sql.json({ ...document })}, ${validFrom}, ${validUntil}, ${author})
    returning ${imposedColumns(sql)}`,
  );
  const attempted = { author, document: JSON.stringify(document), organization: slug };
  await keepPolicyAttempt(sql, attempted, { revision: after.revision });
  record({ action: 'organization-policy.install', target: `organization:${slug}`, before, after });
  return after;
}

/** Keeps a refused attempt with its author (workstation-4). */
export async function refuseOrganizationPolicy(
  { sql, author, record }: Act,
  slug: string,
  document: string,
  fault: string,
): Promise<void> {
  await keepPolicyAttempt(sql, { author, document, organization: slug }, { fault });
  const target = `organization:${slug}`;
  record({ action: 'organization-policy.refuse', target, before: null, after: { document, fault } });
}

/** The roles of a subject, those of one project alone where one is named. */
export async function rolesOf(sql: Queryable, subject: string, project: string | null): Promise<readonly Role[]> {
  const rows = await sql<{ role: string }[]>`
    select distinct role from role_assignments
    where subject = ${subject} and (project is null or project = ${project ?? ''}) order by role`;
  return rows.map(({ role }) => role).filter(isRole);
}

/** The facts about an endpoint for an authorization policy; null for an unknown name. */
export async function readServed(
  sql: Queryable,
  endpoint: string,
): Promise<{ readonly model: string; readonly provider: string } | null> {
  const [row] = await sql<{ model: string; provider: string }[]>`
    select models.slug as model, providers.slug as provider
    from endpoints join models on models.id = endpoints.model_id join providers on providers.id = models.provider_id
    where endpoints.name = ${endpoint}`;
  return row ?? null;
}
