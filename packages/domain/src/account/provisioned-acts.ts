import type { Queryable } from '@gateway/database';
import {
  type Act,
  type Changed,
  type Changes,
  type Created,
  type Deleted,
  onlyRow,
} from '@gateway/database/audit-log/act';
import { arrayLiteral } from '@gateway/database/client/array-literal';
import { v7 as uuid } from 'uuid';
import { type MemberChange, type RoleChange, removeMember, revokeRole, syncGroupRoles } from '../role/acts.ts';
import { type AccountKey, keyColumns } from './console.ts';
import {
  groupColumns,
  type ProvisionedGroup,
  type ProvisionedUser,
  provisionedColumns,
  type WrittenProvisionedUser,
} from './console-provisioned.ts';
import { type KeyChange, revokeKey } from './key-acts.ts';
import { revokeSubject, type SubjectChange } from './subject-acts.ts';

type ProvisionedGroupChange = Changes<{
  readonly 'scim-group.create': Created<ProvisionedGroup & { readonly added: readonly string[] }>;
  /** Names of the members that left, and of those that entered. */
  readonly 'scim-group.change': {
    readonly before: ProvisionedGroup & { readonly removed: readonly string[] };
    readonly after: ProvisionedGroup & { readonly added: readonly string[] };
  };
  readonly 'scim-group.delete': Deleted<ProvisionedGroup>;
}>;

type ProvisionedUserChange = Changes<{
  readonly 'scim-user.create': Created<ProvisionedUser>;
  readonly 'scim-user.change': Changed<ProvisionedUser>;
  readonly 'scim-user.delete': Deleted<ProvisionedUser>;
}>;

/** What may be written of a group besides its members. */
export type GroupFields = Pick<ProvisionedGroup, 'displayName' | 'externalId'>;

/** Ids of users that enter and leave a group. */
export interface MemberChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** A user that is named as a member and does not exist. */
export class UnknownMember extends Error {
  override readonly name = 'UnknownMember';
}

const groupTargetOf = ({ displayName }: GroupFields): string => `group:${displayName}`;

/** Creates a group with its members. @throws UnknownMember; violation of `provisioned_groups_display_name` */
export async function createProvisionedGroup(
  act: Act<ProvisionedGroupChange | RoleChange>,
  { displayName, externalId }: GroupFields,
  members: readonly string[],
): Promise<ProvisionedGroup> {
  const { sql, record } = act;
  const group = onlyRow(
    await sql<ProvisionedGroup[]>`
    insert into provisioned_groups ${sql({ id: uuid(), display_name: displayName, external_id: externalId })}
    returning ${groupColumns(sql)}`,
  );
  const people = await changeMembers(act, group.id, { added: members, removed: [] });
  record({
    action: 'scim-group.create',
    target: groupTargetOf(group),
    before: null,
    after: { ...group, added: people.added.map(({ userName }) => userName) },
  });
  await syncGroupRoles(
    act,
    people.added.map(({ subject }) => subject),
  );
  return group;
}

/** Changes a locked group. A new name ends the roles of the old one, and brings those of the new one. @throws UnknownMember */
export async function changeProvisionedGroup(
  act: Act<ProvisionedGroupChange | RoleChange>,
  before: ProvisionedGroup,
  { displayName, externalId }: GroupFields,
  changes: MemberChanges,
): Promise<ProvisionedGroup> {
  const { sql, record } = act;
  const people = await changeMembers(act, before.id, changes);
  const isRenamed = displayName !== before.displayName;
  const isSame = !isRenamed && externalId === before.externalId && people.added.length + people.removed.length === 0;
  if (isSame) return before;
  const after = onlyRow(
    await sql<ProvisionedGroup[]>`
    update provisioned_groups set display_name = ${displayName}, external_id = ${externalId}, modified_at = now()
    where id = ${before.id} returning ${groupColumns(sql)}`,
  );
  const names = (list: readonly Person[]) => list.map(({ userName }) => userName);
  record({
    action: 'scim-group.change',
    target: groupTargetOf(before),
    before: { ...before, removed: names(people.removed) },
    after: { ...after, added: names(people.added) },
  });
  await syncGroupRoles(act, isRenamed ? null : [...people.added, ...people.removed].map(({ subject }) => subject));
  return after;
}

