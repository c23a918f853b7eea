import { roleLabel, scopedRoleLabel } from '@gateway/contract/labels';
import type { User } from '../../api/objects.ts';
import type { Batch } from '../../api/several.ts';

/** An action on several people. */
export type Action =
  | { readonly kind: 'enable' | 'disable' }
  | { readonly kind: 'revoke'; readonly reason: string }
  | { readonly kind: 'grant'; readonly role: string }
  | { readonly kind: 'plan'; readonly plan: string; readonly name: string };

/** What the change makes of one person. */
export interface Step {
  readonly user: User;
  readonly now: string;
  readonly next: string;
}

/** Requests that change many people at once, and those that undo it. */
export interface Requests {
  readonly make: Batch<User>;
  readonly undo: Batch<User>;
}

export interface Preview {
  readonly steps: readonly Step[];
  /** People who are not affected, and why. */
  readonly unchanged: readonly { readonly user: User; readonly why: string }[];
}

const stateOf = ({ enabled }: User): string => (enabled ? 'enabled' : 'disabled');

function stepOf(user: User, action: Action, planName: (id: string | null) => string): Step | string {
  switch (action.kind) {
    case 'enable':
    case 'disable': {
      const enabled = action.kind === 'enable';
      if (user.enabled === enabled) return `is ${stateOf(user)} already`;
      return { user, now: stateOf(user), next: stateOf({ ...user, enabled }) };
    }
    case 'revoke':
      return user.revoked ? 'is revoked already' : { user, now: 'not revoked', next: 'revoked' };
    case 'grant': {
      const { role } = action;
      if (user.roles.some((held) => held.role === role)) return `has the role ${roleLabel(role)} already`;
      const now = user.roles.map(scopedRoleLabel).join(', ') || 'no role';
      return { user, now, next: [...user.roles.map(scopedRoleLabel), roleLabel(role)].join(', ') };
    }
    default:
      return user.plan === action.plan
        ? `has the plan ${action.name} already`
        : { user, now: planName(user.plan), next: action.name };
  }
}

/** Changes of accounts. @param changed what each of them becomes */
const changesOf = (changed: (user: User) => object): Batch<User> => ({
  path: '/api/users/changes',
  body: (users) => ({ changes: users.map((user) => ({ id: user.id, ...changed(user) })) }),
});

const subjectsOf = (users: readonly User[]): readonly string[] => users.map(({ username }) => username);

/** The requests of an action. The undo gives each person what the list showed before. */
export function requestsOf(action: Action): Requests {
  switch (action.kind) {
    case 'enable':
    case 'disable':
      return {
        make: changesOf(() => ({ enabled: action.kind === 'enable' })),
        undo: changesOf(({ enabled }) => ({ enabled })),
      };
    case 'revoke':
      return {
        make: {
          path: '/api/subject-revocations/batch',
          body: (users) => ({ subjects: subjectsOf(users), reason: action.reason }),
        },
        undo: {
          path: '/api/subject-revocations/batch-lift',
          body: (users) => ({ subjects: subjectsOf(users), reason: 'undone at once' }),
        },
      };
    case 'grant':
      return {
        make: {
          path: '/api/role-assignments/batch',
          body: (users) => ({ role: action.role, subjects: subjectsOf(users) }),
        },
        undo: {
          path: '/api/role-assignments/batch-removal',
          body: (users) => ({ role: action.role, subjects: subjectsOf(users) }),
        },
      };
    default:
      return { make: changesOf(() => ({ plan: action.plan })), undo: changesOf(({ plan }) => ({ plan })) };
  }
}

/** What an action does to each of these people. @param planName of a plan's id; null is no plan */
export function previewOf(users: readonly User[], action: Action, planName: (id: string | null) => string): Preview {
  const found = users.map((user) => ({ user, step: stepOf(user, action, planName) }));
  return {
    steps: found.flatMap(({ step }) => (typeof step === 'string' ? [] : [step])),
    unchanged: found.flatMap(({ user, step }) => (typeof step === 'string' ? [{ user, why: step }] : [])),
  };
}
