import { isRole, type Role } from '@gateway/contract';
import type { Queryable } from '../client/connect.ts';

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
