import { namedRole } from '@gateway/contract/labels';
import { revokeRole } from '@gateway/database/administration';
import { type Context, print } from '../context/context.ts';
import { CommandFailed } from '../context/fault.ts';
import { checkName, checkProject, checkRole } from '../operator/check.ts';
import { withAct } from '../operator/operator.ts';

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
  if (!(await withAct(context, author, (act) => revokeRole(act, grant)))) {
    throw new CommandFailed(`${subject} does not have the role ${namedRole(role)}${scope}.`);
  }
  await print(context, { ...grant, author, revoked: true }, [
    `${subject} no longer has the role ${namedRole(role)}${scope}.`,
  ]);
}
