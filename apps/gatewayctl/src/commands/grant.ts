import { refusal, sentenceOf } from '@gateway/contract';
import { namedRole } from '@gateway/contract/labels';
import { grantRole } from '@gateway/database/administration';
import { type Context, print } from '../context/context.ts';
import { checkProject, checkRole, checkText } from '../operator/check.ts';
import { withAct } from '../operator/operator.ts';

/** `grant SUBJECT ROLE AUTHOR [--project P]` (client-28). */
export async function runGrant(
  context: Context,
  subject: string,
  roleName: string,
  author: string,
  options: { readonly project?: string },
): Promise<void> {
  const role = checkRole(roleName);
  const grant = { subject: checkText(subject, 'subject'), role, project: checkProject(role, options.project) };
  const granted = await withAct(
    context,
    author,
    async (act) => (await grantRole(act, grant)) !== undefined,
    ({ constraint }) =>
      constraint === 'administration_excludes_audit'
        ? `${subject} was not granted ${namedRole(role)}. ${sentenceOf(refusal('roles-exclude'))}`
        : undefined,
  );
  const scope = grant.project === null ? '' : ` for the project ${grant.project}`;
  const line = granted
    ? `${subject} now has the role ${namedRole(role)}${scope}.`
    : `${subject} already has the role ${namedRole(role)}${scope}; nothing changed.`;
  await print(context, { ...grant, author, granted }, [line]);
}
