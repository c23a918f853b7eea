import { namedRole, roleLabel } from '@gateway/contract/labels';
import type { Act } from '@gateway/database/audit-log/act';
import { type Grant, revokeRole } from '@gateway/domain/role/acts';
import { listRoles } from '@gateway/domain/role/owner';
import { checkName, checkProject, checkRole } from '../context/check.ts';
import { CommandFailed, type Context, print } from '../context/context.ts';
import { printList } from '../context/list.ts';
import { withAct } from '../context/operator.ts';
import { withDatabase } from '../context/owner-database.ts';

/** `roles [SUBJECT]`: the role assignments, and who granted them. */
export async function runRoles(
  context: Context,
  subject: string | undefined,
  options: { readonly limit?: string },
): Promise<void> {
  const values = await withDatabase(context.environment, (sql) => listRoles(sql, subject ?? null));
  const listing = {
    header: ['SUBJECT', 'ROLE', 'PROJECT', 'GRANTED BY', 'AT'],
    values,
    row: (one: (typeof values)[number]) => [
      one.subject,
      namedRole(one.role),
      one.project ?? '',
      one.author,
      one.grantedAt,
    ],
    none: subject === undefined ? 'Nobody has a role.' : `${subject} has no role.`,
  };
  await printList(context, listing, options.limit);
}

/** `revoke-role SUBJECT ROLE AUTHOR [--project P]` (roles-14). */
export async function runRevokeRole(
  context: Context,
  subject: string,
  roleName: string,
  author: string,
  options: { readonly project?: string },
): Promise<void> {
  const role = checkRole(roleName);
  const grant = { subject: checkName(subject, 'subject'), role, project: checkProject(role, options.project) };
  const scope = grant.project === null ? '' : ` for the project ${grant.project}`;
  const outcome = await withAct(context, author, async (act) => {
    const group = await groupOf(act, grant);
    if (group !== undefined)
      throw new CommandFailed(
        `${subject} has the role ${roleLabel(role)}${scope} from a group (${group}). Remove the person from the group, or remove the mapping of the group.`,
      );
    return { revoked: await revokeRole(act, grant), stays: await groupOf(act, grant) };
  });
  if (!outcome.revoked) throw new CommandFailed(`${subject} does not have the role ${roleLabel(role)}${scope}.`);
  await print(context, { ...grant, author, revoked: true }, [
    outcome.stays === undefined
      ? `${subject} no longer has the role ${roleLabel(role)}${scope}.`
      : `The grant was removed. ${subject} keeps the role ${roleLabel(role)}${scope} from a group (${outcome.stays}).`,
  ]);
}

/** The author of the assignment where a group grants the role. */
async function groupOf({ sql }: Act, { subject, role, project }: Grant): Promise<string | undefined> {
  const isSame = (one: Grant): boolean => one.role === role && one.project === project;
  if ((await listRoles(sql, subject, 'people')).some(isSame)) return undefined;
  return (await listRoles(sql, subject)).find(isSame)?.author;
}
