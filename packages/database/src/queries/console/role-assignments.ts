import type { Role } from '@gateway/contract';
import type { Queryable } from '../../client/connect.ts';
import { all, given } from './conditions.ts';
import { limited, type Page, type Rows, reading } from './pages.ts';

/** A role held by a subject, with who granted it (roles-14). */
export interface RoleAssignment {
  readonly id: string;
  readonly subject: string;
  readonly role: Role;
  readonly project: string | null;
  readonly author: string;
  readonly grantedAt: Date;
}

/** A role as it is told of anybody who holds it. */
export type ScopedRole = Pick<RoleAssignment, 'role' | 'project'>;

const columns = (sql: Queryable) => sql`id, subject, role, project, author, granted_at as "grantedAt"`;

/** Role assignments, the newest first. The key of a page is the id, which grows with time. */
export function listRoleAssignments(
  sql: Queryable,
  filter: { subject: string | null; role: string | null; project: string | null },
  page: Page<readonly [id: string]>,
): Rows<RoleAssignment> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [
    given(filter.subject, (subject) => sql`subject = ${subject}`),
    given(filter.role, (role) => sql`role = ${role}`),
    given(filter.project, (project) => sql`project = ${project}`),
    given(page.after, ([id]) => sql`id ${past} ${id}`),
  ]);
  return sql`select ${columns(sql)} from role_assignments where ${chosen} order by id ${way} ${limited(sql, page.limit)}`;
}

/** Grants a role. The schema refuses one that is held already, and administration beside audit. */
export async function insertRoleAssignment(
  sql: Queryable,
  { id, subject, role, project, author }: Omit<RoleAssignment, 'grantedAt'>,
): Promise<RoleAssignment> {
  const [row] = await sql<RoleAssignment[]>`
    insert into role_assignments ${sql({ id, subject, role, project, author })} returning ${columns(sql)}`;
  if (row === undefined) throw new Error('an insert without a conflict clause returns its row');
  return row;
}

/** Takes a role away; undefined where there was none of this id. */
export async function deleteRoleAssignment(sql: Queryable, id: string): Promise<RoleAssignment | undefined> {
  const [row] = await sql<RoleAssignment[]>`delete from role_assignments where id = ${id} returning ${columns(sql)}`;
  return row;
}
