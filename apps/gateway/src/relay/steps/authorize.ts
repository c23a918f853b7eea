import { matrixGrants, type Permission, type Refusal, refusal } from '@gateway/contract';
import type { Accepted, Authorized, Resolved } from '../stations.ts';

/** The right without which no endpoint is called. */
export const CALL: Permission = 'inference:appeler';

/** Narrows the matrix by the authorization policy in force, which is read anew at every call. */
export type PolicyCheck = (resolved: Resolved, accepted: Accepted) => Refusal | null | Promise<Refusal | null>;

/**
 * The role matrix, then the installed policy, which can only take away (specification, Roles rule 4).
 * @param policy asked only where a policy is in force; without one that could answer, nothing is decided.
 */
export function authorize(
  resolved: Resolved,
  accepted: Accepted,
  policy: PolicyCheck | null,
): Authorized | Refusal | Promise<Authorized | Refusal> {
  if (!matrixGrants(resolved.facts.roles, CALL)) return refusal('role-missing');
  if (resolved.facts.policyRevision === null) return { resolved };
  if (policy === null) return refusal('undecided');
  const verdict = policy(resolved, accepted);
  return verdict instanceof Promise ? verdict.then((refused) => refused ?? { resolved }) : (verdict ?? { resolved });
}
