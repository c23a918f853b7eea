import { createHash, randomBytes } from 'node:crypto';
import { matrixGrants, type Role, roleOf } from '@gateway/contract';
import type { CompiledPolicySet } from './policy/check.ts';
import { evaluatePolicies } from './policy/evaluate.ts';
import type { Position } from './policy/parse.ts';
import type { PolicyRequest } from './policy/request.ts';

/** A decision on a right. `detail` names the policy that refused, for the decision log; it never reaches the caller. */
export type Authorization =
  | { readonly granted: true }
  | { readonly granted: false; readonly reason: 'role-missing'; readonly detail: null }
  | { readonly granted: false; readonly reason: 'policy-forbids' | 'policy-error'; readonly detail: string };

/**
 * The matrix first, then the policy in force, which can only remove rights (roles-16).
 * @param policies null where no policy is installed: the engine is then not called
 */
export function authorize(request: PolicyRequest, policies: CompiledPolicySet | null): Authorization {
  if (!matrixGrants(request.roles, request.permission)) return { granted: false, reason: 'role-missing', detail: null };
  if (policies === null) return { granted: true };
  const decision = evaluatePolicies(policies, request);
  if (decision.kind === 'silent') return { granted: true };
  return decision.kind === 'forbids'
    ? { granted: false, reason: 'policy-forbids', detail: decision.policies.join(', ') }
    : { granted: false, reason: 'policy-error', detail: decision.message };
}

/** The decision of one policy of a set on a request. */
export interface PolicyDecision extends Position {
  readonly policy: string;
  readonly says: 'nothing' | 'forbids' | 'error';
  /** Why it could not be evaluated. */
  readonly message: string | null;
}

/** Why a subject may or may not do something, for an operator who plans a change. */
export interface Explanation {
  readonly granted: boolean;
  readonly reason: 'role' | 'role-missing' | 'policy-forbids' | 'policy-error';
  /** The one role with the permission, and whether the subject has it. */
  readonly role: Role;
  readonly held: boolean;
  readonly policies: readonly PolicyDecision[];
}

/** Evaluates every policy separately, even where the matrix refuses, so that all causes are found at once. */
export function explain(request: PolicyRequest, set: CompiledPolicySet | null): Explanation {
  const decision = authorize(request, set);
  const policies = (set ?? []).map((policy): PolicyDecision => {
    const alone = evaluatePolicies([policy], request);
    return {
      policy: policy.name,
      ...policy.position,
      says: alone.kind === 'silent' ? 'nothing' : alone.kind,
      message: alone.kind === 'error' ? alone.message : null,
    };
  });
  return {
    granted: decision.granted,
    reason: decision.granted ? 'role' : decision.reason,
    role: roleOf(request.permission),
    held: matrixGrants(request.roles, request.permission),
    policies,
  };
}

/** The stored form of a key, used for the lookup: SHA-256 (roles-2). */
export function digestOfAccountKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** A new key and its stored form: the key itself is shown once and stored nowhere (roles-2). */
export function newAccountKey(): { readonly key: string; readonly digest: Buffer; readonly lastFour: string } {
  const key = `gwk_${randomBytes(24).toString('hex')}`;
  return { key, digest: digestOfAccountKey(key), lastFour: key.slice(-4) };
}
