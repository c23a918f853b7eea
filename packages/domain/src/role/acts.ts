import { ROLES, type Role } from '@gateway/contract';
import { ACTIONS, type Queryable } from '@gateway/database';
import {
  type Act,
  type Changed,
  type Changes,
  type Created,
  type Deleted,
  onlyRow,
} from '@gateway/database/audit-log/act';
import { TURN_OF } from '@gateway/database/audit-log/names';
import { arrayLiteral } from '@gateway/database/client/array-literal';
import { v7 as uuid } from 'uuid';
import {
  type GroupRole,
  groupRoleColumns,
  type Member,
  memberships,
  type RoleAssignment,
  readMember,
  roleColumns,
} from './console.ts';

export type RoleChange = Changes<{
  readonly 'role.grant': Created<RoleAssignment>;
  readonly 'role.revoke': Deleted<RoleAssignment>;
}>;

type GroupRoleChange = Changes<{
  readonly 'group-role.create': Created<GroupRole>;
  readonly 'group-role.delete': Deleted<GroupRole>;
}>;

/** A role of a subject. Only roles with a project scope have a project. */
export type Grant = Pick<RoleAssignment, 'subject' | 'role' | 'project'>;

/** What became of a grant: `excluded` where the subject holds a role of the other pole (roles-12). */
export type GrantOutcome = 'granted' | 'held' | 'excluded';

/** The mapping of a group that grants, instead of a person. */
export interface GrantingGroup {
  readonly author: string;
  readonly mapping: string;
}

type Held = RoleAssignment & { readonly mapping: string | null };

/**
 * Grants roles (roles-14), each by itself: one that is refused leaves the others. A person's grant replaces the one of a group,
 * so that it stays when the membership ends. Takes the lock that the trigger of the table takes for each row.
 * @returns the outcomes, in the order of the grants
 */
export async function grantRoles(
  { sql, author, record }: Act<RoleChange>,
  grants: readonly Grant[],
  group: GrantingGroup | null = null,
): Promise<readonly GrantOutcome[]> {
  if (grants.length === 0) return [];
  // The table before the turn, as everybody takes them: the other order would deadlock with gatewayctl apply.
  await sql`lock table role_assignments in row exclusive mode`;
  await sql`select pg_advisory_xact_lock(${TURN_OF[ACTIONS]})`;
  const subjects = [...new Set(grants.map(({ subject }) => subject))];
  const held = Map.groupBy(
    await sql<Held[]>`
      select ${roleColumns(sql)}, group_role_id as mapping from role_assignments where subject = any (${arrayLiteral(subjects)}::text::text[])`,
    ({ subject }) => subject,
  );
  const made: (Grant & { readonly id: string })[] = [];
  const replaced: Held[] = [];
  const outcomes = grants.map((grant): GrantOutcome => {
    const own = held.get(grant.subject) ?? [];
    const same = own.find(({ role, project }) => role === grant.role && project === grant.project);
    if (same !== undefined && (group !== null || same.mapping === null)) return 'held';
    if (own.some(({ role }) => isExcluded(role, grant.role))) return 'excluded';
    if (same !== undefined) replaced.push(same);
    const id = uuid();
    made.push({ id, ...grant });
    const written = { id, ...grant, author, grantedAt: new Date(), mapping: null };
    held.set(grant.subject, [...own.filter((one) => one !== same), written]);
    return 'granted';
  });
  for (const { id, mapping: _, ...before } of replaced) {
    await sql`delete from role_assignments where id = ${id}`;
    record({ action: 'role.revoke', target: `subject:${before.subject}`, before: { id, ...before }, after: null });
  }
  for (const after of await insertAssignments(sql, made, group?.author ?? author, group?.mapping ?? null)) {
    record({ action: 'role.grant', target: `subject:${after.subject}`, before: null, after });
  }
  return outcomes;
}

/** Of a subject with a role of one pole, no role of the other is granted. */
function isExcluded(held: Role, wanted: Role): boolean {
  const poles = [ROLES[held].pole, ROLES[wanted].pole];
  return poles.includes('administration') && poles.includes('audit');
}

