import type { Change } from '../../api/change.ts';

/** What comes of a revocation, for whoever is about to make one. */
export const REVOKES =
  'Refused everywhere from the next call on, whatever roles and keys there are, and running agent commands are stopped. It can be lifted again under Audit, Revoked subjects.';

/** Refuses a subject everywhere. */
export const revocationOf = ({ subject, reason }: { subject: string; reason: string }): Change => ({
  method: 'POST',
  path: '/api/subject-revocations',
  body: { subject, reason },
  done: `${subject} is refused from the next call on.`,
});

/** Where the revocations of a subject stand, and one is lifted. */
export const revocationsOf = (subject: string): string => `#audit/revoked-subjects?${new URLSearchParams({ subject })}`;
