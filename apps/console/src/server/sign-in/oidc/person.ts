import { line, subject } from '@gateway/access/declarations';
import { isReservedName } from '@gateway/contract';
import type { OidcPerson } from '@gateway/database/console';

const shownName = line(200);
const address = line(320);

/** The person of verified claims; null where the subject's claim is no text that can be stored and compared. */
export function personOf(claims: Readonly<Record<string, unknown>>, subjectClaim: string): OidcPerson | null {
  const named = subject.safeParse(claims[subjectClaim]);
  // A reserved name identifies no person: neither an author nor a workload.
  if (!named.success || isReservedName(named.data)) return null;
  const [displayName, email] = [shownName.safeParse(claims['name']), address.safeParse(claims['email'])];
  return { subject: named.data, displayName: displayName.data ?? null, email: email.data ?? null };
}
