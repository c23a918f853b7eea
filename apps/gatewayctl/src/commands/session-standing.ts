import { legible } from '@gateway/contract/legible';
import { readStanding } from '@gateway/database/administration';
import { type Context, print } from '../context/context.ts';
import { withDatabase } from '../operator/owner-database.ts';

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
