import { legible } from '@gateway/contract/legible';
import { revokeSession } from '@gateway/database/administration';
import { type Context, print } from '../context/context.ts';
import { checkReason, checkSession } from '../operator/check.ts';
import { withAct } from '../operator/operator.ts';

/** `session revoke ID --author A --reason R`: the session and every sub-agent of it (workstation-10). */
export async function runSessionRevoke(
  context: Context,
  id: string,
  options: { readonly author: string; readonly reason: string },
): Promise<void> {
  const session = checkSession(id);
  const reason = checkReason(options.reason);
  const revoked = (await withAct(context, options.author, (act) => revokeSession(act, session, reason))) !== undefined;
  const line = revoked
    ? `The session ${legible(session)} is revoked.`
    : `The session ${legible(session)} was revoked already; nothing changed.`;
  await print(context, { session, standing: 'revoked', changed: revoked }, [line]);
}
