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
