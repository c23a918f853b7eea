import { revokeSubject } from '@gateway/database/administration';
import { type Context, print } from '../context/context.ts';
import { checkName, checkReason } from '../operator/check.ts';
import { withAct } from '../operator/operator.ts';

/** `subject revoke SUBJECT --author A --reason R`: refused by the instance until lifted (console-16). */
export async function runSubjectRevoke(
  context: Context,
  name: string,
  options: { readonly author: string; readonly reason: string },
): Promise<void> {
  const subject = checkName(name, 'subject');
  const reason = checkReason(options.reason);
  const revoked = (await withAct(context, options.author, (act) => revokeSubject(act, subject, reason))) !== undefined;
  const line = revoked ? `${subject} is revoked.` : `${subject} was revoked already; nothing changed.`;
  await print(context, { subject, revoked: true, changed: revoked }, [line]);
}
