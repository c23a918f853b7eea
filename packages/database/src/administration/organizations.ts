import { isRole, type Role } from '@gateway/contract';
import { v7 as uuid } from 'uuid';
import { type Act, type Changed, type Changes, type Created, onlyRow, type Replaced } from '../audit-log/act.ts';
import type { Queryable } from '../client/connect.ts';
import { firstSubjectOf, lineageOf } from '../client/lineage.ts';
import {
  keepPolicyAttempt,
  type PolicyRevision,
  policyColumns,
  readPolicyInForce,
} from '../queries/console/policies.ts';
import { type ImposedPolicy, imposedColumns, type Organization } from '../queries/console/subjects.ts';

type OrganizationChange = Changes<{
  readonly 'organization.create': Created<NamedOrganization>;
  readonly 'organization.change': Changed<NamedOrganization>;
  readonly 'organization-policy.install': Replaced<ImposedPolicy>;
  readonly 'organization-policy.refuse': Created<{ readonly document: string; readonly fault: string }>;
}>;

export type NamedOrganization = Pick<Organization, 'id' | 'slug' | 'name'>;

/** Creates an organization, which has no policy yet. @returns undefined where the slug is in use */
export async function createOrganization(
  { sql, record }: Act<OrganizationChange>,
  { slug, name }: Pick<Organization, 'slug' | 'name'>,
): Promise<NamedOrganization | undefined> {
  const after = { id: uuid(), slug, name };
  const made = await sql`insert into organizations ${sql(after)} on conflict (slug) do nothing returning id`;
  if (made.length === 0) return undefined;
  record({ action: 'organization.create', target: `organization:${slug}`, before: null, after });
  return after;
}

export async function renameOrganization(
  { sql, record }: Act<OrganizationChange>,
  { id }: Pick<Organization, 'id'>,
  name: string,
): Promise<void> {
  // Locked, so that the log says what the name was.
  const before = onlyRow(
    await sql<NamedOrganization[]>`select id, slug, name from organizations where id = ${id} for update`,
  );
  await sql`update organizations set name = ${name} where id = ${id}`;
  record({
    action: 'organization.change',
    target: `organization:${before.slug}`,
    before,
    after: { ...before, name },
  });
}

export type Standing =
  | { readonly session: string; readonly standing: 'in force' }
  | {
      readonly session: string;
      readonly standing: 'revoked';
      readonly revokedAt: string;
      /** The session that was revoked: this one, or one it descends from. */
      readonly revokedSession: string;
      readonly author: string;
      readonly reason: string;
    };

/**
 * Whether a session, or one of its ancestors, is revoked; meant is the session of the subject that first named a parent for it.
 * An unrevoked or unknown session is in force (workstation-9).
 */
export async function readStanding(sql: Queryable, session: string): Promise<Standing> {
  const [row] = await sql.unsafe<{ revokedSession: string; author: string; reason: string; revokedAt: Date }[]>(
    `with ${lineageOf(firstSubjectOf('$1::text'), '$1::text')}
    select session as "revokedSession", author, reason, revoked_at as "revokedAt"
    from lineage join agent_session_revocations using (session) order by revoked_at limit 1`,
    [session],
  );
  if (!row) return { session, standing: 'in force' };
  return { session, standing: 'revoked', ...row, revokedAt: row.revokedAt.toISOString() };
}

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
  cedar: string,
  fault: string,
): Promise<void> {
  await keepPolicyAttempt(sql, { author, document: cedar, organization: null }, { fault });
  record({ action: 'policy.refuse', target: 'policy', before: null, after: { cedar, fault } });
}

/** Installs the next revision of the policy for the workstations of an organization (workstation-2). */
export async function installOrganizationPolicy(
  { sql, author, record }: Act<OrganizationChange>,
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
  { sql, author, record }: Act<OrganizationChange>,
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
