import type { ChangeCall } from '../../api/change.ts';

/** The effects of a revocation, for the confirmation dialog. */
export const REVOKES =
  'Refused everywhere from the next call on, with any roles and keys, and running agent commands are stopped. It can be lifted again here, or under Audit, Revoked subjects.';

/** Refuses a subject everywhere. */
export const revocationOf = ({ subject, reason }: { subject: string; reason: string }): ChangeCall => ({
  method: 'POST',
  path: '/api/subject-revocations',
  body: { subject, reason },
  done: `${subject} is refused from the next call on.`,
  undo: ({ id }: { id: string }) => liftOf({ id, subject, reason: 'undone at once' }),
});

/** Lifts a revocation. What else refuses the subject is not changed by it. */
export const liftOf = ({ id, subject, reason }: { id: string; subject: string; reason: string }): ChangeCall => ({
  method: 'POST',
  path: `/api/subject-revocations/${id}/lift`,
  body: { reason },
  done: `The revocation of ${subject} is lifted.`,
});