function insertAssignments(
  sql: Queryable,
  made: readonly (Grant & { readonly id: string })[],
  author: string,
  mapping: string | null,
): Promise<readonly RoleAssignment[]> {
  if (made.length === 0) return Promise.resolve([]);
  return sql<RoleAssignment[]>`
    insert into role_assignments (id, subject, role, project, author, group_role_id)
    select id, subject, role, project, ${author}, ${mapping}::uuid
    from json_to_recordset(${JSON.stringify(made)}::text::json) made (id uuid, subject text, role text, project text)
    returning ${roleColumns(sql)}`;
}

/**
 * Grants a role (roles-14). @returns undefined where the subject already has it.
 * @throws violation of `administration_excludes_audit` (roles-12)
 */
export async function grantRole(
  { sql, author, record }: Act<RoleChange>,
  grant: Grant,
): Promise<RoleAssignment | undefined> {
  const { subject, role, project } = grant;
  const [before] = await sql<RoleAssignment[]>`
    delete from role_assignments where subject = ${subject} and role = ${role} and project is not distinct from ${project}
      and group_role_id is not null returning ${roleColumns(sql)}`;
  if (before !== undefined) record({ action: 'role.revoke', target: `subject:${subject}`, before, after: null });
  const [after] = await sql<RoleAssignment[]>`
    insert into role_assignments ${sql({ id: uuid(), subject, role, project, author })}
    on conflict do nothing returning ${roleColumns(sql)}`;
  if (after !== undefined) record({ action: 'role.grant', target: `subject:${subject}`, before: null, after });
  return after;
}

/** Revokes a role; what a group grants takes its place. @returns false where there is no such assignment */
export async function revokeRole(act: Act<RoleChange>, which: { readonly id: string } | Grant): Promise<boolean> {
  const { sql, record } = act;
  const chosen =
    'id' in which
      ? sql`id = ${which.id}`
      : sql`subject = ${which.subject} and role = ${which.role} and project is not distinct from ${which.project}`;
  const [before] = await sql<RoleAssignment[]>`
    delete from role_assignments where ${chosen} returning ${roleColumns(sql)}`;
  if (before === undefined) return false;
  record({ action: 'role.revoke', target: `subject:${before.subject}`, before, after: null });
  await syncGroupRoles(act, [before.subject]);
  return true;
}

/**
 * Revokes a role of many subjects that a person granted; what a group grants takes its place, and what only a group grants stays.
 * @returns those who had it from a person
 */
export async function revokeRoles(
  act: Act<RoleChange>,
  subjects: readonly string[],
  { role, project }: Pick<Grant, 'role' | 'project'>,
): Promise<ReadonlySet<string>> {
  const { sql, record } = act;
  const ended = await sql<RoleAssignment[]>`
    delete from role_assignments where subject = any (${arrayLiteral(subjects)}::text::text[]) and role = ${role}
      and project is not distinct from ${project} and group_role_id is null returning ${roleColumns(sql)}`;
  for (const before of ended)
    record({ action: 'role.revoke', target: `subject:${before.subject}`, before, after: null });
  const left = ended.map(({ subject }) => subject);
  if (left.length > 0) await syncGroupRoles(act, left);
  return new Set(left);
}

/**
 * Brings the assignments that come from groups in line with memberships and mappings. Call it last in a transaction that changed
 * either: its lock is the one of the administration log, so that the last of several transactions sees the changes of all.
 * @param subjects whose; null: of all
 */
export async function syncGroupRoles(act: Act<RoleChange>, subjects: readonly string[] | null): Promise<void> {
  const { sql, record } = act;
  await sql`select pg_advisory_xact_lock(${TURN_OF[ACTIONS]})`;
  const among = subjects === null ? sql`true` : sql`subject = any (${arrayLiteral(subjects)}::text::text[])`;
  const ended = await sql<RoleAssignment[]>`
    delete from role_assignments held where group_role_id is not null and ${among} and not exists (
      select from ${memberships(sql)} m where m.mapping = held.group_role_id and m.subject = held.subject)
    returning ${roleColumns(sql)}`;
  for (const before of ended) {
    record({ action: 'role.revoke', target: `subject:${before.subject}`, before, after: null });
  }
  const wanted = await sql<(Grant & { mapping: string; group: string })[]>`
    select mapping, "group", role, project, subject from ${memberships(sql)} m where ${among} and not exists (
      select from role_assignments held
      where held.subject = m.subject and held.role = m.role and held.project is not distinct from m.project)
    order by declared_at, mapping, subject`;
  for (const [mapping, members] of Map.groupBy(wanted, (one) => one.mapping)) {
    const grants = members.map(({ subject, role, project }) => ({ subject, role, project }));
    await grantRoles(act, grants, { author: `scim:${members[0]?.group}`, mapping });
  }
}

