import { addMember, removeMember } from '@gateway/domain/role/acts';
import { listProjectMembers } from '@gateway/domain/role/owner';
import { checkName, checkText } from '../context/check.ts';
import { CommandFailed, type Context, print } from '../context/context.ts';
import { printList } from '../context/list.ts';
import { withAct } from '../context/operator.ts';
import { withDatabase } from '../context/owner-database.ts';

/** `project add PROJECT SUBJECT`: the project's administrators then list the subject, enable it and put it on a plan. */
export async function runProjectAdd(
  context: Context,
  projectName: string,
  subjectName: string,
  { author }: { readonly author?: string },
): Promise<void> {
  const [project, subject] = [checkText(projectName, 'project'), checkText(subjectName, 'subject')];
  const added = (await withAct(context, author, (act) => addMember(act, project, subject))) !== undefined;
  const line = added
    ? `${subject} is now a member of the project ${project}.`
    : `${subject} is a member of the project ${project} already; nothing changed.`;
  await print(context, { project, subject, member: true, changed: added }, [line]);
}

/** `project remove PROJECT SUBJECT`: the account stays. */
export async function runProjectRemove(
  context: Context,
  projectName: string,
  subjectName: string,
  { author }: { readonly author?: string },
): Promise<void> {
  const [project, subject] = [checkName(projectName, 'project'), checkName(subjectName, 'subject')];
  if (!(await withAct(context, author, (act) => removeMember(act, project, subject)))) {
    throw new CommandFailed(`${subject} is not a member of the project ${project}.`);
  }
  await print(context, { project, subject, member: false, changed: true }, [
    `${subject} is no longer a member of the project ${project}.`,
  ]);
}

/** `project members PROJECT`: its members, and who added them. */
export async function runProjectMembers(
  context: Context,
  project: string,
  options: { readonly limit?: string },
): Promise<void> {
  const values = await withDatabase(context.environment, (sql) => listProjectMembers(sql, project));
  const listing = {
    header: ['SUBJECT', 'ADDED BY', 'AT'],
    values,
    row: ({ subject, addedBy, addedAt }: (typeof values)[number]) => [subject, addedBy, addedAt],
    none: `Nobody is a member of the project ${project}.`,
  };
  await printList(context, listing, options.limit);
}
