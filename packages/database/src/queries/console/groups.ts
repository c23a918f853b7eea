import type { Role } from '@gateway/contract';
import { arrayLiteral } from '../../client/array-literal.ts';
import { all, type Fragment, whenPresent } from '../../client/conditions.ts';
import type { Queryable } from '../../client/connect.ts';
import { limitRows, type Page, type Rows, reading } from '../../client/pages.ts';

/** A group that an identity provider provisioned. */
export interface ProvisionedGroup {
  readonly id: string;
  readonly displayName: string;
  readonly externalId: string | null;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
}

/** A member of a group: the user's id and name. */
export interface GroupMember {
  readonly group: string;
  readonly id: string;
  readonly userName: string;
}

/** Columns of a `ProvisionedGroup`. */
export const groupColumns = (sql: Queryable) => sql`
  id, display_name as "displayName", external_id as "externalId", created_at as "createdAt", modified_at as "modifiedAt"`;

/** What identity providers look groups up by. A name is compared without regard to case. */
export interface ProvisionedGroupLookup {
  readonly by: 'id' | 'displayName' | 'externalId';
  readonly value: string;
}

function condition(sql: Queryable, lookup: ProvisionedGroupLookup | null): Fragment {
  const found = whenPresent(lookup, ({ by, value }) => {
    if (by === 'displayName') return sql`lower(display_name) = lower(${value})`;
    return by === 'externalId' ? sql`external_id = ${value}` : sql`id::text = ${value}`;
  });
  return found ?? sql`true`;
}

/** Groups in the order in which they were provisioned. */
export function listProvisionedGroups(
  sql: Queryable,
  lookup: ProvisionedGroupLookup | null,
  page: { readonly offset: number; readonly limit: number } | null,
): Promise<ProvisionedGroup[]> {
  const part = page === null ? sql`` : sql`limit ${page.limit} offset ${page.offset}`;
  return sql<ProvisionedGroup[]>`
    select ${groupColumns(sql)} from provisioned_groups where ${condition(sql, lookup)} order by created_at, id ${part}`;
}

