import type { Queryable } from '@gateway/database';
import type { Grant } from './acts.ts';

export interface HeldRole extends Grant {
  readonly author: string;
  /** ISO 8601. */
  readonly grantedAt: string;
}

/**
 * The roles of a subject, or of all subjects, with the authors of the assignments.
 * @param among `people`: without the roles that come from a group
 */
export async function listRoles(
  sql: Queryable,
  subject: string | null,
  among: 'all' | 'people' = 'all',
): Promise<readonly HeldRole[]> {
  const rows = await sql<(Grant & { author: string; grantedAt: Date })[]>`
    select subject, role, project, author, granted_at as "grantedAt" from role_assignments
    where (${subject}::text is null or subject = ${subject}) and (${among === 'all'} or group_role_id is null)
    order by subject, role, project`;
  return rows.map((row) => ({ ...row, grantedAt: row.grantedAt.toISOString() }));
}

/** A member of a project. */
export interface ProjectMember {
  readonly project: string;
  readonly subject: string;
  readonly addedBy: string;
  /** ISO 8601. */
  readonly addedAt: string;
}

/** The members of a project by name, or of all projects. */
export async function listProjectMembers(sql: Queryable, project: string | null): Promise<readonly ProjectMember[]> {
  const rows = await sql<(Omit<ProjectMember, 'addedAt'> & { addedAt: Date })[]>`
    select project, subject, added_by as "addedBy", added_at as "addedAt" from project_members
    where ${project}::text is null or project = ${project} order by project, subject`;
  return rows.map((row) => ({ ...row, addedAt: row.addedAt.toISOString() }));
}
