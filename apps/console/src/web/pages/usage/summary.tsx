import { Anchor, Paper, SimpleGrid, Skeleton, Stack, Table, Text } from '@mantine/core';
import type { ModelPart, UsagePart, UsageSummary } from '../../api/objects.ts';
import { text } from '../../route/param-readers.ts';
import { useSearchParams } from '../../route/use-search-params.ts';
import { BarChart } from '../../ui/bar-chart.tsx';
import { count, duration, short } from '../../ui/numbers.ts';
import { amount, euros, shortEuros } from '../../ui/prices.ts';
import type { Period } from './period.tsx';
import { endOf, labelOf, stepsOf } from './steps.ts';

/** Totals, charts over time, and parts by endpoint, model and subject, all from the same sums. */
export function Summary({
  summary,
  period: { from, until, stretch },
  show,
}: {
  summary: UsageSummary;
  period: Period;
  /** Shows a part of the period alone; absent where the page chooses no parts. */
  show?: (from: string, until: string) => void;
}) {
  const { totals, series, endpoints, models, subjects, counts } = summary;
  const found = new Map(series.map((part) => [part.name, part]));
  const bars = (values: (part: UsagePart) => readonly number[], none: readonly number[]) =>
    stepsOf(from, until === undefined ? new Date() : new Date(until), stretch).map((step) => {
      const part = found.get(step);
      const open =
        stretch === 'hour' || show === undefined ? null : () => show(minuteOf(step), minuteOf(endOf(step, stretch)));
      return { label: labelOf(step, stretch), values: part === undefined ? none : values(part), open };
    });
  return (
    <>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm">
        <Total label="Calls" value={count(totals.requests)} />
        <Total
          label="Input tokens"
          value={count(totals.inputTokens)}
          note={cacheNote(totals.cachedInputTokens, totals.cacheWriteTokens)}
        />
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

/** An instant as the address has it. */
const minuteOf = (instant: string): string => `${instant.slice(0, 16)}:00Z`;

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

function Total({ label, value, exact, note = '' }: { label: string; value: string; exact?: string; note?: string }) {
  return (
    <Paper withBorder p={{ base: 'sm', xs: 'md' }}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fz={{ base: 'md', xs: 'xl' }} fw={650} title={exact} style={{ overflowWrap: 'anywhere' }}>
        {value}
      </Text>
      {note !== '' && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
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
                    title={`Show ${named.name} alone`}
                    onClick={() => set(by, by === 'model' ? modelWord(named) : named.name)}
                  >
                    <OfProvider {...named} />
                  </Anchor>
                ) : (
                  <Text size="sm" component="div">
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
