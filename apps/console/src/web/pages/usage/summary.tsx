import { Paper, SimpleGrid, Table, Text } from '@mantine/core';
import type { UsagePart, UsageSummary } from '../../api/objects.ts';
import { BarChart } from '../../ui/bar-chart.tsx';
import { euros } from '../../ui/prices.ts';

const COUNT = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });

/** A whole number with its groups of three. */
export const count = (value: number): string => COUNT.format(value);

const milliseconds = (value: number | null): string => (value === null ? '–' : `${count(value)} ms`);
/** A stretch's name without what it cuts to zero: the day, or the day and the hour. */
const stretch = (name: string): string =>
  name.includes('T00:00') ? name.slice(0, 10) : `${name.slice(5, 10)} ${name.slice(11, 16)}`;

/** Totals, charts over time, and parts by endpoint, model and subject, all from the same sums. */
export function Summary({ summary: { totals, series, endpoints, models, subjects } }: { summary: UsageSummary }) {
  const bars = (value: (part: UsagePart) => number) =>
    series.map((part) => ({ label: stretch(part.name), value: value(part) }));
  return (
    <>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }}>
        <Total label="Calls" value={count(totals.requests)} />
        <Total label="Input tokens" value={count(totals.inputTokens)} />
        <Total label="Output tokens" value={count(totals.outputTokens)} />
        <Total label="Cost" value={euros(totals.cost)} />
        <Total label="Mean latency" value={milliseconds(totals.latencyMs)} />
      </SimpleGrid>
      {series.length > 0 && (
        <SimpleGrid cols={{ base: 1, md: 3 }}>
          <Paper withBorder p="md">
            <BarChart title="Tokens" bars={bars((part) => part.inputTokens + part.outputTokens)} show={count} />
          </Paper>
          <Paper withBorder p="md">
            <BarChart title="Cost" bars={bars(({ cost }) => cost)} show={euros} />
          </Paper>
          <Paper withBorder p="md">
            <BarChart title="Mean latency" bars={bars(({ latencyMs }) => latencyMs ?? 0)} show={milliseconds} />
          </Paper>
        </SimpleGrid>
      )}
      {totals.requests > 0 && (
        <SimpleGrid cols={{ base: 1, md: 3 }}>
          <Parts title="By endpoint" parts={endpoints} />
          <Parts title="By model" parts={models} />
          <Parts title="By subject" parts={subjects} />
        </SimpleGrid>
      )}
    </>
  );
}

function Total({ label, value }: { label: string; value: string }) {
  return (
    <Paper withBorder p="md">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="xl" fw={650}>
        {value}
      </Text>
    </Paper>
  );
}

const MOST_SHOWN = 8;

function Parts({ title, parts }: { title: string; parts: readonly UsagePart[] }) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" fw={600} mb="xs">
        {title}
      </Text>
      <Table aria-label={title} verticalSpacing={4} horizontalSpacing={0}>
        <Table.Tbody>
          {parts.slice(0, MOST_SHOWN).map(({ name, requests, cost }) => (
            <Table.Tr key={name}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Text size="sm">{name}</Text>
              </Table.Td>
              <Table.Td ta="right">
                <Text size="sm">{requests === 1 ? '1 call' : `${count(requests)} calls`}</Text>
              </Table.Td>
              <Table.Td ta="right">
                <Text size="sm">{euros(cost)}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {parts.length > MOST_SHOWN && (
        <Text size="xs" c="dimmed">
          and {parts.length - MOST_SHOWN} more: choose one above to see it
        </Text>
      )}
    </Paper>
  );
}
