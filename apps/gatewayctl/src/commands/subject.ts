import { legible } from '@gateway/contract/legible';
import { lockSubjectRevocation } from '@gateway/domain/account/console-subjects';
import { liftSubject, revokeSubject } from '@gateway/domain/account/subject-acts';
import { readStanding, revokeSession } from '@gateway/domain/session/acts';
import { checkName, checkReason, checkSession } from '../context/check.ts';
import { CommandFailed, type Context, print } from '../context/context.ts';
import { withAct } from '../context/operator.ts';
import { withDatabase } from '../context/owner-database.ts';

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

/** `session standing ID`: in force, or revoked: since when, by whom and why. */
export async function runSessionStanding(context: Context, session: string): Promise<void> {
  const standing = await withDatabase(context.environment, (sql) => readStanding(sql, session));
  if (standing.standing === 'in force') {
    await print(context, standing, [`The session ${legible(session)} is in force.`]);
    return;
  }
  const { revokedAt, revokedSession, author, reason } = standing;
  const through = revokedSession === session ? '' : ` It descends from ${legible(revokedSession)}, which was revoked.`;
  await print(context, standing, [
    `The session ${legible(session)} is revoked since ${revokedAt}, by ${author}: ${reason}.${through}`,
  ]);
}
