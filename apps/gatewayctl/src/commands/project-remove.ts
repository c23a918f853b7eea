import { removeMember } from '@gateway/database/administration';
import { type Context, print } from '../context/context.ts';
import { CommandFailed } from '../context/fault.ts';
import { checkName } from '../operator/check.ts';
import { withAct } from '../operator/operator.ts';

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
