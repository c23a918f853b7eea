import type { Act, Changed, Changes, Created } from '@gateway/database/audit-log/act';
import { arrayLiteral } from '@gateway/database/client/array-literal';
import { v7 as uuid } from 'uuid';
import { revocationColumns, type SubjectRevocation } from './console-subjects.ts';

export type SubjectChange = Changes<{
  readonly 'subject.revoke': Created<SubjectRevocation>;
  readonly 'subject.lift': Changed<SubjectRevocation>;
}>;

/** Revokes a subject and ends its sessions in the console (console-16). @returns undefined where it is revoked already */
export async function revokeSubject(
  { sql, author, record }: Act<SubjectChange>,
  subject: string,
  reason: string,
): Promise<SubjectRevocation | undefined> {
  const [after] = await sql<SubjectRevocation[]>`
    insert into subject_revocations ${sql({ id: uuid(), subject, reason, author })}
    on conflict (subject) where lifted_at is null do nothing returning ${revocationColumns(sql)}`;
  if (after === undefined) return undefined;
  await sql`delete from console_sessions where subject = ${subject}`;
  record({ action: 'subject.revoke', target: `subject:${subject}`, before: null, after });
  return after;
}

/** Revokes many subjects, as one is. @returns those that were not revoked until now */
export async function revokeSubjects(
  { sql, author, record }: Act<SubjectChange>,
  subjects: readonly string[],
  reason: string,
): Promise<ReadonlySet<string>> {
  const rows = JSON.stringify(subjects.toSorted().map((subject) => ({ id: uuid(), subject })));
  const revoked = await sql<SubjectRevocation[]>`
    insert into subject_revocations (id, subject, reason, author)
    select id, subject, ${reason}, ${author} from json_to_recordset(${rows}::text::json) one (id uuid, subject text)
    on conflict (subject) where lifted_at is null do nothing returning ${revocationColumns(sql)}`;
  await sql`
    delete from console_sessions where subject = any (${arrayLiteral(revoked.map(({ subject }) => subject))}::text::text[])`;
  for (const after of revoked)
    record({ action: 'subject.revoke', target: `subject:${after.subject}`, before: null, after });
  return new Set(revoked.map(({ subject }) => subject));
}

/** Lifts the revocations in force of many subjects. @returns those that were revoked until now */
export async function liftSubjects(
  { sql, author, record }: Act<SubjectChange>,
  subjects: readonly string[],
  reason: string,
): Promise<ReadonlySet<string>> {
  const among = sql`subject = any (${arrayLiteral(subjects)}::text::text[]) and lifted_at is null`;
  const locked = await sql<SubjectRevocation[]>`
    select ${revocationColumns(sql)} from subject_revocations where ${among} order by id for update`;
  const lifted = await sql<SubjectRevocation[]>`
    update subject_revocations set lifted_at = now(), lifted_by = ${author}, lift_reason = ${reason}
    where ${among} returning ${revocationColumns(sql)}`;
  const before = new Map(locked.map((one) => [one.id, one]));
  for (const after of lifted)
    record({
      action: 'subject.lift',
      target: `subject:${after.subject}`,
      before: before.get(after.id) ?? { ...after, liftedAt: null, liftedBy: null, liftReason: null },
      after,
    });
  return new Set(lifted.map(({ subject }) => subject));
}

/** Lifts a locked revocation. The row stays, with author and reason. One that was already lifted stays unchanged. */
export async function liftSubject(
  { sql, author, record }: Act<SubjectChange>,
  before: SubjectRevocation,
  reason: string,
): Promise<SubjectRevocation> {
  const [after] = await sql<SubjectRevocation[]>`
    update subject_revocations set lifted_at = now(), lifted_by = ${author}, lift_reason = ${reason}
    where id = ${before.id} and lifted_at is null returning ${revocationColumns(sql)}`;
  if (after === undefined) return before;
  record({ action: 'subject.lift', target: `subject:${before.subject}`, before, after });
  return after;
}
