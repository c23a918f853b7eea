import type { Act, Changes, Created } from '@gateway/database/audit-log/act';
import type { SessionRevocation } from './console.ts';

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
