import type { Revision } from '@gateway/database';
import type { OrganizationPolicyRevision } from '@gateway/database/gateway';
import { createScanner, type ResponsePolicy, responsePolicyOf, type Scanner } from '@gateway/secrets';
import { keepRevisions } from '../process/revisions.ts';

/** What a policy of the organization imposes on calls: its response to secrets, the scanner that applies it, and the providers. */
export interface Inspector {
  /** Slugs of the providers that may be called; null: all. */
  readonly providers: readonly string[] | null;
  readonly responsePolicy: ResponsePolicy;
  readonly scanner: Scanner;
}

/** Whether its output may differ from its input. */
export function mayMask({ responsePolicy }: Inspector): boolean {
  return responsePolicy.high === 'mask' || responsePolicy.medium === 'mask';
}

/**
 * The inspector of the policy revision in force; null: no policy, or no organization. Rejects where the policy cannot be read.
 * @param deadline on the clock of `performance.now()`.
 */
export type Inspectors = (revision: Revision | null, deadline: number) => Inspector | Promise<Inspector>;

interface Known extends Omit<OrganizationPolicyRevision, 'policy'> {
  readonly inspector: Inspector;
}

/**
 * Creates the inspector of each revision once. Outside the policy's validity, the defaults apply (relay-33).
 * @param key of the digests in findings.
 */
export function createInspectors(
  read: (revision: Revision, deadline: number) => Promise<OrganizationPolicyRevision>,
  key: Uint8Array,
  clock: () => number,
): Inspectors {
  const inspectorOf = (responsePolicy: ResponsePolicy, providers: readonly string[] | null): Inspector => ({
    providers,
    responsePolicy,
    scanner: createScanner({ ...responsePolicy, key }),
  });
  const byDefault = inspectorOf(responsePolicyOf(null), null);

  const inForce = ({ inspector, validFrom, validUntil }: Known): Inspector => {
    const now = clock();
    const holds = (validFrom === null || +validFrom <= now) && (validUntil === null || now < +validUntil);
    return holds ? inspector : byDefault;
  };

  const revisions = keepRevisions(async (revision, deadline): Promise<Known> => {
    const { policy, validFrom, validUntil } = await read(revision, deadline);
    const inspector = inspectorOf(responsePolicyOf(policy.secrets), policy.models?.providers ?? null);
    return { inspector, validFrom, validUntil };
  });

  return (revision, deadline) => {
    if (revision === null) return byDefault;
    const known = revisions(revision, deadline);
    return known instanceof Promise ? known.then(inForce) : inForce(known);
  };
}
