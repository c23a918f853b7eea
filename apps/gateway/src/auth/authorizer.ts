import {
  type Authorization,
  authorize,
  type CompiledPolicySet,
  compilePolicySet,
  type PolicyRequest,
} from '@gateway/access';
import type { Revision } from '@gateway/contract';
import { type Refusal, refusal } from '@gateway/contract';
import { keepRevisions } from '../process/revisions.ts';

/**
 * Decides whether a subject may do something: null, or a refusal.
 * @param revision of the policy in force, from the call's facts; null: none
 * @param deadline on the clock of `performance.now()`
 */
export type Authorizer = (
  query: PolicyRequest,
  revision: Revision | null,
  deadline: number,
) => Refusal | null | Promise<Refusal | null>;

/**
 * The role matrix, then the installed policy, which can only remove rights (roles-16). Without a policy in force nothing is
 * evaluated; one that cannot be read or compiled leaves the call undecided.
 */
export function createAuthorizer(policies: Policies): Authorizer {
  return (query, revision, deadline) => {
    const byMatrix = refusalOf(authorize(query, null));
    if (revision === null || byMatrix !== null) return byMatrix;
    const set = policies(revision, deadline);
    if (!(set instanceof Promise)) return refusalOf(authorize(query, set));
    return set.then(
      (loaded) => refusalOf(authorize(query, loaded)),
      (error: unknown) => refusal('undecided', { details: { detail: `policy ${revision.number}: ${String(error)}` } }),
    );
  };
}

function refusalOf(authorization: Authorization): Refusal | null {
  if (authorization.granted) return null;
  const { reason, detail } = authorization;
  return refusal(reason, detail === null ? {} : { details: { detail } });
}

/** The policy set of a revision, compiled. Rejects where it cannot be read or may not be in force: then nothing is decided. */
type Policies = (revision: Revision, deadline: number) => CompiledPolicySet | Promise<CompiledPolicySet>;

/**
 * Compiles each revision once and caches only the compiled form (roles-18).
 * @param read the text of a revision; the deadline is on the clock of `performance.now()`
 */
export function createPolicies(read: (revision: Revision, deadline: number) => Promise<string>): Policies {
  return keepRevisions(async (revision, deadline) => compilePolicySet(await read(revision, deadline)));
}
