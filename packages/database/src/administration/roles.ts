import { v7 as uuid } from 'uuid';
import { type RoleAssignment, roleColumns } from '../queries/console/role-assignments.ts';
import type { Act } from './act.ts';

/** A role of a subject. Only roles with a project scope have a project. */
export type Grant = Pick<RoleAssignment, 'subject' | 'role' | 'project'>;

/**
 * Grants a role (roles-14). @returns undefined where the subject already has it.
 * @throws violation of `administration_excludes_audit` (roles-12)
 */
export async function grantRole({ sql, author, record }: Act, grant: Grant): Promise<RoleAssignment | undefined> {
  const { subject, role, project } = grant;
  const [after] = await sql<RoleAssignment[]>`
    insert into role_assignments ${sql({ id: uuid(), subject, role, project, author })}
    on conflict do nothing returning ${roleColumns(sql)}`;
  if (after !== undefined) record({ action: 'role.grant', target: `subject:${subject}`, before: null, after });
  return after;
}

/** Revokes a role. @returns false where there is no such assignment */
export async function revokeRole({ sql, record }: Act, which: { readonly id: string } | Grant): Promise<boolean> {
  const chosen =
    'id' in which
      ? sql`id = ${which.id}`
      : sql`subject = ${which.subject} and role = ${which.role} and project is not distinct from ${which.project}`;
  const [before] = await sql<RoleAssignment[]>`
    delete from role_assignments where ${chosen} returning ${roleColumns(sql)}`;
  if (before === undefined) return false;
  record({ action: 'role.revoke', target: `subject:${before.subject}`, before, after: null });
  return true;
}
