import type { Role } from '@gateway/contract';
import type { Queryable } from '../../client/connect.ts';
import { all, whenPresent } from './conditions.ts';
import { limitRows, type Page, type Rows, reading } from './pages.ts';

/** A subject's role, with the author of the assignment (roles-14). */
export interface RoleAssignment {
  readonly id: string;
  readonly subject: string;
  readonly role: Role;
  readonly project: string | null;
  readonly author: string;
  readonly grantedAt: Date;
}

/** A role in the view of a subject. */
export type ScopedRole = Pick<RoleAssignment, 'role' | 'project'>;

/** Columns of a `RoleAssignment`. */
export const roleColumns = (sql: Queryable) => sql`id, subject, role, project, author, granted_at as "grantedAt"`;

/** Role assignments, the newest first. The key of a page is the id, which grows with time. */
export function listRoleAssignments(
  sql: Queryable,
  filter: { subject: string | null; role: string | null; project: string | null },
  page: Page<readonly [id: string]>,
): Rows<RoleAssignment> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [
    whenPresent(filter.subject, (subject) => sql`subject = ${subject}`),
    whenPresent(filter.role, (role) => sql`role = ${role}`),
    whenPresent(filter.project, (project) => sql`project = ${project}`),
    whenPresent(page.after, ([id]) => sql`id ${past} ${id}`),
  ]);
  return sql`select ${roleColumns(sql)} from role_assignments where ${chosen} order by id ${way} ${limitRows(sql, page.limit)}`;
}
