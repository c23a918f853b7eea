import { Anchor, Paper, SimpleGrid, Skeleton, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ModelPart, UsagePart, UsageSummary } from '../../api/objects.ts';
import { text, useSearchParams } from '../../route/use-search-params.ts';
import { amount, count, countAxis, duration, durationAxis, euros, eurosAxis } from '../../ui/numbers.ts';
import { TimeChart, type TimeChartProps } from '../../ui/time-chart.tsx';
import type { Period } from './period.tsx';
import { lineBefore, stepsOfPeriod, valuesAt } from './series-charts.tsx';

/** Totals, charts over time, and parts by endpoint, model and subject, all from the same sums. */
export function Summary({
  summary,
  before,
  period,
  show,
  charts,
}: {
  summary: UsageSummary;
  /** The sums of the period before, where they are known. */
  before?: UsageSummary | undefined;
  period: Period;
  /** Shows a part of the period alone; absent where the page chooses no parts. */
  show?: (from: string, until: string) => void;
  /** All charts, with the one of the cost; without it the sums alone are drawn. */
  charts?: (cost: ReactNode) => ReactNode;
}) {
  const { totals, series, endpoints, models, subjects, counts } = summary;
  const { steps, labels, select } = stepsOfPeriod(period, show);
  const rows = series.map((part) => ({ ...part, at: part.name }));
  const bar = (name: string, value: (part: UsagePart) => number | null) => ({
    name,
    kind: 'bar' as const,
    values: valuesAt(steps, rows, value),
  });
  const rowsBefore = (before?.series ?? []).map((part) => ({ ...part, at: part.name }));
  const cost: TimeChartProps = {
    title: 'Cost',
    steps: labels,
    series: [bar('cost', (part) => part.cost), ...lineBefore(period, steps.length, rowsBefore, (part) => part.cost)],
    show: euros,
    axis: eurosAxis,
    hasFractions: true,
    select,
  };
  const drawnCost = (
    <Paper withBorder p="md">
      <TimeChart {...cost} />
    </Paper>
  );
  return (
    <>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm">
        <Total label="Calls" value={count(totals.requests)} than={change(totals.requests, before?.totals.requests)} />
        <Total
          label="Input tokens"
          value={count(totals.inputTokens)}
          note={cacheNote(totals.cachedInputTokens, totals.cacheWriteTokens)}
          than={change(totals.inputTokens, before?.totals.inputTokens)}
        />
        <Total
          label="Output tokens"
          value={count(totals.outputTokens)}
          than={change(totals.outputTokens, before?.totals.outputTokens)}
        />
        <Total
          label="Cost"
          value={amount(totals.cost)}
          exact={euros(totals.cost)}
          than={change(totals.cost, before?.totals.cost)}
        />
        <Total
          label="Mean latency"
          value={duration(totals.latencyMs)}
          than={change(totals.latencyMs ?? 0, before?.totals.latencyMs ?? undefined)}
        />
      </SimpleGrid>
      {totals.requests > 0 && charts?.(drawnCost)}
      {totals.requests > 0 && charts === undefined && (
        <SimpleGrid cols={{ base: 1, md: 3 }} spacing="sm">
          <Paper withBorder p="md">
            <TimeChart
              title="Tokens"
              steps={labels}
              series={[bar('input', (part) => part.inputTokens), bar('output', (part) => part.outputTokens)]}
              show={count}
              axis={countAxis}
              select={select}
            />
          </Paper>
          {drawnCost}
          <Paper withBorder p="md">
            <TimeChart
              title="Mean latency"
              steps={labels}
              series={[bar('latency', (part) => part.latencyMs)]}
              show={duration}
              axis={durationAxis}
              select={select}
            />
          </Paper>
        </SimpleGrid>
      )}
      {totals.requests > 0 && (
        <SimpleGrid cols={{ base: 1, md: 3 }} spacing="sm">
          <Parts
            title="By endpoint"
            by="endpoint"
            linked={show !== undefined}
            parts={endpoints}
            of={counts.endpoints}
          />
          <Parts title="By model" by="model" linked={show !== undefined} parts={models} of={counts.models} />
          <Parts title="By subject" by="subject" linked={show !== undefined} parts={subjects} of={counts.subjects} />
        </SimpleGrid>
      )}
    </>
  );
}

