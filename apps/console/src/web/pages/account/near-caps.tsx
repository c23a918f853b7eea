import { legible } from '@gateway/contract/legible';
import { Anchor, Badge, Group, List, Progress, Stack, Text } from '@mantine/core';
import { Fragment } from 'react';
import { listPath } from '../../api/list.ts';
import type { BudgetAlert, SpendingCap, UsageSummary } from '../../api/objects.ts';
import { useRead } from '../../api/read.ts';
import { count } from '../../ui/numbers.ts';
import { amount } from '../../ui/prices.ts';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';

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
  const { data } = useRead<{ budgetAlerts: readonly BudgetAlert[] }>('/api/budget-alerts?limit=5');
  const month = new Date().toISOString().slice(0, 7);
  const alerts = data?.budgetAlerts.filter((alert) => alert.month.startsWith(month)) ?? [];
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
  const month = useRead<UsageSummary>(listPath('/api/usage/summary', { from, stretch: 'month' })).data;
  const last = useRead<UsageSummary>(
    listPath('/api/usage/summary', { from: monthStart(-1), until: from, stretch: 'month' }),
  ).data;
  if (month === undefined) return null;
  const { cost } = month.totals;
  const passed = (Date.now() - Date.parse(from)) / (Date.parse(until) - Date.parse(from));
  return (
    <>
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
  const { data } = useRead<{ spendingCaps: readonly SpendingCap[] }>('/api/spending-caps?limit=5');
  if (data === undefined) return null;
  const near = data.spendingCaps.filter(({ share }) => share !== null && share >= NEAR);
  return (
    <Section title="Near a cap" about="Accounts that have spent 80 % or more of this month's cap.">
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
