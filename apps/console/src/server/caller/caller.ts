import { type Role, SHARED_PAIR_AUTHOR } from '@gateway/contract';
import type { Revision } from '@gateway/database';

/** A role assignment: a project role names its project (roles-13). */
export interface HeldRole {
  readonly role: Role;
  readonly project: string | null;
}

/** The shared pair of the hosted profile: it opens everything, names no subject and carries no role (console-5). */
export interface SharedPair {
  readonly kind: 'shared-pair';
}

/** An identified subject, with the rights read for this request. */
export interface Subject {
  readonly kind: 'subject';
  readonly subject: string;
  readonly credential: 'key' | 'token';
  readonly keyId: string | null;
  readonly roles: readonly HeldRole[];
  /** The authorization policy in force; null where none narrows the matrix. */
  readonly policy: Revision | null;
}

export type Caller = SharedPair | Subject;

export function authorOf(caller: Caller): string {
  return caller.kind === 'shared-pair' ? SHARED_PAIR_AUTHOR : caller.subject;
}
