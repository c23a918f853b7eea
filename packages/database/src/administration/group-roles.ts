import { v7 as uuid } from 'uuid';
import { type GroupRole, groupRoleColumns } from '../queries/console/group-roles.ts';
import type { Act } from './act.ts';
import { onlyRow } from './only-row.ts';
import { syncGroupRoles } from './roles.ts';

/** Declares that the members of a group get a role, from the next call on. @throws violation of `group_roles_once` */
export async function mapGroup(
  act: Act,
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
export async function unmapGroup(act: Act, id: string): Promise<boolean> {
  const { sql, record } = act;
  const [before] = await sql<GroupRole[]>`delete from group_roles where id = ${id} returning ${groupRoleColumns(sql)}`;
  if (before === undefined) return false;
  record({ action: 'group-role.delete', target: `group:${before.group}`, before, after: null });
  await syncGroupRoles(act, null);
  return true;
}
