import type { Act, Changed, Changes, Created, Deleted } from '@gateway/database/audit-log/act';
import { v7 as uuid } from 'uuid';
import { type Member, readMember } from './console-projects.ts';

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
