import type { Queryable } from '@gateway/database';
import type { Act, Changes, Created } from '@gateway/database/audit-log/act';
import type { SessionRevocation } from './console.ts';
import { firstSubjectOf, lineageOf } from './lineage.ts';

type SessionChange = Changes<{ readonly 'session.revoke': Created<SessionRevocation> }>;

/** Revokes an agent session with its sub-agents; it may be unknown (workstation-10). @returns undefined where it is revoked already */
export async function revokeSession(
  { sql, author, record }: Act<SessionChange>,
  session: string,
  reason: string,
): Promise<SessionRevocation | undefined> {
  const [after] = await sql<SessionRevocation[]>`
    insert into agent_session_revocations ${sql({ session, reason, author })}
    on conflict (session) do nothing returning session, reason, author, revoked_at as "revokedAt"`;
  if (after !== undefined) {
    record({ action: 'session.revoke', target: `session:${session}`, before: null, after });
  }
  return after;
}

export type Standing =
  | { readonly session: string; readonly standing: 'in force' }
  | {
      readonly session: string;
      readonly standing: 'revoked';
      readonly revokedAt: string;
      /** The session that was revoked: this one, or one it descends from. */
      readonly revokedSession: string;
      readonly author: string;
      readonly reason: string;
    };

/**
 * Whether a session, or one of its ancestors, is revoked; meant is the session of the subject that first named a parent for it.
 * An unrevoked or unknown session is in force (workstation-9).
 */
export async function readStanding(sql: Queryable, session: string): Promise<Standing> {
  const [row] = await sql.unsafe<{ revokedSession: string; author: string; reason: string; revokedAt: Date }[]>(
    `with ${lineageOf(firstSubjectOf('$1::text'), '$1::text')}
    select session as "revokedSession", author, reason, revoked_at as "revokedAt"
    from lineage join agent_session_revocations using (session) order by revoked_at limit 1`,
    [session],
  );
  if (!row) return { session, standing: 'in force' };
  return { session, standing: 'revoked', ...row, revokedAt: row.revokedAt.toISOString() };
}
