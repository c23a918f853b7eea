import { type Component, type Decision, printable, storable } from '@gateway/contract';
import type { JsonObject, JsonValue } from '@gateway/ledger';

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

/** One administrative act (log-10): author, object, old and new value. Never a secret in either. */
export interface AdministrationAction {
  readonly component: Component;
  /** Subject of the administrator, or the name an operator gave at the terminal. */
  readonly author: string;
  /** Field-standard verb after the thing: `role.grant`, `provider.create`, … */
  readonly action: string;
  /** What was acted on: a subject, a slug, an id. */
  readonly target: string;
  /** Null where there was nothing before. */
  readonly oldValue: JsonValue;
  /** Null where there is nothing afterwards. */
  readonly newValue: JsonValue;
}

/** An act as its table keeps it: the values are canonical JSON, as text. */
export interface StoredAction {
  readonly id: string;
  readonly at: string;
  readonly component: string;
  readonly author: string;
  readonly action: string;
  readonly target: string;
  readonly oldValue: string | null;
  readonly newValue: string | null;
}

/** What the digest of an act covers besides the digest before it. */
export function actionEntry(action: StoredAction, sequence: bigint): JsonObject {
  return { ...action, sequence: Number(sequence) };
}
