import type { PolicyQuestion } from '@gateway/access';
import type { Permission, Refusal } from '@gateway/contract';
import type { Authorizer } from '../../policy/authorizer.ts';
import type { Accepted, Authorized, Resolved } from '../stations.ts';

/** The right without which no endpoint is called. */
export const CALL: Permission = 'inference:appeler';

/**
 * Rights by role and policy.
 * @param now milliseconds since the epoch, as the policy is told: its body may come long after a call began
 * @param deadline on the clock of `performance.now()`
 */
export function authorize(
  resolved: Resolved,
  accepted: Accepted,
  now: number,
  authorizer: Authorizer,
  deadline: number,
): Authorized | Refusal | Promise<Authorized | Refusal> {
  const verdict = authorizer(questionOf(resolved, accepted, now), resolved.facts.policy, deadline);
  return verdict instanceof Promise ? verdict.then((refused) => refused ?? { resolved }) : (verdict ?? { resolved });
}

function questionOf({ subject, facts, endpoint }: Resolved, accepted: Accepted, now: number): PolicyQuestion {
  const { head, method, sourceAddress, segment, rest } = accepted;
  return {
    subject,
    roles: facts.roles,
    permission: CALL,
    resource: { type: 'Endpoint', name: endpoint.name, model: endpoint.modelSlug, provider: endpoint.provider.slug },
    call: { session: head.session, method, path: `/${segment}${rest}`, sourceAddress, at: new Date(now) },
  };
}
