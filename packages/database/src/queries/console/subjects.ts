import type { Queryable } from '../../client/connect.ts';
import { all, holds, whenPresent } from './conditions.ts';
import { addPosition, limitRows, type Page, type Rows, reading } from './pages.ts';
import type { ScopedRole } from './role-assignments.ts';

/** A known subject: with a registered account, a role or a project. */
export interface KnownSubject {
  readonly subject: string;
  /** Null where it is not in the registry of accounts yet. */
  readonly origin: 'local' | 'directory' | null;
  readonly enabled: boolean;
  readonly displayName: string | null;
  readonly revoked: boolean;
  readonly roles: readonly ScopedRole[];
  readonly projects: readonly string[];
}

/** Subjects by name; only the members of a project, where one is named. */
export function listSubjects(
  sql: Queryable,
  filter: { search: string | null; project: string | null; subject: string | null },
  page: Page<readonly [subject: string]>,
): Rows<KnownSubject> {
  const { past, way } = reading(sql, 'ascending', page);
  const part = (column: 'username' | 'subject') =>
    all(sql, [
      whenPresent(filter.search, (text) => holds(sql, column, text)),
      whenPresent(filter.subject, (subject) => sql`${sql(column)} = ${subject}`),
      whenPresent(
        filter.project,
        (project) => sql`${sql(column)} in (select m.subject from project_members m where m.project = ${project})`,
      ),
      whenPresent(page.after, ([subject]) => sql`${sql(column)} ${past} ${subject}`),
    ]);
  const first = (table: 'accounts' | 'role_assignments' | 'project_members', column: 'username' | 'subject') => sql`
    (select distinct ${sql(column)} as subject from ${sql(table)} where ${part(column)}
      order by 1 ${way} ${limitRows(sql, page.sorted == null ? page.limit : null)})`;
  const rows = sql`
    select known.subject, account.origin, coalesce(account.enabled, true) as enabled, account.display_name as "displayName",
      exists (select from subject_revocations r where r.subject = known.subject and r.lifted_at is null) as revoked,
      coalesce((select json_agg(json_build_object('role', role, 'project', project) order by role, project)
        from role_assignments held where held.subject = known.subject), '[]') as roles,
      array(select project from project_members m where m.subject = known.subject order by 1) as projects
    from (
      ${first('accounts', 'username')} union ${first('role_assignments', 'subject')} union ${first('project_members', 'subject')}
    ) known left join accounts account on account.username = known.subject`;
  return addPosition(sql, rows, sql`known.subject ${way}`, page, 'subject', {
    roles: sql`(select string_agg(held ->> 'role', ' ') from json_array_elements(listed.roles) held)`,
    projects: sql`array_to_string(listed.projects, ' ')`,
    state: sql`case when listed.revoked then 'revoked' when listed.origin is null then 'not seen'
      when listed.enabled then 'enabled' else 'disabled' end`,
  });
}
