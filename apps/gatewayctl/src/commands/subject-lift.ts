import { liftSubject } from '@gateway/database/administration';
import { type Context, print } from '../context/context.ts';
import { checkedName, checkedReason } from '../operator/checked.ts';
import { withOperator } from '../operator/operator.ts';

/** `subject lift SUBJECT --author A --reason R`: served again from the next call on. */
export async function runSubjectLift(
  context: Context,
  name: string,
  options: { readonly author: string; readonly reason: string },
): Promise<void> {
  const subject = checkedName(name, 'subject');
  const reason = checkedReason(options.reason);
  await withOperator(context, options.author, (sql, operator) => liftSubject(sql, operator, subject, reason));
  await print(context, { subject, revoked: false, changed: true }, [`${subject} is no longer revoked.`]);
}
