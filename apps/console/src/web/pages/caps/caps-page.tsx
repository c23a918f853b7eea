import { Progress, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useList } from '../../api/list.ts';
import type { SpendingCap } from '../../api/objects.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ExportLinks } from '../../ui/export-links.tsx';
import { euros } from '../../ui/prices.ts';
import { Section } from '../../ui/section.tsx';

const colour = (share: number): string => (share >= 1 ? 'red' : share >= 0.8 ? 'yellow' : 'indigo');

/** Who is near the cap of the month, the nearest first. */
export function CapsPage() {
  const [search, setSearch] = useState('');
  const [settled] = useDebouncedValue(search, 250);
  const filters = { search: settled };
  const caps = useList<SpendingCap>('/api/spending-caps', 'spendingCaps', filters);
  return (
    <Section
      title="Caps"
      about="What each account has spent this month (UTC) of its plan's cap, at current prices. At the cap, the next call is refused."
      actions={
        <>
          <TextInput
            size="xs"
            placeholder="Search"
            aria-label="Search accounts"
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <ExportLinks path="/api/spending-caps" filters={filters} />
        </>
      }
    >
      <DataTable
        label="Caps"
        list={caps}
        rowKey={({ id }) => id}
        empty={<Text size="sm">No account matches.</Text>}
        columns={[
          {
            title: 'Account',
            cell: ({ username }) => (
              <Text size="sm" fw={500}>
                {username}
              </Text>
            ),
          },
          { title: 'Plan', cell: ({ plan }) => <Text size="sm">{plan?.name ?? 'none: refused'}</Text> },
          {
            title: 'This month',
            cell: ({ username, share }) =>
              share === null ? (
                <Text size="xs" c="dimmed">
                  no cap
                </Text>
              ) : (
                <Progress
                  value={Math.min(share, 1) * 100}
                  color={colour(share)}
                  size="lg"
                  w={220}
                  aria-label={`${username} has spent ${Math.round(share * 100)} % of the cap`}
                />
              ),
          },
          {
            title: 'Spent',
            align: 'right',
            cell: ({ spent, monthlyCap }) => (
              <Text size="sm">{monthlyCap === null ? euros(spent) : `${euros(spent)} of ${euros(monthlyCap)}`}</Text>
            ),
          },
        ]}
      />
    </Section>
  );
}
