import { matrixGrants, type Role, roleOf } from '@gateway/contract';
import { authorize } from './authorize.ts';
import type { CompiledPolicySet } from './policy/compiled.ts';
import { evaluatePolicies } from './policy/evaluate.ts';
import type { Position } from './policy/position.ts';
import type { PolicyQuestion } from './policy/question.ts';

/** The decision of one policy of a set on a question. */
export interface PolicyWord extends Position {
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
  readonly policies: readonly PolicyWord[];
}

/** Evaluates every policy separately, even where the matrix refuses, so that all causes are found at once. */
export function explain(question: PolicyQuestion, set: CompiledPolicySet | null): Explanation {
  const verdict = authorize(question, set);
  const policies = (set?.policies ?? []).map((policy): PolicyWord => {
    const alone = evaluatePolicies({ policies: [policy] }, question);
    return {
      policy: policy.name,
      ...policy.position,
      says: alone.kind === 'silent' ? 'nothing' : alone.kind,
      message: alone.kind === 'error' ? alone.message : null,
    };
  });
  return {
    granted: verdict.granted,
    reason: verdict.granted ? 'role' : verdict.reason,
    role: roleOf(question.permission),
    held: matrixGrants(question.roles, question.permission),
    policies,
  };
}
