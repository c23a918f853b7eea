import { arrayLiteral } from '../../client/array-literal.ts';
import type { Queryable } from '../../client/connect.ts';
import { type Fragment, whenPresent } from './conditions.ts';

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
