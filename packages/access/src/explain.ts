import { matrixGrants, type Role, roleOf } from '@gateway/contract';
import { authorize } from './authorize.ts';
import type { CompiledPolicySet } from './policy/compiled.ts';
import { evaluatePolicies } from './policy/evaluate.ts';
import type { Position } from './policy/position.ts';
import type { PolicyRequest } from './policy/request.ts';

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
