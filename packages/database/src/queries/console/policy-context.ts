import type { Permission, Role } from '@gateway/contract';
import type { Queryable } from '../../client/connect.ts';
import type { Revision } from '../revision.ts';

/** A past decision, as input for a check of a policy before its installation. */
export interface PastDecision {
  readonly at: Date;
  readonly component: string;
  readonly subject: string | null;
  readonly permission: Permission;
  readonly resource: string;
  readonly session: string | null;
  readonly outcome: 'granted' | 'refused';
  readonly roles: readonly Role[];
  readonly sourceAddress: string | null;
}

/** The last decisions, the newest first. */
export function readLastDecisions(sql: Queryable, count: number): Promise<PastDecision[]> {
  return sql<PastDecision[]>`
    select at, component, subject, permission, resource, session, outcome, roles, source_address as "sourceAddress"
    from authorization_decisions entry order by entry.sequence desc limit ${count}`;
}

/** An endpoint with the slugs that a policy may look at. */
export interface PolicyEndpoint {
  readonly name: string;
  readonly active: boolean;
  readonly model: string;
  readonly provider: string;
}

export function readPolicyEndpoints(sql: Queryable): Promise<PolicyEndpoint[]> {
  return sql<PolicyEndpoint[]>`
    select e.name, e.active, m.slug as model, p.slug as provider
    from endpoints e join models m on m.id = e.model_id join providers p on p.id = m.provider_id order by e.name`;
}

/** What a policy does not look at and a call needs: `fault` is why it would be refused before any policy. */
export async function readPolicyStanding(
  sql: Queryable,
  subject: string,
  endpoint: string,
): Promise<{
  readonly policy: Revision | null;
  readonly fault: 'subject-revoked' | 'account-disabled' | 'endpoint-inactive' | null;
}> {
  const [row] = await sql<{ policy: Revision | null; revoked: boolean; disabled: boolean; inactive: boolean }[]>`
    select (select case when p.restricts then
        json_build_object('number', p.revision, 'installedAt', extract(epoch from p.installed_at)::text) end
      from authorization_policies p order by p.revision desc limit 1) as policy,
      exists (select from subject_revocations where subject = ${subject} and lifted_at is null) as revoked,
      exists (select from accounts where username = ${subject} and not enabled) as disabled,
      exists (select from endpoints where name = ${endpoint} and not active) as inactive`;
  if (row === undefined) throw new Error('a select without a row');
  const { policy, revoked, disabled, inactive } = row;
  const fault = revoked ? 'subject-revoked' : disabled ? 'account-disabled' : inactive ? 'endpoint-inactive' : null;
  return { policy, fault };
}

/** The known ones among these subjects: with an account, a role or a project. */
export async function readKnownSubjects(sql: Queryable, names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const rows = await sql<{ name: string }[]>`
    select name from unnest(${[...names]}::text[]) name
    where exists (select from accounts where username = name) or exists (select from role_assignments where subject = name)
      or exists (select from project_members where subject = name)`;
  return rows.map(({ name }) => name);
}

/** Which of these projects a role or a membership names. */
export async function readKnownProjects(sql: Queryable, names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const rows = await sql<{ name: string }[]>`
    select name from unnest(${[...names]}::text[]) name
    where exists (select from role_assignments where project = name) or exists (select from project_members where project = name)`;
  return rows.map(({ name }) => name);
}

/** Subjects with a role that are neither revoked nor disabled: those named first, then others, at most `most`. */
export async function readHolders(
  sql: Queryable,
  role: Role,
  first: readonly string[],
  most: number,
): Promise<readonly { readonly subject: string; readonly roles: readonly Role[] }[]> {
  return sql<{ subject: string; roles: Role[] }[]>`
    select held.subject, array(select other.role from role_assignments other where other.subject = held.subject) as roles
    from role_assignments held
    where held.role = ${role}
      and not exists (select from subject_revocations where subject = held.subject and lifted_at is null)
      and not exists (select from accounts where username = held.subject and not enabled)
    order by held.subject = any (${[...first]}::text[]) desc, held.subject limit ${most}`;
}
