import { addMember } from '@gateway/database/administration';
import { type Context, print } from '../context/context.ts';
import { checkText } from '../operator/check.ts';
import { withAct } from '../operator/operator.ts';

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
