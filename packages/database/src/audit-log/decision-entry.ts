import { type Decision, printable, storable } from '@gateway/contract';
import type { JsonObject } from '@gateway/ledger';

/** A decision as its table stores it: every text storable and printable, so that the stored value equals the hashed one. */
export function storableDecision(decision: Decision): Decision {
  const text = <Text extends string | null>(value: Text): Text =>
    (value === null ? value : printable(storable(value))) as Text;
  return {
    ...decision,
    id: decision.id.toLowerCase(),
    at: new Date(decision.at).toISOString(),
    subject: text(decision.subject),
    keyId: decision.keyId?.toLowerCase() ?? null,
    resource: text(decision.resource),
    session: text(decision.session),
    detail: text(decision.detail),
    requestId: text(decision.requestId),
    sourceAddress: text(decision.sourceAddress),
  };
}

/** What the digest of a decision covers besides the digest before it (log-4). */
export function decisionEntry(decision: Decision, sequence: bigint) {
  return {
    at: decision.at,
    component: decision.component,
    credential: decision.credential,
    detail: decision.detail,
    id: decision.id,
    keyId: decision.keyId,
    outcome: decision.outcome,
    permission: decision.permission,
    policyRevision: decision.policyRevision,
    reason: decision.reason,
    requestId: decision.requestId,
    resource: decision.resource,
    roles: decision.roles,
    sequence: Number(sequence),
    session: decision.session,
    sourceAddress: decision.sourceAddress,
    status: decision.status,
    subject: decision.subject,
  } satisfies JsonObject;
}
