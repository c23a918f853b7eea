import { type Authorization, authorize, type PolicyRequest } from '@gateway/access';
import { type Refusal, refusal } from '@gateway/contract';
import type { Revision } from '@gateway/database';
import type { Policies } from './policies.ts';

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
