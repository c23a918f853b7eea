import { Paper, SimpleGrid, Skeleton, Stack, Table, Text } from '@mantine/core';
import type { UsagePart, UsageSummary } from '../../api/objects.ts';
import { BarChart } from '../../ui/bar-chart.tsx';
import { count, duration, short } from '../../ui/numbers.ts';
import { amount, euros, shortEuros } from '../../ui/prices.ts';
import type { Period } from './period.tsx';
import { labelOf, stepsOf } from './steps.ts';

/** Totals, charts over time, and parts by endpoint, model and subject, all from the same sums. */
export function Summary({ summary, period: { from, stretch } }: { summary: UsageSummary; period: Period }) {
  const { totals, series, endpoints, models, subjects } = summary;
  const found = new Map(series.map((part) => [part.name, part]));
  const bars = (values: (part: UsagePart) => readonly number[], none: readonly number[]) =>
    stepsOf(from, new Date(), stretch).map((step) => {
      const part = found.get(step);
      return { label: labelOf(step, stretch), values: part === undefined ? none : values(part) };
    });
  return (
    <>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm">
        <Total label="Calls" value={count(totals.requests)} />
        <Total label="Input tokens" value={count(totals.inputTokens)} />
        <Total label="Output tokens" value={count(totals.outputTokens)} />
        <Total label="Cost" value={amount(totals.cost)} exact={euros(totals.cost)} />
        <Total label="Mean latency" value={duration(totals.latencyMs)} />
      </SimpleGrid>
      {totals.requests > 0 && (
        <SimpleGrid cols={{ base: 1, md: 3 }} spacing="sm">
          <Paper withBorder p="md">
            <BarChart
              title="Tokens"
              parts={['input', 'output']}
              bars={bars(({ inputTokens, outputTokens }) => [inputTokens, outputTokens], [0, 0])}
              show={count}
              axis={short}
            />
          </Paper>
          <Paper withBorder p="md">
            <BarChart
              title="Cost"
              parts={['cost']}
              bars={bars(({ cost }) => [cost], [0])}
              show={euros}
              axis={shortEuros}
            />
          </Paper>
          <Paper withBorder p="md">
            <BarChart
              title="Mean latency"
              parts={['latency']}
              bars={bars(({ latencyMs }) => [latencyMs ?? 0], [0])}
              show={duration}
              axis={duration}
            />
          </Paper>
        </SimpleGrid>
      )}
      {totals.requests > 0 && (
        <SimpleGrid cols={{ base: 1, md: 3 }} spacing="sm">
          <Parts title="By endpoint" parts={endpoints} />
          <Parts title="By model" parts={models} />
          <Parts title="By subject" parts={subjects} />
        </SimpleGrid>
      )}
    </>
  );
}

/** The room that the sums take, while they are read for the first time: what is below them stays in its place. */
export function SummaryLoading() {
  return (
    <Stack gap="sm" role="status" aria-busy="true" aria-label="Usage: loading">
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm">
        {['calls', 'input', 'output', 'cost', 'latency'].map((total) => (
          <Skeleton key={total} height={85} />
        ))}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="sm">
        {['tokens', 'cost', 'latency'].map((chart) => (
          <Skeleton key={chart} height={225} />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function Total({ label, value, exact }: { label: string; value: string; exact?: string }) {
  return (
    <Paper withBorder p={{ base: 'sm', xs: 'md' }}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fz={{ base: 'md', xs: 'xl' }} fw={650} title={exact} style={{ overflowWrap: 'anywhere' }}>
        {value}
      </Text>
    </Paper>
  );
}

const MOST_SHOWN = 8;
const NUMBER = { whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' } as const;

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
              <Table.Td ta="right" pl="sm" style={NUMBER}>
                <Text size="sm">{requests === 1 ? '1 call' : `${count(requests)} calls`}</Text>
              </Table.Td>
              <Table.Td ta="right" pl="sm" style={NUMBER}>
                <Text size="sm" title={euros(cost)}>
                  {amount(cost)}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {parts.length > MOST_SHOWN && (
        <Text size="xs" c="dimmed">
          and {count(parts.length - MOST_SHOWN)} more: choose one above to see it
        </Text>
      )}
    </Paper>
  );
}
