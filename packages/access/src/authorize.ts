import { matrixGrants } from '@gateway/contract';
import type { CompiledPolicySet } from './policy/compiled.ts';
import { evaluatePolicies } from './policy/evaluate.ts';
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
