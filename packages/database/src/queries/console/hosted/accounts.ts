import type { Queryable } from '../../../client/connect.ts';
import { all, given } from '../conditions.ts';
import { type Page, placed, reading } from '../pages.ts';
import type { ScopedRole } from '../role-assignments.ts';

/** An account as the console shows it (console-9). */
export interface User {
  readonly id: string;
  readonly username: string;
  readonly origin: 'local' | 'directory';
  readonly displayName: string | null;
  readonly email: string | null;
  readonly plan: string | null;
  readonly enabled: boolean;
  readonly revoked: boolean;
  readonly createdAt: Date;
  readonly roles: readonly ScopedRole[];
}

/** What the console writes of an account. */
export type WrittenUser = Pick<User, 'id' | 'username' | 'displayName' | 'email' | 'plan' | 'enabled'>;

const columns = (sql: Queryable) => sql`
  id, username, origin, display_name as "displayName", email, plan_id as plan, enabled, created_at as "createdAt",
  exists (select from subject_revocations where subject = accounts.username and lifted_at is null) as revoked,
  coalesce((select json_agg(json_build_object('role', role, 'project', project) order by role, project)
    from role_assignments where subject = accounts.username), '[]') as roles`;

export interface UserFilter {
  /** Any part of the username, display name or e-mail address, or the last four characters of a key. */
  readonly search: string | null;
  readonly plan: string | null;
  readonly enabled: boolean | null;
  readonly username: string | null;
}

const chosen = (sql: Queryable, filter: UserFilter) =>
  all(sql, [
    given(
      filter.search,
      (text) => sql`(
        position(lower(${text}) in lower(concat_ws(' ', username, display_name, email))) > 0
        or exists (select from account_keys where account_id = accounts.id and last_four = lower(${text}))
      )`,
    ),
    given(filter.plan, (plan) => sql`plan_id = ${plan}`),
    given(filter.enabled, (enabled) => sql`enabled = ${enabled}`),
    given(filter.username, (username) => sql`username = ${username}`),
  ]);

/** Accounts by username. */
export function listUsers(
  sql: Queryable,
  filter: UserFilter,
  page: Page<readonly [username: string]>,
): Promise<User[]> {
  const { past, way } = reading(sql, 'ascending', page);
  const after = all(sql, [given(page.after, ([username]) => sql`username ${past} ${username}`)]);
  return placed<User>(
    sql,
    sql`
    select ${columns(sql)} from accounts where ${chosen(sql, filter)} and ${after}`,
    sql`username ${way}`,
    page,
    'id',
    {
      plan: sql`(select name from plans where id = listed.plan)`,
      roles: sql`(select string_agg(held ->> 'role', ' ') from json_array_elements(listed.roles) held)`,
      state: sql`case when listed.revoked then 'revoked' when listed.enabled then 'enabled' else 'disabled' end`,
    },
  );
}

export async function isUser(sql: Queryable, id: string): Promise<boolean> {
  return (await sql`select from accounts where id = ${id}`).length > 0;
}

/** Reads one account and keeps it from changing until the transaction ends. */
export async function lockUser(sql: Queryable, id: string): Promise<User | undefined> {
  const [row] = await sql<User[]>`select ${columns(sql)} from accounts where id = ${id} for update`;
  return row;
}

/** Adds a local account. */
export async function insertUser(sql: Queryable, user: WrittenUser): Promise<User> {
  const [row] = await sql<User[]>`
    insert into accounts (id, username, origin, display_name, email, plan_id, enabled)
    values (${user.id}, ${user.username}, 'local', ${user.displayName}, ${user.email}, ${user.plan}, ${user.enabled})
    returning ${columns(sql)}`;
  if (row === undefined) throw new Error('an insert without a conflict clause returns its row');
  return row;
}

/** @param decided whether this very change says that the account is enabled or disabled: then no project undoes it. */
export async function updateUser(sql: Queryable, user: Omit<WrittenUser, 'username'>, decided: boolean): Promise<void> {
  await sql`
    update accounts set display_name = ${user.displayName}, email = ${user.email}, plan_id = ${user.plan}, enabled = ${user.enabled},
      disabled_by_project = disabled_by_project and not ${decided}
    where id = ${user.id}`;
}

/**
 * Deletes an account with its keys, its role assignments and its memberships: anybody who gets the username afterwards must not inherit
 * a right, nor come within a project's reach. What it used and did stays in the logs. @returns the projects it was a member of
 */
export async function deleteUser(sql: Queryable, user: Pick<User, 'id' | 'username'>): Promise<readonly string[]> {
  await sql`delete from role_assignments where subject = ${user.username}`;
  const left = await sql<{ project: string }[]>`
    delete from project_members where subject = ${user.username} returning project`;
  await sql`delete from accounts where id = ${user.id}`;
  return left.map(({ project }) => project).toSorted();
}
