import { type Refusal, refusal, SESSION_STANDING_HEADER } from '@gateway/contract';
import type { RelayFacts } from '@gateway/domain/call/facts';
import type { Identified } from './identify.ts';

/** The subject of the facts, also of a refused call: the log shows it. */
export function subjectOf(identified: Identified, facts: RelayFacts): string | null {
  if (identified.identity.kind === 'directory') return identified.identity.subject;
  return facts.account?.username ?? null;
}

/** Credentials, then the subject's revocation, then the session's: the same for calls and for agent commands. */
export function resolveSubject(identified: Identified, facts: RelayFacts): { readonly subject: string } | Refusal {
  const refused = checkProof(identified, facts);
  if (refused !== null) return refused;
  const subject = subjectOf(identified, facts);
  if (subject === null) return refusal('key-unknown');
  if (facts.subjectRevoked) return refusal('subject-revoked');
  if (facts.sessionRevokedAt !== null) {
    return refusal('session-revoked', {
      members: { code: 'agent-session-revoked', revokedAt: facts.sessionRevokedAt.toISOString() },
      headers: { [SESSION_STANDING_HEADER]: 'revoked' },
    });
  }
  return { subject };
}

/** A proof that proves nothing: one sentence for all of them, the reason for the log alone. */
function checkProof({ identity }: Identified, { account }: RelayFacts): Refusal | null {
  if (identity.kind === 'key') {
    if (account === null || account.key === null) return refusal('key-unknown');
    if (account.key.revoked) return refusal('key-revoked');
    if (account.key.expired) return refusal('key-expired');
  } else if (account?.origin === 'local') return refusal('token-subject-is-local');
  return account?.enabled === false ? refusal('account-disabled') : null;
}
