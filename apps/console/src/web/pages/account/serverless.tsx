import type { Change } from '../../api/change.ts';
import { listPath, useChoices } from '../../api/list.ts';
import type { AccountKey, Plan, SpendingCap, User } from '../../api/objects.ts';
import { useRead } from '../../api/read.ts';
import { AtOnce } from '../../ui/at-once.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { InlineSelect } from '../../ui/inline-controls.tsx';
import { stateOfKey } from '../../ui/lifetime.tsx';
import { amount } from '../../ui/prices.ts';
import type { AccountAccess, Action, Cause } from './account.ts';

export { NearCaps } from './near-caps.tsx';
export { OwnPlan } from './own-plan.tsx';

/** What an account that was enabled may do now: the sentence must not promise what something else refuses. */
function afterEnabling({ username, revoked, plan, roles }: User): string {
  const others = [
    revoked ? 'it is revoked' : '',
    plan === null ? 'it has no plan' : '',
    roles.some(({ role }) => role === 'utilisateur-standard') ? '' : 'no role lets it call endpoints',
  ].filter((part) => part !== '');
  return others.length === 0
    ? `${username} may call again.`
    : `The account of ${username} is enabled. Its calls are still refused: ${others.join(', ')}.`;
}

function enabling(user: User, enabled: boolean): Change {
  const path = `/api/users/${user.id}`;
  const back = { method: 'PATCH', path, body: { enabled: !enabled } } as const;
  return {
    method: 'PATCH',
    path,
    body: { enabled },
    done: enabled ? afterEnabling : `The account of ${user.username} is disabled from the next call on.`,
    undo: { ...back, done: `The account of ${user.username} is ${enabled ? 'disabled' : 'enabled'} again.` },
  };
}

function withPlan(user: User, plan: string | null): Change {
  const path = `/api/users/${user.id}`;
  return {
    method: 'PATCH',
    path,
    body: { plan },
    done: plan === null ? `${user.username} has no plan: its calls are refused.` : `Plan of ${user.username} changed.`,
    undo: { method: 'PATCH', path, body: { plan: user.plan }, done: `${user.username} has its previous plan again.` },
  };
}

/** A person's account, plan, cap and keys in the hosted build. Only the shared pair changes them. */
export function useAccount(subject: string): AccountAccess {
  const read = useRead<{ users: readonly User[] }>(listPath('/api/users', { username: subject }));
  const user = read.data?.users[0];
  const plans = useChoices<Plan>('/api/plans', 'plans');
  const isPair = plans.query.data !== undefined; // also after one that failed: what it showed stays
  const keys = useRead<{ keys: readonly AccountKey[] }>(
    user === undefined || !isPair ? null : `/api/users/${user.id}/keys?limit=500`,
  );
  const caps = useRead<{ spendingCaps: readonly SpendingCap[] }>(
    user === undefined || !isPair ? null : listPath('/api/spending-caps', { search: subject, limit: '500' }),
  );
  const spent = caps.data?.spendingCaps.find(({ username }) => username === subject);
  // Only the shared pair reads plans: for others, a refusal is no fault.
  const isAsked = { ...plans.query, error: null, isLoadingError: false };
  const reads = [read, isAsked, keys, caps];
  if (user === undefined) return { reads, causes: [], actions: [] };
  const choice = (
    <InlineSelect
      aria-label={`Plan of ${subject} in this dialog`}
      w={200}
      placeholder="Choose a plan"
      choices={plans.rows.map(({ id, name }) => ({ value: id, label: name }))}
      value={user.plan}
      change={(plan) => withPlan(user, plan)}
    />
  );
  const causes: Cause[] = [];
  if (!user.enabled) {
    const fix = isPair && <AtOnce label="Enable" change={() => enabling(user, true)} />;
    causes.push({ name: 'disabled', text: 'The account is disabled.', fix });
  }
  if (user.plan === null) causes.push({ name: 'plan', text: 'The account has no plan.', fix: isPair && choice });
  if (spent !== undefined && spent.share !== null && spent.share >= 1) {
    const text = `The cap of this month is reached: ${amount(spent.spent)} of ${amount(spent.monthlyCap ?? 0)}. It ends with the month, or with a plan of a higher cap.`;
    causes.push({ name: 'cap', text, fix: user.plan !== null && choice });
  }
  if (user.origin === 'local' && keys.data?.keys.every((key) => stateOfKey(key) !== 'in force') === true) {
    causes.push({
      name: 'keys',
      text: 'No key of the account is in force. Issue one under Keys in the list of users.',
    });
  }
  return { reads, causes, actions: isPair ? actionsOf(user) : [] };
}

function actionsOf(user: User): readonly Action[] {
  const { username } = user;
  const able: Action = user.enabled
    ? {
        id: 'account',
        name: 'Disable the account',
        about:
          "Refuses the account's keys and sign-ins from the next call on. Keys, roles and plan stay. Undo: enable it again.",
        button: <AtOnce label="Disable" change={() => enabling(user, false)} />,
      }
    : {
        id: 'account',
        name: 'Enable the account',
        about: 'Its keys and sign-ins are accepted again. Other reasons for refusal stay.',
        button: <AtOnce label="Enable" change={() => enabling(user, true)} />,
      };
  const plan: Action = {
    id: 'plan',
    name: 'Remove the plan',
    about: 'Refuses calls to endpoints; the console stays open to its roles. Undo: choose a plan again.',
    button: (
      <Confirm
        size="xs"
        variant="default"
        color="red.9"
        label="Remove the plan"
        title={`Remove the plan of ${username}`}
        consequence="Without a plan, every call to an endpoint is refused from the next one on."
        change={() => withPlan(user, null)}
      />
    ),
  };
  const remove: Action = {
    id: 'delete',
    name: 'Delete the account',
    about:
      'Deletes the account with its keys, roles and memberships. Usage and decisions stay in the logs. This cannot be undone.',
    button: (
      <Confirm
        size="xs"
        variant="default"
        color="red.9"
        label="Delete"
        title={`Delete user ${username}`}
        consequence="The account, its keys, its roles and its place in projects are deleted. What it used and did stays in the logs. To stop it for a while only, disable it."
        change={() => ({ method: 'DELETE', path: `/api/users/${user.id}`, done: `User ${username} deleted.` })}
      />
    ),
  };
  return [able, ...(user.plan === null ? [] : [plan]), remove];
}
