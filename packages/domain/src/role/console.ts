import { isRole, type Role } from '@gateway/contract';
import type { Queryable } from '@gateway/database';
import { all, type Fragment, whenPresent } from '@gateway/database/client/conditions';
import { addPosition, limitRows, type Page, type Rows, reading } from '@gateway/database/client/pages';

/** A role that the members of a provisioned group get. */
export interface GroupRole {
  readonly id: string;
  /** The `displayName` of the group, which need not be provisioned yet. */
  readonly group: string;
  readonly role: Role;
  readonly project: string | null;
  readonly author: string;
  readonly createdAt: Date;
}

export interface ListedGroupRole extends GroupRole {
  /** Members of the group; null while it is not provisioned. */
  readonly members: number | null;
  /** Members that hold a role of the other pole, and so not this one (roles-12): at most a hundred. */
  readonly refused: readonly string[];
}

/** Columns of a `GroupRole`. */
export const groupRoleColumns = (sql: Queryable) =>
  sql`id, group_name as "group", role, project, author, created_at as "createdAt"`;

/** Each member of each mapped group, with the role. To be used as a table. */
export const memberships = (sql: Queryable): Fragment => sql`(
  select mapping.id as mapping, provisioned.display_name as "group", mapping.role, mapping.project, person.subject,
    mapping.created_at as declared_at
  from group_roles mapping
    join provisioned_groups provisioned on lower(provisioned.display_name) = lower(mapping.group_name)
    join provisioned_group_members member on member.group_id = provisioned.id
    join provisioned_users person on person.id = member.user_id)`;

/** The group that an assignment comes from; null where a person granted it. */
export async function readGrantingGroup(sql: Queryable, assignment: string): Promise<string | null> {
  const [row] = await sql<{ group: string }[]>`
    select mapping.group_name as "group" from role_assignments held join group_roles mapping on mapping.id = held.group_role_id
    where held.id = ${assignment}`;
  return row?.group ?? null;
}

const MOST_REFUSED = 100;

/** Mappings, the newest first. */
export function listGroupRoles(
  sql: Queryable,
  filter: { group: string | null },
  page: Page<readonly [id: string]>,
): Rows<ListedGroupRole> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [
    whenPresent(filter.group, (group) => sql`lower(group_name) = lower(${group})`),
    whenPresent(page.after, ([id]) => sql`id ${past} ${id}`),
  ]);
  return sql`
    select ${groupRoleColumns(sql)}, (
        select (select count(*)::float8 from provisioned_group_members member where member.group_id = provisioned.id)
        from provisioned_groups provisioned where lower(provisioned.display_name) = lower(group_name)
      ) as members, array(
        select m.subject from ${memberships(sql)} m where m.mapping = group_roles.id and not exists (
          select from role_assignments held
          where held.subject = m.subject and held.role = m.role and held.project is not distinct from m.project)
        order by 1 limit ${MOST_REFUSED}
      ) as refused
    from group_roles where ${chosen} order by id ${way} ${limitRows(sql, page.limit)}`;
}

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

/** The roles of a subject, those of one project alone where one is named. */
export async function rolesOf(sql: Queryable, subject: string, project: string | null): Promise<readonly Role[]> {
  const rows = await sql<{ role: string }[]>`
    select distinct role from role_assignments
    where subject = ${subject} and (project is null or project = ${project ?? ''}) order by role`;
  return rows.map(({ role }) => role).filter(isRole);
}

/** A project: a name that role assignments and memberships share. */
export interface Project {
  readonly project: string;
  readonly administrators: readonly string[];
  readonly members: number;
}

/** Projects by name; of those named, where some are. */
export function listProjects(
  sql: Queryable,
  filter: { names: readonly string[] | null },
  page: Page<readonly [project: string]>,
): Rows<Project> {
  const { past, way } = reading(sql, 'ascending', page);
  const chosen = all(sql, [
    whenPresent(filter.names, (names) => sql`project = any(${[...names]}::text[])`),
    whenPresent(page.after, ([project]) => sql`project ${past} ${project}`),
  ]);
  return addPosition(
    sql,
    sql`
    select project,
      array(select subject from role_assignments r where r.project = named.project order by 1) as administrators,
      (select count(*)::float8 from project_members m where m.project = named.project) as members
    from (select project from role_assignments where project is not null union select project from project_members) named
    where ${chosen}`,
    sql`project ${way}`,
    page,
    'project',
  );
}

/** A member of a project, with the state of its account. */
export interface Member {
  readonly project: string;
  readonly subject: string;
  /** Whether it is in the registry of accounts; an identity of the identity provider may be missing until its first call. */
  readonly registered: boolean;
  readonly enabled: boolean;
  /** The author of the disabling; null where the account is enabled. A project can only undo its own. */
  readonly disabledBy: 'project' | 'instance' | null;
  /** Whether the whole instance refuses the subject, which a project's administrator cannot lift. */
  readonly revoked: boolean;
  readonly displayName: string | null;
  readonly addedBy: string;
  readonly addedAt: Date;
}

const columns = (sql: Queryable) => sql`
  member.project, member.subject, account.id is not null as registered, coalesce(account.enabled, true) as enabled,
  case when account.enabled is distinct from false then null when account.disabled_by_project then 'project' else 'instance' end as "disabledBy",
  exists (select from subject_revocations r where r.subject = member.subject and r.lifted_at is null) as revoked,
  account.display_name as "displayName", member.added_by as "addedBy", member.added_at as "addedAt"`;

/** Members of a project by subject. */
export function listMembers(sql: Queryable, project: string, page: Page<readonly [subject: string]>): Rows<Member> {
  const { past, way } = reading(sql, 'ascending', page);
  const chosen = all(sql, [
    sql`member.project = ${project}`,
    whenPresent(page.after, ([subject]) => sql`member.subject ${past} ${subject}`),
  ]);
  return addPosition(
    sql,
    sql`
    select ${columns(sql)} from project_members member left join accounts account on account.username = member.subject
    where ${chosen}`,
    sql`member.subject ${way}`,
    page,
    'subject',
  );
}

/** One member; undefined where the subject does not belong to the project. */
export async function readMember(sql: Queryable, project: string, subject: string): Promise<Member | undefined> {
  const [row] = await sql<Member[]>`
    select ${columns(sql)} from project_members member left join accounts account on account.username = member.subject
    where member.project = ${project} and member.subject = ${subject}`;
  return row;
}

/** The same, and its account keeps its state until the transaction ends. */
export async function lockMember(sql: Queryable, project: string, subject: string): Promise<Member | undefined> {
  await sql`select from accounts where username = ${subject} for update`;
  return readMember(sql, project, subject);
}
