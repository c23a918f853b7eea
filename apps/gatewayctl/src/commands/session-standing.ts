import { readStanding } from '@gateway/database/owner';
import { type Context, print } from '../context.ts';
import { withDatabase } from '../owner-database.ts';
import { shown } from '../shown.ts';

/** `session standing ID`: in force, or revoked and since when, by whom and why. */
export async function runSessionStanding(context: Context, session: string): Promise<void> {
  const standing = await withDatabase(context.environment, (sql) => readStanding(sql, session));
  if (standing.standing === 'in force') {
    await print(context, standing, [`The session ${shown(session)} is in force.`]);
    return;
  }
  const { revokedAt, revokedSession, author, reason } = standing;
  const through = revokedSession === session ? '' : ` It descends from ${shown(revokedSession)}, which was revoked.`;
  await print(context, standing, [
    `The session ${shown(session)} is revoked since ${revokedAt}, by ${author}: ${reason}.${through}`,
  ]);
}