/** Declares that the members of a group get a role, from the next call on. @throws violation of `group_roles_once` */
export async function mapGroup(
  act: Act<GroupRoleChange | RoleChange>,
  { group, role, project }: Pick<GroupRole, 'group' | 'role' | 'project'>,
): Promise<GroupRole> {
  const { sql, author, record } = act;
  const after = onlyRow(
    await sql<GroupRole[]>`
    insert into group_roles ${sql({ id: uuid(), group_name: group, role, project, author })}
    returning ${groupRoleColumns(sql)}`,
  );
  record({ action: 'group-role.create', target: `group:${group}`, before: null, after });
  await syncGroupRoles(act, null);
  return after;
}

/** Ends a mapping, and the roles that come from it. @returns false where there is none */
export async function unmapGroup(act: Act<GroupRoleChange | RoleChange>, id: string): Promise<boolean> {
  const { sql, record } = act;
  const [before] = await sql<GroupRole[]>`delete from group_roles where id = ${id} returning ${groupRoleColumns(sql)}`;
  if (before === undefined) return false;
  record({ action: 'group-role.delete', target: `group:${before.group}`, before, after: null });
  await syncGroupRoles(act, null);
  return true;
}

export type MemberChange = Changes<{
  readonly 'member.add': Created<Member>;
  readonly 'member.remove': Deleted<Member>;
  readonly 'member.enable': Changed<Member>;
  readonly 'member.disable': Changed<Member>;
}>;

export const memberTargetOf = (project: string, subject: string): string => `project:${project}/member:${subject}`;

/** Adds a subject to a project. Both may be unknown until now. @returns undefined where it is a member already */
export async function addMember(
  { sql, author, record }: Act<MemberChange>,
  project: string,
  subject: string,
): Promise<Member | undefined> {
  const added = await sql`
    insert into project_members ${sql({ project, subject, added_by: author })} on conflict do nothing returning subject`;
  const after = added.length === 0 ? undefined : await readMember(sql, project, subject);
  if (after !== undefined) {
    record({ action: 'member.add', target: memberTargetOf(project, subject), before: null, after });
  }
  return after;
}

/** Removes a subject from a project. Its account stays. @returns false where it is no member */
export async function removeMember(
  { sql, record }: Act<MemberChange>,
  project: string,
  subject: string,
): Promise<boolean> {
  const before = await readMember(sql, project, subject);
  const removed = await sql`
    delete from project_members where project = ${project} and subject = ${subject} returning subject`;
  if (before === undefined || removed.length === 0) return false;
  record({ action: 'member.remove', target: memberTargetOf(project, subject), before, after: null });
  return true;
}

/**
 * Enables or disables the account of a locked member. A federated identity that never called is registered.
 * @returns undefined where an instance administrator disabled the account: no project can enable it (console-19)
 */
export async function setMemberEnabled(
  { sql, record }: Act<MemberChange>,
  before: Member,
  enabled: boolean,
): Promise<Member | undefined> {
  const { project, subject } = before;
  const changed = await sql`
    insert into accounts (id, username, origin, enabled, disabled_by_project)
    values (${uuid()}, ${subject}, 'directory', ${enabled}, ${!enabled})
    on conflict (username) do update set enabled = excluded.enabled,
      disabled_by_project = not excluded.enabled and (accounts.enabled or accounts.disabled_by_project)
    where not excluded.enabled or accounts.enabled or accounts.disabled_by_project
    returning id`;
  const after = changed.length === 0 ? undefined : await readMember(sql, project, subject);
  const action = enabled ? 'member.enable' : 'member.disable';
  if (after !== undefined) record({ action, target: memberTargetOf(project, subject), before, after });
  return after;
}

/** The fault of a role with a project that it has not, or without the one it needs; null where both fit. */
export function projectFault(given: {
  readonly role: Role;
  readonly project: string | null;
}): { readonly project: string } | null {
  const { role, project } = given;
  if ((ROLES[role].projectScope === 'required') === (project !== null)) return null;
  return { project: project === null ? 'is missing: this role belongs to a project' : 'is not for this role' };
}
