import { Anchor, Group, Progress, Text } from '@mantine/core';
import { useList } from '../api/list.ts';
import type { BudgetAlert, SpendingCap } from '../api/objects.ts';
import { DataTable } from '../ui/data-table.tsx';
import { ClampedLink } from '../ui/named.tsx';
import { amount, count, euros } from '../ui/numbers.ts';
import { Parts } from '../ui/parts.tsx';
import { ExportLinks, useSearch } from '../ui/search-field.tsx';
import { Section } from '../ui/section.tsx';
import { Time } from '../ui/time.tsx';

/** Whose spending reached a threshold of their plan, the newest first (console-25). */
function BudgetAlerts() {
  const { search, field } = useSearch('Search accounts');
  const filters = { search };
  const alerts = useList<BudgetAlert>('/api/budget-alerts', 'budgetAlerts', filters, '');
  return (
    <Section
      title="Budget alerts"
      about="A plan alerts at its thresholds, in percent of its cap, once a month for each account. Each alert is also an entry of the administration log, and so an event of the log export."
      actions={
        <>
          {field}
          <ExportLinks path="/api/budget-alerts" filters={filters} size="sm" />
        </>
      }
      reading={alerts.query}
    >
      <DataTable
        label="Budget alerts"
        list={alerts}
        usual="-at"
        rowKey={({ id }) => id}
        empty={
          search === '' ? (
            <>
              <Text fw={600}>No alert yet</Text>
              <Text size="sm" c="dimmed">
                Set the thresholds of a plan under <Anchor href="#plans">Plans</Anchor>. An alert appears here within a
                minute after spending reaches one.
              </Text>
            </>
          ) : (
            <Text size="sm">No alert of an account that matches “{search}”.</Text>
          )
        }
        columns={[
          {
            title: 'Account',
            sort: 'subject',
            cell: ({ subject }) => (
              <ClampedLink fw={500} miw="min(260px, 30vw)" href={`#users?${new URLSearchParams({ search: subject })}`}>
                {subject}
              </ClampedLink>
            ),
          },
          { title: 'Threshold', sort: 'threshold', align: 'right', cell: ({ threshold }) => `${threshold} %` },
          {
            title: 'Spent then',
            sort: 'spent',
            align: 'right',
            cell: ({ spent, cap }) => `${amount(spent)} of ${amount(cap)}`,
          },
          {
            title: 'Plan',
            sort: 'plan',
            cell: ({ plan, planName }) => (
              <Text size="sm" title={plan}>
                {planName ?? plan}
              </Text>
            ),
          },
          { title: 'Month', cell: ({ month }) => month.slice(0, 7) },
          { title: 'Alerted', cell: ({ at }) => <Time at={at} /> },
        ]}
      />
    </Section>
  );
}

const colour = (share: number): string => (share >= 1 ? 'red' : share >= 0.8 ? 'yellow' : 'indigo');

/** Beyond ten times the cap, how often it was exceeded says no more. */
const percent = (share: number): string =>
  share > 0 && share < 0.01 ? '< 1 %' : share > 10 ? '> 1,000 %' : `${count(Math.floor(share * 100))} %`;

/** Spending of the month, and the thresholds that it reached. */
export function CapsPage() {
  return (
    <Parts
      of="caps"
      label="Spending or alerts"
      parts={{
        spending: { label: 'Spending', part: Spending },
        alerts: { label: 'Budget alerts', part: BudgetAlerts },
      }}
    />
  );
}

/** The people near the cap of the month, the nearest first. */
function Spending() {
  const { search, field } = useSearch('Search accounts');
  const filters = { search };
  const caps = useList<SpendingCap>('/api/spending-caps', 'spendingCaps', filters, '');
  return (
    <Section
      title="Caps"
      about="What each account has spent this month (UTC) of its plan's cap, at current prices. At the cap, the next call is refused."
      actions={
        <>
          {field}
          <ExportLinks path="/api/spending-caps" filters={filters} size="sm" />
        </>
      }
      reading={caps.query}
    >
      <DataTable
        label="Caps"
        list={caps}
        usual="-share"
        rowKey={({ id }) => id}
        empty={
          search === '' ? (
            <>
              <Text fw={600}>No account yet</Text>
              <Text size="sm" c="dimmed">
                Create one under Users and give it a plan: its spending appears here.
              </Text>
            </>
          ) : (
            <Text size="sm">No account matches “{search}”.</Text>
          )
        }
        columns={[
          {
            title: 'Account',
            sort: 'username',
            cell: ({ username }) => (
              <ClampedLink fw={500} miw="min(260px, 30vw)" href={`#users?${new URLSearchParams({ search: username })}`}>
                {username}
              </ClampedLink>
            ),
          },
          { title: 'Plan', sort: 'plan', cell: ({ plan }) => plan?.name ?? 'no plan: refused' },
          {
            title: 'This month',
            sort: 'share',
            cell: ({ username, plan, share }) =>
              share === null ? (
                <Text size="xs" c="dimmed">
                  {plan === null ? '–' : 'no cap'}
                </Text>
              ) : (
                <Group gap="sm" wrap="nowrap">
                  <Progress
                    value={Math.min(share, 1) * 100}
                    color={colour(share)}
                    size="lg"
                    w={220}
                    aria-label={`${username} has spent ${percent(share)} of the cap`}
                  />
                  <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                    {percent(share)}
                  </Text>
                </Group>
              ),
          },
          {
            title: 'Spent',
            sort: 'spent',
            align: 'right',
            cell: ({ spent, monthlyCap }) => (
              <Text size="sm" title={euros(spent)}>
                {monthlyCap === null ? amount(spent) : `${amount(spent)} of ${amount(monthlyCap)}`}
              </Text>
            ),
          },
          {
            title: 'Alert',
            align: 'right',
            cell: ({ username, alerted }) =>
              alerted === null ? (
                '–'
              ) : (
                <Anchor size="sm" href={`#caps/alerts?${new URLSearchParams({ search: username })}`}>
                  at {alerted} %
                </Anchor>
              ),
          },
        ]}
      />
    </Section>
  );
}
