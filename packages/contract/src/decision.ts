import type { RefusalCode } from './refusals.ts';
import type { Permission, Role } from './roles.ts';

export type Component = 'gateway' | 'console' | 'gatewayctl';
export type Credential = 'key' | 'token' | 'none';

/** Reasons of an approval: a role, and the same for an attempt with the endpoint's standby. */
export const APPROVALS = ['role', 'standby'] as const;
export type Approval = (typeof APPROVALS)[number];

/** Why a decision fell: the right that carried it, or the code of the refusal (closed list). */
export type DecisionReason = Approval | RefusalCode;

/**
 * One decision before it is chained (log-3). It never contains a request's or an answer's body.
 * `resource` is `endpoint:<name>`, `command:<interpreter>` or `instance`.
 */
export interface Decision {
  /** UUID version 7, made when the decision fell; the usage record refers to it. */
  readonly id: string;
  /** ISO 8601, UTC, milliseconds, `Z`. */
  readonly at: string;
  readonly component: Component;
  readonly subject: string | null;
  readonly credential: Credential;
  readonly keyId: string | null;
  readonly permission: Permission;
  readonly resource: string;
  readonly session: string | null;
  readonly outcome: 'granted' | 'refused';
  readonly reason: DecisionReason;
  /** HTTP status of a refusal; 200 for an approval, for any answer of the provider. */
  readonly status: number;
  readonly roles: readonly Role[];
  /** The authorization policy revision that was in force and evaluated, or null where none is installed. */
  readonly policyRevision: number | null;
  /** The policy that refused, the token's fault, …: one line for the auditor, never a secret. */
  readonly detail: string | null;
  readonly requestId: string | null;
  readonly sourceAddress: string | null;
}

/** Where something that looks like a secret was found. */
export type DetectionPlace = 'request' | 'answer' | 'output';

/** One recorded finding of the secret detection (relay-36): kind, position and response, never the value. */
export interface Detection {
  /** UUID version 7: a detection recorded twice is one. */
  readonly id: string;
  /** ISO 8601, UTC, milliseconds, `Z`. */
  readonly at: string;
  /** Of the call or the command in whose traffic it was. */
  readonly decisionId: string;
  readonly place: DetectionPlace;
  readonly kind: string;
  readonly rule: string;
  readonly confidence: 'high' | 'medium';
  /** What the policy in force had done about it. */
  readonly response: 'block' | 'mask' | 'alert';
  /** RFC 6901; null in what is no JSON. */
  readonly pointer: string | null;
  /** Offsets in what was looked into: bytes of a body, characters (UTF-16) of a stream's text. */
  readonly start: number;
  readonly end: number;
  /** Bytes of the decoded value. */
  readonly length: number;
  /** HMAC-SHA-256 of the decoded value under a key of the deployment, hexadecimal. */
  readonly digest: string;
  /** Number of findings in this entry: above 1 where one text had more than are recorded one by one. */
  readonly occurrences: number;
}

/** A revision of a policy. Its number alone does not identify it: in a database that was restored another may bear it. */
export interface Revision {
  readonly number: number;
  /** Seconds since 1970, as the database writes them. */
  readonly installedAt: string;
}
