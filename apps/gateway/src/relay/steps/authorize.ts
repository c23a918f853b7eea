import type { PolicyRequest } from '@gateway/access';
import { type Permission, type Refusal, refusal } from '@gateway/contract';
import { isPathAllowed } from '@gateway/domain/endpoint/paths';
import type { Authorizer } from '../../auth/authorizer.ts';
import type { Inspector } from '../../inspection/inspectors.ts';
import type { Accepted, Authorized, Resolved } from './types.ts';

/** The right without which no endpoint is called. */
export const CALL: Permission = 'inference:appeler';

/**
 * Rights by role and policy, then the paths that the endpoint declares.
 * @param now milliseconds since the epoch, as passed to the policy: a body may arrive long after a call began
 * @param deadline on the clock of `performance.now()`
 */
export function authorize(
  resolved: Resolved,
  accepted: Accepted,
  now: number,
  authorizer: Authorizer,
  deadline: number,
): Authorized | Refusal | Promise<Authorized | Refusal> {
  const decided = authorizer(policyRequestOf(resolved, accepted, now), resolved.facts.policy, deadline);
  const after = (refused: Refusal | null): Authorized | Refusal =>
    refused ?? checkPath(resolved, accepted.rest) ?? { resolved };
  return decided instanceof Promise ? decided.then(after) : after(decided);
}

/** The providers of the organization's policy: an endpoint of another one reads like a role that is missing. */
export function checkProvider(
  authorized: Authorized,
  { providers }: Pick<Inspector, 'providers'>,
): Authorized | Refusal {
  const { provider } = authorized.resolved.endpoint;
  if (providers === null || providers.includes(provider.slug)) return authorized;
  return refusal('provider-excluded', {
    details: { detail: `provider ${provider.slug}: the organization's policy does not list it in models.providers` },
  });
}

/** A path that the endpoint does not declare reads like a policy that forbids it. */
function checkPath({ endpoint }: Resolved, rest: string): Refusal | null {
  if (isPathAllowed(endpoint.paths, rest)) return null;
  return refusal('policy-forbids', {
    details: { detail: `endpoint ${endpoint.name}: the path is not among its paths` },
  });
}

function policyRequestOf({ subject, facts, endpoint }: Resolved, accepted: Accepted, now: number): PolicyRequest {
  const { head, method, sourceAddress, segment, rest } = accepted;
  return {
    subject,
    roles: facts.roles,
    permission: CALL,
    resource: { type: 'Endpoint', name: endpoint.name, model: endpoint.modelSlug, provider: endpoint.provider.slug },
    call: { session: head.session, method, path: `/${segment}${rest}`, sourceAddress, at: new Date(now) },
  };
}
