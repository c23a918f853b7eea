import { matrixGrants, type Refusal, refusal, roleOf } from '@gateway/contract';
import type { Right } from './route.ts';
import type { Caller } from './sign-in/caller.ts';

/**
 * Whether the fixed role matrix opens a route to a caller: null, or the refusal, which names what is missing
 * (specification, Authentication 7). A project's administrator has the right in that project only.
 */
export function refusalOfMatrix(caller: Caller, right: Right, project: string | undefined): Refusal | null {
  if (caller.kind === 'shared-pair') return null;
  if (right === 'shared-pair') return refusal('shared-pair-only');
  const here = caller.roles.filter((held) => right.inProject !== true || held.project === project);
  if (
    matrixGrants(
      here.map(({ role }) => role),
      right.permission,
    )
  ) {
    return null;
  }
  return refusal('permission-missing', { details: { permission: right.permission, role: roleOf(right.permission) } });
}
