import { Anchor, Text } from '@mantine/core';
import { useList } from '../../api/list.ts';
import type { BudgetAlert } from '../../api/objects.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ExportLinks } from '../../ui/export-links.tsx';
import { amount } from '../../ui/prices.ts';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { useSearch } from '../../ui/use-search.tsx';

/** Whose spending reached a threshold of their plan, the newest first (console-25). */
export function BudgetAlerts() {
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
              <Anchor size="sm" fw={500} href={`#users?${new URLSearchParams({ search: subject })}`}>
                {subject}
              </Anchor>
            ),
          },
          { title: 'Threshold', sort: 'threshold', align: 'right', cell: ({ threshold }) => `${threshold} %` },
          {
            title: 'Spent then',
            sort: 'spent',
            align: 'right',
            cell: ({ spent, cap }) => `${amount(spent)} of ${amount(cap)}`,
          },
          { title: 'Plan', sort: 'plan', cell: ({ plan }) => plan },
          { title: 'Month', cell: ({ month }) => month.slice(0, 7) },
          { title: 'Alerted', cell: ({ at }) => <Time at={at} /> },
        ]}
      />
    </Section>
  );
}
