import { authorize, type CompiledPolicySet, type PolicyResource, resourceTypeOf } from '@gateway/access';
import { type Permission, type Refusal, type RefusalCode, refusal, roleOf } from '@gateway/contract';
import type { Caller, Subject } from './caller.ts';
import type { Right } from './route.ts';

/** Whether a caller may, and what the decision log records of it. */
export type RouteDecision =
  | { readonly granted: true }
  | {
      readonly granted: false;
      /** What the caller sees. */
      readonly refused: Refusal;
      readonly reason: RefusalCode;
      /** The policy that refused; for auditors alone. */
      readonly detail: string | null;
    };

/** The request as an authorization policy may look at it. */
export interface Circumstances {
  readonly method: string;
  readonly path: string;
  readonly sourceAddress: string | null;
  readonly at: Date;
}

/** The resources of a right: the project of the address, else each project the caller administers, or the instance. */
function resourcesOf(caller: Subject, permission: Permission, project: string | undefined): PolicyResource[] {
  if (resourceTypeOf(permission) !== 'Project') return [{ type: 'Instance' }];
  const names = project === undefined ? caller.roles.flatMap((held) => held.project ?? []) : [project];
  return names.map((name) => ({ type: 'Project', name }));
}

/**
 * Whether a route opens: the fixed matrix first, then the policy in force, which can only take away (roles-16).
 * The shared pair opens everything. A project's administrator has the right in that project only.
 */
export function decideOn(
  caller: Caller,
  right: Right,
  project: string | undefined,
  circumstances: Circumstances,
  policies: CompiledPolicySet | null,
): RouteDecision {
  if (caller.kind === 'shared-pair' || right === 'signed-in') return { granted: true };
  if (right === 'shared-pair') {
    return { granted: false, refused: refusal('shared-pair-only'), reason: 'shared-pair-only', detail: null };
  }
  const { permission } = right;
  let reason: RefusalCode = 'role-missing';
  let detail: string | null = null;
  for (const resource of resourcesOf(caller, permission, project)) {
    const decision = authorize(
      {
        subject: caller.subject,
        roles: caller.roles
          .filter((held) => resource.type !== 'Project' || held.project === resource.name)
          .map(({ role }) => role),
        permission,
        resource,
        call: { session: null, ...circumstances },
      },
      policies,
    );
    if (decision.granted) return decision;
    ({ reason, detail } = decision);
  }
  // A policy's refusal reads like a missing role (refusals-11): the caller learns nothing about the policy.
  const refused = refusal('permission-missing', { details: { permission, role: roleOf(permission) } });
  return { granted: false, refused, reason, detail };
}
