import { removeProjectMember } from '@gateway/database/administration';
import { type Context, print } from '../context/context.ts';
import { checkedName } from '../operator/checked.ts';
import { withOperator } from '../operator/operator.ts';

/** `project remove PROJECT SUBJECT`: the account stays. */
export async function runProjectRemove(
  context: Context,
  projectName: string,
  subjectName: string,
  { author }: { readonly author?: string },
): Promise<void> {
  const [project, subject] = [checkedName(projectName, 'project'), checkedName(subjectName, 'subject')];
  await withOperator(context, author, (sql, operator) => removeProjectMember(sql, operator, project, subject));
  await print(context, { project, subject, member: false, changed: true }, [
    `${subject} is no longer a member of the project ${project}.`,
  ]);
}
