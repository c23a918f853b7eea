import { v7 as uuid } from 'uuid';
import { OperationRefused, type Operator, operate } from '../audit-log/operation.ts';
import type { Queryable, Sql } from '../client/connect.ts';
import { revokeAgentSession } from '../queries/console/agent-sessions.ts';
import { revokeSubject as enterRevocation } from '../queries/console/subject-revocations.ts';
import { violationOf } from '../queries/console/violations.ts';
import { firstSubjectOf, lineageOf } from '../queries/lineage.ts';

/** Puts a subject on the revocation list of the instance. @returns false where it is on it already. */
export async function revokeSubject(sql: Sql, operator: Operator, subject: string, reason: string): Promise<boolean> {
  try {
    return await operate(sql, operator, async (at) => {
      const { author } = operator;
      const { id, revokedAt } = await enterRevocation(at.sql, { id: uuid(), subject, reason, author });
      const after = { id, reason, author, revokedAt: revokedAt.toISOString() };
      await at.record({ action: 'subject.revoke', target: `subject:${subject}`, before: null, after });
      return true;
    });
  } catch (error) {
    if (violationOf(error)?.constraint === 'subject_revocations_in_force') return false;
    throw error;
  }
}

/** Takes a subject off the list. @throws OperationRefused where it is not on it. */
export async function liftSubject(sql: Sql, operator: Operator, subject: string, reason: string): Promise<void> {
  await operate(sql, operator, async (at) => {
    const [before] = await at.sql<{ id: string; reason: string; author: string; revokedAt: Date }[]>`
      select id, reason, author, revoked_at as "revokedAt" from subject_revocations
      where subject = ${subject} and lifted_at is null for update`;
    if (!before) throw new OperationRefused(`${subject} is not on the revocation list.`);
    await at.sql`
      update subject_revocations set lifted_at = now(), lifted_by = ${operator.author}, lift_reason = ${reason}
      where id = ${before.id}`;
    await at.record({
      action: 'subject.lift',
      target: `subject:${subject}`,
      before: { ...before, revokedAt: before.revokedAt.toISOString() },
      after: { id: before.id, reason, author: operator.author },
    });
  });
}

/** Revokes an agent session, known to the gateway or not, and with it every session below it. @returns false where it was revoked. */
export async function revokeSession(sql: Sql, operator: Operator, session: string, reason: string): Promise<boolean> {
  return operate(sql, operator, async (at) => {
    const { author } = operator;
    const revoked = await revokeAgentSession(at.sql, { session, reason, author });
    if (revoked === undefined) return false;
    const after = { reason, author, revokedAt: revoked.revokedAt.toISOString() };
    await at.record({ action: 'session.revoke', target: `session:${session}`, before: null, after });
    return true;
  });
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

/** Whether the session of anybody who first stated a parent of it, or one it descends from, is revoked. One nobody revoked, or nobody knows, is in force (workstation-9). */
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
