import { type Refusal, refusal } from '@gateway/contract';
import type { RelayFacts } from '@gateway/domain/call/facts';
import type { Identified } from '../../auth/identify.ts';
import type { FactsPort } from '../../auth/ports.ts';
import { resolveSubject } from '../../auth/subject.ts';
import type { Resolved } from './types.ts';

/**
 * Resolves the caller, then the endpoint: in this order, so that a revoked subject cannot probe endpoints (refusals-6).
 * @param segment first path segment, as written.
 */
export function resolve(identified: Identified, facts: RelayFacts, segment: string): Resolved | Refusal {
  const resolved = resolveSubject(identified, facts);
  if ('code' in resolved) return resolved;
  const { endpoint } = facts;
  if (endpoint === null) return refusal('endpoint-unknown', { details: { name: segment } });
  if (!endpoint.active) return refusal('endpoint-disabled', { details: { name: segment } });
  return { identified, facts, subject: resolved.subject, endpoint };
}

/** The same call to the endpoint's standby. Null where it has none any more. */
export function withStandby(resolved: Resolved): Resolved | null {
  const { endpoint } = resolved;
  const { standby } = endpoint;
  return standby === null ? null : { ...resolved, endpoint: { ...endpoint, ...standby, standby: null } };
}

/** Adds the names of the active endpoints to the refusal of an unknown one. @param deadline on the clock of `performance.now()` */
export async function withAvailable(refused: Refusal, facts: FactsPort, deadline: number): Promise<Refusal> {
  try {
    return { ...refused, members: { available: await facts.activeEndpointNames(deadline) } };
  } catch {
    return refusal('undecided');
  }
}
