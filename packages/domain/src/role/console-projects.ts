import type { Queryable } from '@gateway/database';
import { all, whenPresent } from '@gateway/database/client/conditions';
import { addPosition, type Page, type Rows, reading } from '@gateway/database/client/pages';

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
