import { legible } from '@gateway/contract/legible';
import { Anchor, Badge, Group, List, Progress, Stack, Text } from '@mantine/core';
import { Fragment } from 'react';
import type { ChangeCall } from '../../api/change.tsx';
import { listPath, useChoices } from '../../api/list.ts';
import type { AccountKey, BudgetAlert, Plan, SpendingCap, UsageSummary, User } from '../../api/objects.ts';
import { useRead } from '../../api/request.ts';
import { AtOnce, Confirm } from '../../ui/confirm.tsx';
import { ReadFault } from '../../ui/fault.tsx';
import { amount, count } from '../../ui/numbers.ts';
import { InlineSelect } from '../../ui/parts.tsx';
import { Section, UnreadSection } from '../../ui/section.tsx';
import { stateOfKey, Time } from '../../ui/time.tsx';
import type { AccountAccess, Action, Cause } from './account.ts';

/** How many of those who spent most are named. */
const TOP = 5;
/** Part of a cap from which a person is near it. */
const NEAR = 0.8;

/** The people closest to the cap of the month, and the newest alerts. Only the shared pair reads them. */
export function NearCaps() {
  return (
    <>
      <Near />
      <NewestAlerts />
    </>
  );
}

/** The newest budget alerts of the month; nothing where there is none. */
function NewestAlerts() {
  const read = useRead<{ budgetAlerts: readonly BudgetAlert[] }>('/api/budget-alerts?limit=5');
  const { data, error, refetch } = read;
  if (data === undefined) return <UnreadSection title="Budget alerts" error={error} refetch={refetch} />;
  const month = new Date().toISOString().slice(0, 7);
  const alerts = data.budgetAlerts.filter((alert) => alert.month.startsWith(month));
  if (alerts.length === 0) return null;
  return (
    <Section
      title="Budget alerts"
      about="Accounts whose spending reached a threshold of their plan this month, the newest first."
      actions={
        <Anchor size="sm" href="#caps/alerts">
          All alerts
        </Anchor>
      }
    >
      <ReadFault of={[read]} />
      <List listStyleType="none" spacing="xs" size="sm">
        {alerts.map(({ id, at, subject, threshold, spent, cap }) => (
          <List.Item key={id}>
            <Group gap="sm" wrap="wrap">
              <Anchor size="sm" fw={500} w={160} href={`#users?${new URLSearchParams({ search: subject })}`}>
                {subject}
              </Anchor>
              <Badge color={threshold >= 100 ? 'red' : 'yellow'} variant="light" tt="none">
                {threshold} % of the cap
              </Badge>
              <Text size="sm" c="dimmed">
                {amount(spent)} of {amount(cap)}
              </Text>
              <Time at={at} />
            </Group>
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

/** The first moment of a month in UTC, so many months from the current one. */
function monthStart(from: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + from)).toISOString();
}

/** From this share of a month on, its spending so far says something about all of it. */
const ENOUGH = 0.1;

/** What the whole instance spent this month, what the month will cost at this rate, and what the last one cost. */
function Spent() {
  const [from, until] = [monthStart(0), monthStart(1)];
  const reads = [
    useRead<UsageSummary>(listPath('/api/usage/summary', { from, stretch: 'month' })),
    useRead<UsageSummary>(listPath('/api/usage/summary', { from: monthStart(-1), until: from, stretch: 'month' })),
  ] as const;
  const [month, last] = reads.map(({ data }) => data);
  const fault = <ReadFault of={reads} part="the spending of this month and the last" />;
  if (month === undefined) return fault;
  const { cost } = month.totals;
  const passed = (Date.now() - Date.parse(from)) / (Date.parse(until) - Date.parse(from));
  return (
    <>
      {fault}
      <Text size="sm">
        <Anchor href="#caps" inherit underline="always">
          {amount(cost)}
        </Anchor>{' '}
        was spent this month.
        {cost > 0 && passed >= ENOUGH && ` At this rate the month costs ${amount(cost / passed)}.`}
        {last !== undefined && ` Last month cost ${amount(last.totals.cost)}.`}
      </Text>
      {month.subjects.length > 0 && (
        <Text size="sm">
          Most was spent by{' '}
          {month.subjects.slice(0, TOP).map(({ name, cost: own }, index) => (
            <Fragment key={name}>
              {index > 0 && ', '}
              <Anchor href={`#usage?${new URLSearchParams({ subject: name })}`} inherit underline="always">
                {legible(name)}
              </Anchor>{' '}
              ({amount(own)})
            </Fragment>
          ))}
          .
        </Text>
      )}
    </>
  );
}

function Near() {
  const read = useRead<{ spendingCaps: readonly SpendingCap[] }>('/api/spending-caps?limit=5');
  const { data, error, refetch } = read;
  if (data === undefined) return <UnreadSection title="Spending" error={error} refetch={refetch} />;
  const near = data.spendingCaps.filter(({ share }) => share !== null && share >= NEAR);
  return (
    <Section title="Spending" about="This month (UTC), and the accounts that have spent 80 % or more of their cap.">
      <ReadFault of={[read]} />
      <Spent />
      {near.length === 0 ? (
        <Text size="sm">
          Nobody is near a cap.{' '}
          <Anchor href="#caps" inherit underline="always">
            All caps
          </Anchor>
        </Text>
      ) : (
        <Stack gap="xs">
          {near.map(({ id, username, share, spent, monthlyCap }) => (
            <Group key={id} gap="sm" wrap="wrap">
              <Anchor size="sm" fw={500} w={160} href={`#users?${new URLSearchParams({ search: username })}`}>
                {username}
              </Anchor>
              <Progress
                value={Math.min(share ?? 0, 1) * 100}
                color={(share ?? 0) >= 1 ? 'red' : 'yellow'}
                w={160}
                aria-label={`${username} has spent ${count(Math.floor((share ?? 0) * 100))} % of the cap`}
              />
              <Text size="sm" c="dimmed">
                {amount(spent)} of {amount(monthlyCap ?? 0)}
              </Text>
            </Group>
          ))}
        </Stack>
      )}
    </Section>
  );
}

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

function enabling(user: User, enabled: boolean): ChangeCall {
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

function withPlan(user: User, plan: string | null): ChangeCall {
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

interface AttachedPlan {
  readonly name: string;
  readonly monthlyCap: number | null;
  readonly spent: number;
}

/** The plan of the signed-in person, with the share of the cap that is used. */
export function OwnPlan({ plan }: { plan: unknown }) {
  if (plan === null || plan === undefined)
    return (
      <Section title="My plan">
        <Text size="sm">
          No plan is attached to your account: calls are refused until an administrator attaches one.
        </Text>
      </Section>
    );
  const { name, monthlyCap, spent } = plan as AttachedPlan;
  const share = monthlyCap === null ? null : monthlyCap === 0 ? 100 : Math.min(100, (spent / monthlyCap) * 100);
  return (
    <Section title="My plan" about="Spent in this month (UTC).">
      <Stack gap={6} maw={420}>
        <Text size="sm">
          {name}: {amount(spent)} {monthlyCap === null ? 'spent, without a cap' : `of ${amount(monthlyCap)}`}
        </Text>
        {share !== null && (
          <Progress
            value={share}
            color={share >= 100 ? 'red' : share >= 80 ? 'yellow' : 'indigo'}
            aria-label={`${Math.round(share)} % of the cap`}
          />
        )}
        {share === 100 && <Text size="sm">The cap is reached: calls are refused until the next month begins.</Text>}
      </Stack>
    </Section>
  );
}
