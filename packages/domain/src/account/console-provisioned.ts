import type { Queryable } from '@gateway/database';
import { arrayLiteral } from '@gateway/database/client/array-literal';
import { all, type Fragment, whenPresent } from '@gateway/database/client/conditions';

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
