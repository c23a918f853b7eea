import { roleLabel, scopedRoleLabel } from '@gateway/contract/labels';
import type { Change } from '../../api/change.ts';
import type { User } from '../../api/objects.ts';
import { liftOf, revocationOf } from '../rights/revocation.ts';

/** An action on several people. */
export type Action =
  | { readonly kind: 'enable' | 'disable' }
  | { readonly kind: 'revoke'; readonly reason: string }
  | { readonly kind: 'grant'; readonly role: string }
  | { readonly kind: 'plan'; readonly plan: string; readonly name: string };

/** The change of one of them, and its undo. The answer to a change may name what there is to undo. */
export interface Step {
  readonly user: User;
  readonly now: string;
  readonly next: string;
  readonly change: Change;
  readonly undo: (answer: { readonly id: string }) => Change;
}

export interface Preview {
  readonly steps: readonly Step[];
  /** People who are not affected, and why. */
  readonly unchanged: readonly { readonly user: User; readonly why: string }[];
}

const patch = (user: User, body: object): Change => ({ method: 'PATCH', path: `/api/users/${user.id}`, body });
const stateOf = ({ enabled }: User): string => (enabled ? 'enabled' : 'disabled');

function stepOf(user: User, action: Action, planName: (id: string | null) => string): Step | string {
  switch (action.kind) {
    case 'enable':
    case 'disable': {
      const enabled = action.kind === 'enable';
      if (user.enabled === enabled) return `is ${stateOf(user)} already`;
      const next = stateOf({ ...user, enabled });
      return {
        user,
        now: stateOf(user),
        next,
        change: patch(user, { enabled }),
        undo: () => patch(user, { enabled: !enabled }),
      };
    }
    case 'revoke': {
      if (user.revoked) return 'is revoked already';
      const { username: subject } = user;
      const lift = ({ id }: { id: string }) => liftOf({ id, subject, reason: 'undone at once' });
      return {
        user,
        now: 'not revoked',
        next: 'revoked',
        change: revocationOf({ subject, reason: action.reason }),
        undo: lift,
      };
    }
    case 'grant': {
      const { role } = action;
      if (user.roles.some((held) => held.role === role)) return `has the role ${roleLabel(role)} already`;
      const now = user.roles.map(scopedRoleLabel).join(', ') || 'no role';
      const next = [...user.roles.map(scopedRoleLabel), roleLabel(role)].join(', ');
      const change = { method: 'POST', path: '/api/role-assignments', body: { subject: user.username, role } } as const;
      return { user, now, next, change, undo: ({ id }) => ({ method: 'DELETE', path: `/api/role-assignments/${id}` }) };
    }
    default: {
      if (user.plan === action.plan) return `has the plan ${action.name} already`;
      const undo = () => patch(user, { plan: user.plan });
      return { user, now: planName(user.plan), next: action.name, change: patch(user, { plan: action.plan }), undo };
    }
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
