import type { Queryable } from '@gateway/database';
import { all, holds, whenPresent } from '@gateway/database/client/conditions';
import { addPosition, type Page, type Rows, reading } from '@gateway/database/client/pages';

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

/** Columns of a `SubjectRevocation`. */
export const revocationColumns = (sql: Queryable) => sql`
  id, subject, reason, author, revoked_at as "revokedAt", lifted_at as "liftedAt", lifted_by as "liftedBy", lift_reason as "liftReason"`;

/** Revocations, the newest first: those in force, those lifted, or all. The key of a page is the id, which grows with time. */
export function listSubjectRevocations(
  sql: Queryable,
  filter: { subject: string | null; subjectPart: string | null; inForce: boolean | null },
  page: Page<readonly [id: string]>,
): Rows<SubjectRevocation> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [
    whenPresent(filter.subject, (subject) => sql`subject = ${subject}`),
    whenPresent(filter.subjectPart, (part) => holds(sql, 'subject', part)),
    whenPresent(filter.inForce, (inForce) => (inForce ? sql`lifted_at is null` : sql`lifted_at is not null`)),
    whenPresent(page.after, ([id]) => sql`id ${past} ${id}`),
  ]);
  return addPosition(
    sql,
    sql`
    select ${revocationColumns(sql)} from subject_revocations where ${chosen}`,
    sql`id ${way}`,
    page,
  );
}

/** A revocation by its id, or a subject's current one; locked until the transaction ends. */
export async function lockSubjectRevocation(
  sql: Queryable,
  by: { readonly id: string } | { readonly inForceOf: string },
): Promise<SubjectRevocation | undefined> {
  const which = 'id' in by ? sql`id = ${by.id}` : sql`subject = ${by.inForceOf} and lifted_at is null`;
  const [row] = await sql<SubjectRevocation[]>`
    select ${revocationColumns(sql)} from subject_revocations where ${which} for update`;
  return row;
}
