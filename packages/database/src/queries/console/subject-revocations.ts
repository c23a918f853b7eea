import type { Queryable } from '../../client/connect.ts';
import { all, given, holds } from './conditions.ts';
import { type Page, placed, type Rows, reading } from './pages.ts';

/** A refusal of a subject by this instance, in force until it is lifted (console-16). */
export interface SubjectRevocation {
  readonly id: string;
  readonly subject: string;
  readonly reason: string;
  readonly author: string;
  readonly revokedAt: Date;
  readonly liftedAt: Date | null;
  readonly liftedBy: string | null;
  readonly liftReason: string | null;
}

const columns = (sql: Queryable) => sql`
  id, subject, reason, author, revoked_at as "revokedAt", lifted_at as "liftedAt", lifted_by as "liftedBy", lift_reason as "liftReason"`;

/** Revocations, the newest first: those in force, those lifted, or all. The key of a page is the id, which grows with time. */
export function listSubjectRevocations(
  sql: Queryable,
  filter: { subject: string | null; subjectPart: string | null; inForce: boolean | null },
  page: Page<readonly [id: string]>,
): Rows<SubjectRevocation> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [
    given(filter.subject, (subject) => sql`subject = ${subject}`),
    given(filter.subjectPart, (part) => holds(sql, 'subject', part)),
    given(filter.inForce, (inForce) => (inForce ? sql`lifted_at is null` : sql`lifted_at is not null`)),
    given(page.after, ([id]) => sql`id ${past} ${id}`),
  ]);
  return placed(
    sql,
    sql`
    select ${columns(sql)} from subject_revocations where ${chosen}`,
    sql`id ${way}`,
    page,
  );
}

/** Puts a subject on the list and ends its sessions in the console. At most one revocation of a subject is in force. */
export async function revokeSubject(
  sql: Queryable,
  revocation: { id: string; subject: string; reason: string; author: string },
): Promise<SubjectRevocation> {
  const [row] = await sql<SubjectRevocation[]>`
    insert into subject_revocations ${sql(revocation)} returning ${columns(sql)}`;
  if (row === undefined) throw new Error('an insert without a conflict clause returns its row');
  await sql`delete from console_sessions where subject = ${revocation.subject}`;
  return row;
}

/** A revocation, kept from changing until the transaction ends. */
export async function lockSubjectRevocation(sql: Queryable, id: string): Promise<SubjectRevocation | undefined> {
  const [row] = await sql<
    SubjectRevocation[]
  >`select ${columns(sql)} from subject_revocations where id = ${id} for update`;
  return row;
}

/** Lifts a revocation; undefined where it was lifted before. The row stays, with who lifted it and why. */
export async function liftSubjectRevocation(
  sql: Queryable,
  lift: { id: string; author: string; reason: string },
): Promise<SubjectRevocation | undefined> {
  const [row] = await sql<SubjectRevocation[]>`
    update subject_revocations set lifted_at = now(), lifted_by = ${lift.author}, lift_reason = ${lift.reason}
    where id = ${lift.id} and lifted_at is null returning ${columns(sql)}`;
  return row;
}