/** A number beside that of the period before: `+12 % on the period before`. */
function change(now: number, before: number | undefined): string {
  if (before === undefined || before === 0) return '';
  const share = Math.round((now / before - 1) * 100);
  return `${share > 0 ? '+' : share < 0 ? '−' : '±'}${count(Math.abs(share))} % on the period before`;
}

/** Reserves the space of the sums while they load for the first time, so that the content below does not move. */
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

/** The share of the input that a prompt cache had part in. */
function cacheNote(cached: number, written: number): string {
  return [cached > 0 ? `${count(cached)} cached` : '', written > 0 ? `${count(written)} written to a cache` : '']
    .filter((part) => part !== '')
    .join(', ');
}

function Total(props: { label: string; value: string; exact?: string; note?: string; than: string }) {
  const { label, value, exact, note = '', than } = props;
  return (
    <Paper withBorder p={{ base: 'sm', xs: 'md' }}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fz={{ base: 'md', xs: 'xl' }} fw={650} title={exact} style={{ overflowWrap: 'anywhere' }}>
        {value}
      </Text>
      {[note, than]
        .filter((line) => line !== '')
        .map((line) => (
          <Text key={line} size="xs" c="dimmed">
            {line}
          </Text>
        ))}
    </Paper>
  );
}

/** A model and, where it is known, the provider that serves it: two may serve models of one slug. */
export function OfProvider({ name, provider }: { name: string; provider?: string | null }) {
  return (
    <>
      {name}
      {provider != null && (
        <Text span size="xs" c="dimmed">
          {` ${provider}`}
        </Text>
      )}
    </>
  );
}

/** A model as the address names it: its provider's slug contains no slash. */
const modelWord = (named: { readonly name: string; readonly provider?: string | null }): string =>
  `${named.provider ?? ''}/${named.name}`;

const MOST_SHOWN = 8;
const NUMBER = { whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' } as const;

/** The dearest parts of one kind. @param of how many there are, of which the parts are the first */
function Parts({
  title,
  by,
  linked,
  parts,
  of,
}: {
  title: string;
  by: 'endpoint' | 'model' | 'subject';
  linked: boolean;
  parts: readonly (UsagePart | ModelPart)[];
  of: number;
}) {
  const { set } = useSearchParams({ endpoint: text, model: text, subject: text });
  return (
    <Paper withBorder p="md">
      <Text size="sm" fw={600} mb="xs">
        {title}
      </Text>
      <Table aria-label={title} verticalSpacing={4} horizontalSpacing={0}>
        <Table.Tbody>
          {parts.slice(0, MOST_SHOWN).map(({ requests, cost, ...named }, rank) => (
            // Two deleted models may share a name, and no provider of theirs is known.
            <Table.Tr key={[named.name, 'provider' in named ? named.provider : '', rank].join(' ')}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {linked ? (
                  <Anchor
                    component="button"
                    type="button"
                    size="sm"
                    ta="left"
                    lineClamp={2}
                    title={`Show ${named.name} alone`}
                    onClick={() => set(by, by === 'model' ? modelWord(named) : named.name)}
                  >
                    <OfProvider {...named} />
                  </Anchor>
                ) : (
                  <Text size="sm" component="div" lineClamp={2} title={named.name}>
                    <OfProvider {...named} />
                  </Text>
                )}
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
      {of > MOST_SHOWN && (
        <Text size="xs" c="dimmed">
          The first {MOST_SHOWN} of {count(of)}: choose any other above.
        </Text>
      )}
    </Paper>
  );
}
