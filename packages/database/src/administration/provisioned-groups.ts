import { v7 as uuid } from 'uuid';
import { arrayLiteral } from '../client/array-literal.ts';
import { groupColumns, type ProvisionedGroup } from '../queries/console/provisioned-groups.ts';
import type { Act } from './act.ts';
import { onlyRow } from './only-row.ts';
import { syncGroupRoles } from './roles.ts';

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

const targetOf = ({ displayName }: GroupFields): string => `group:${displayName}`;

/** Creates a group with its members. @throws UnknownMember; violation of `provisioned_groups_display_name` */
export async function createProvisionedGroup(
  act: Act,
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
    target: targetOf(group),
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
  act: Act,
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
    target: targetOf(before),
    before: { ...before, removed: names(people.removed) },
    after: { ...after, added: names(people.added) },
  });
  await syncGroupRoles(act, isRenamed ? null : [...people.added, ...people.removed].map(({ subject }) => subject));
  return after;
}

/** Deletes a locked group, and the roles that come from it. */
export async function deleteProvisionedGroup(act: Act, before: ProvisionedGroup): Promise<void> {
  const { sql, record } = act;
  await sql`delete from provisioned_groups where id = ${before.id}`;
  record({ action: 'scim-group.delete', target: targetOf(before), before, after: null });
  await syncGroupRoles(act, null);
}

interface Person {
  readonly userName: string;
  readonly subject: string;
}

/** @returns the users that really entered and left */
async function changeMembers(
  { sql }: Act,
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