/** Deletes a locked group, and the roles that come from it. */
export async function deleteProvisionedGroup(
  act: Act<ProvisionedGroupChange | RoleChange>,
  before: ProvisionedGroup,
): Promise<void> {
  const { sql, record } = act;
  await sql`delete from provisioned_groups where id = ${before.id}`;
  record({ action: 'scim-group.delete', target: groupTargetOf(before), before, after: null });
  await syncGroupRoles(act, null);
}

interface Person {
  readonly userName: string;
  readonly subject: string;
}

/** @returns the users that really entered and left */
async function changeMembers(
  { sql }: Pick<Act, 'sql'>,
  group: string,
  { added, removed }: MemberChanges,
): Promise<{ readonly added: readonly Person[]; readonly removed: readonly Person[] }> {
  const left = await sql<Person[]>`
    with gone as (
      delete from provisioned_group_members where group_id = ${group} and user_id = any (${arrayLiteral(removed)}::text::uuid[])
      returning user_id
    ) select user_name as "userName", subject from provisioned_users where id in (select user_id from gone)`;
  // Shared locks: a user that is deleted meanwhile is unknown, not a broken reference.
  const known = await sql<{ id: string }[]>`
    select id from provisioned_users where id = any (${arrayLiteral(added)}::text::uuid[]) for key share`;
  const ids = new Set(known.map(({ id }) => id));
  const unknown = added.find((id) => !ids.has(id));
  if (unknown !== undefined) throw new UnknownMember(unknown);
  const entered = await sql<Person[]>`
    with new as (
      insert into provisioned_group_members (group_id, user_id)
      select ${group}, one from unnest(${arrayLiteral(added)}::text::uuid[]) one on conflict do nothing returning user_id
    ) select user_name as "userName", subject from provisioned_users where id in (select user_id from new)`;
  return { added: entered, removed: left };
}

const userTargetOf = ({ subject }: ProvisionedUser): string => `subject:${subject}`;

const written = (sql: Queryable, user: WrittenProvisionedUser, id: { readonly id?: string } = {}) =>
  sql({
    subject: user.subject,
    user_name: user.userName,
    external_id: user.externalId,
    active: user.active,
    attributes: sql.json({ ...user.attributes }),
    ...id,
  } as never);

export async function createProvisionedUser(
  { sql, record }: Act<ProvisionedUserChange>,
  user: WrittenProvisionedUser,
): Promise<ProvisionedUser> {
  const after = onlyRow(
    await sql<ProvisionedUser[]>`
    insert into provisioned_users ${written(sql, user, { id: user.id })} returning ${provisionedColumns(sql)}`,
  );
  record({ action: 'scim-user.create', target: userTargetOf(after), before: null, after });
  return after;
}

/** Changes a locked user. */
export async function changeProvisionedUser(
  { sql, record }: Act<ProvisionedUserChange>,
  before: ProvisionedUser,
  user: WrittenProvisionedUser,
): Promise<ProvisionedUser> {
  const after = onlyRow(
    await sql<ProvisionedUser[]>`
    update provisioned_users set ${written(sql, user)}, modified_at = now()
    where id = ${before.id} returning ${provisionedColumns(sql)}`,
  );
  record({ action: 'scim-user.change', target: userTargetOf(before), before, after });
  return after;
}

/** Deletes a locked user. */
export async function deleteProvisionedUser(
  { sql, record }: Act<ProvisionedUserChange>,
  before: ProvisionedUser,
): Promise<void> {
  await sql`delete from provisioned_users where id = ${before.id}`;
  record({ action: 'scim-user.delete', target: userTargetOf(before), before, after: null });
}

/** Revokes a subject with its roles, memberships and keys, so that a later subject of that name inherits no right. */
export async function retireSubject(
  act: Act<KeyChange | MemberChange | RoleChange | SubjectChange>,
  subject: string,
  reason: string,
): Promise<void> {
  const { sql } = act;
  await revokeSubject(act, subject, reason);
  const keys = await sql<(AccountKey & { account: string })[]>`
    select ${keyColumns(sql)}, account_id as account from account_keys
    where revoked_at is null and account_id in (select id from accounts where username = ${subject}) for update`;
  for (const { account, ...key } of keys) await revokeKey(act, { id: account, username: subject }, key);
  const projects = await sql<{ project: string }[]>`
    select project from project_members where subject = ${subject} order by project`;
  for (const { project } of projects) await removeMember(act, project, subject);
  // Last: it takes the lock of the log, with which no other row may be waited for.
  const roles = await sql<{ id: string }[]>`select id from role_assignments where subject = ${subject} order by id`;
  for (const { id } of roles) await revokeRole(act, { id });
}
