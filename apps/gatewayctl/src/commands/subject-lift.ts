import { liftSubject } from '@gateway/database/administration';
import { lockSubjectRevocation } from '@gateway/database/console';
import { type Context, print } from '../context/context.ts';
import { CommandFailed } from '../context/fault.ts';
import { checkName, checkReason } from '../operator/check.ts';
import { withAct } from '../operator/operator.ts';

/** `subject lift SUBJECT --author A --reason R`: served again from the next call on. */
export async function runSubjectLift(
  context: Context,
  name: string,
  options: { readonly author: string; readonly reason: string },
): Promise<void> {
  const subject = checkName(name, 'subject');
  const reason = checkReason(options.reason);
  await withAct(context, options.author, async (act) => {
    const revocation = await lockSubjectRevocation(act.sql, { inForceOf: subject });
    if (revocation === undefined) throw new CommandFailed(`${subject} is not on the revocation list.`);
    await liftSubject(act, revocation, reason);
  });
  await print(context, { subject, revoked: false, changed: true }, [`${subject} is no longer revoked.`]);
}