export async function countProvisionedGroups(sql: Queryable, lookup: ProvisionedGroupLookup | null): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from provisioned_groups where ${condition(sql, lookup)}`;
  return row?.count ?? 0;
}

/** The members of these groups. */
export function listGroupMembers(sql: Queryable, groups: readonly string[]): Promise<GroupMember[]> {
  return sql<GroupMember[]>`
    select member.group_id as "group", person.id, person.user_name as "userName"
    from provisioned_group_members member join provisioned_users person on person.id = member.user_id
    where member.group_id = any (${arrayLiteral(groups)}::text::uuid[]) order by person.created_at, person.id`;
}

/** Reads one group and keeps it from changing until the transaction ends. */
export async function lockProvisionedGroup(sql: Queryable, id: string): Promise<ProvisionedGroup | undefined> {
  const [row] = await sql<ProvisionedGroup[]>`
    select ${groupColumns(sql)} from provisioned_groups where id = ${id} for update`;
  return row;
}

/** The identity provider's data about a person besides names and state, in the form of RFC 7643. */
export interface PersonAttributes {
  readonly displayName?: string;
  readonly name?: Readonly<Record<string, string>>;
  readonly emails?: readonly {
    readonly value: string;
    readonly type?: string;
    readonly display?: string;
    readonly primary?: boolean;
  }[];
}

/** A user that an identity provider provisioned. */
export interface ProvisionedUser {
  readonly id: string;
  /** The subject of its calls. */
  readonly subject: string;
  readonly userName: string;
  readonly externalId: string | null;
  readonly active: boolean;
  readonly attributes: PersonAttributes;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
}

export type WrittenProvisionedUser = Omit<ProvisionedUser, 'createdAt' | 'modifiedAt'>;

/** Columns of a `ProvisionedUser`. */
export const provisionedColumns = (sql: Queryable) => sql`
  id, subject, user_name as "userName", external_id as "externalId", active, attributes, created_at as "createdAt",
  modified_at as "modifiedAt"`;

/** What identity providers look users up by. `userName` is compared without regard to case (RFC 7643, 4.1.1). */
export type ProvisionedUserLookup =
  | { readonly by: 'id' | 'userName' | 'externalId'; readonly value: string }
  | { readonly by: 'email'; readonly type: string; readonly value: string };

function lookupCondition(sql: Queryable, lookup: ProvisionedUserLookup | null): Fragment {
  const found = whenPresent(lookup, (given) => {
    const { by, value } = given;
    if (given.by === 'email') {
      return sql`exists (select from jsonb_array_elements(attributes -> 'emails') email
        where lower(email ->> 'type') = lower(${given.type}) and lower(email ->> 'value') = lower(${value}))`;
    }
    if (by === 'userName') return sql`lower(user_name) = lower(${value})`;
    return by === 'externalId' ? sql`external_id = ${value}` : sql`id::text = ${value}`;
  });
  return all(sql, [found]);
}

/** Users in the order in which they were provisioned. */
export function listProvisionedUsers(
  sql: Queryable,
  lookup: ProvisionedUserLookup | null,
  page: { readonly offset: number; readonly limit: number } | null,
): Promise<ProvisionedUser[]> {
  const part = page === null ? sql`` : sql`limit ${page.limit} offset ${page.offset}`;
  return sql<ProvisionedUser[]>`
    select ${provisionedColumns(sql)} from provisioned_users where ${lookupCondition(sql, lookup)} order by created_at, id ${part}`;
}

export async function countProvisionedUsers(sql: Queryable, lookup: ProvisionedUserLookup | null): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from provisioned_users where ${lookupCondition(sql, lookup)}`;
  return row?.count ?? 0;
}

/** Reads one user and keeps it from changing until the transaction ends. */
export async function lockProvisionedUser(sql: Queryable, id: string): Promise<ProvisionedUser | undefined> {
  const [row] = await sql<
    ProvisionedUser[]
  >`select ${provisionedColumns(sql)} from provisioned_users where id = ${id} for update`;
  return row;
}

/** Whether a subject is the name of a local account. */
export async function isLocalAccount(sql: Queryable, subject: string): Promise<boolean> {
  return (await sql`select from accounts where username = ${subject} and origin = 'local'`).length > 0;
}

/** Whether a name was seen: it has an account, was provisioned, or is in the decision log. */
export async function isKnownName(sql: Queryable, name: string): Promise<boolean> {
  const [row] = await sql<{ known: boolean }[]>`
    select exists (select from accounts where username = ${name}) or exists (select from provisioned_users where subject = ${name})
      or exists (select from project_members where subject = ${name})
      or exists (select from authorization_decisions where subject = ${name}) as known`;
  return row?.known === true;
}

/** The id of the local account of a subject; undefined where it has none. */
export async function readLocalAccount(sql: Queryable, subject: string): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`select id from accounts where username = ${subject} and origin = 'local'`;
  return row?.id;
}

/** The identity provider's description of a person. */
export interface OidcPerson {
  readonly subject: string;
  readonly displayName: string | null;
  readonly email: string | null;
}

/** Adds a person of the identity provider to the registry of accounts, or updates the entry: lists then show the readable name. */
export async function describeOidcIdentity(
  sql: Queryable,
  { id, subject, displayName, email }: OidcPerson & { readonly id: string },
): Promise<void> {
  await sql`
    insert into accounts (id, username, origin, display_name, email)
    values (${id}, ${subject}, 'directory', ${displayName}, ${email})
    on conflict (username) do update set display_name = excluded.display_name, email = excluded.email
    where accounts.origin = 'directory'
      and (accounts.display_name, accounts.email) is distinct from (excluded.display_name, excluded.email)`;
}

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
