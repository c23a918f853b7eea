import { isRole, type Role } from '@gateway/contract';
import { type Operator, operate } from '../audit-log/operation.ts';
import type { Queryable, Sql } from '../client/connect.ts';
import type { PolicyRevision } from '../queries/console/policies.ts';
import { installAuthorizationPolicy, refuseAuthorizationPolicy } from '../queries/console/policy-installation.ts';

export type { PolicyRevision } from '../queries/console/policies.ts';
export { readPolicyInForce } from '../queries/console/policies.ts';

/** The way back for an operator whose policy shuts out everybody who could install another one. */
export async function installPolicy(sql: Sql, operator: Operator, cedar: string): Promise<PolicyRevision> {
  const { author } = operator;
  return operate(sql, operator, (act) => installAuthorizationPolicy(act, { cedar, author }));
}

/** Keeps an attempt that was refused (roles-17). */
export async function recordRefusedPolicy(sql: Sql, operator: Operator, cedar: string, fault: string): Promise<void> {
  const { author } = operator;
  await operate(sql, operator, (act) => refuseAuthorizationPolicy(act, { cedar, author }, fault));
}

/** The roles of a subject, those of one project alone where one is named. */
export async function rolesOf(sql: Queryable, subject: string, project: string | null): Promise<readonly Role[]> {
  const rows = await sql<{ role: string }[]>`
    select distinct role from role_assignments
    where subject = ${subject} and (project is null or project = ${project ?? ''}) order by role`;
  return rows.map(({ role }) => role).filter(isRole);
}

/** What an endpoint serves, as an authorization policy sees it; null where there is none of the name. */
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
