import { Paper, SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ConsumptionSeries } from '../../api/objects.ts';
import { count, countAxis, duration, durationAxis } from '../../ui/numbers.ts';
import { type ChartSeries, TimeChart } from '../../ui/time-chart.tsx';
import { endOf, labelOf, type Period, stepsOf } from './period.tsx';

type Show = ((from: string, until: string) => void) | undefined;

/** An instant as the address has it. */
const minuteOf = (instant: string): string => `${instant.slice(0, 16)}:00Z`;

/** The steps of a period, what a chart calls them, and the way to some of them alone. */
export function stepsOfPeriod({ from, until, stretch }: Period, show: Show) {
  const steps = stepsOf(from, until === undefined ? new Date() : new Date(until), stretch);
  const select = (first: number, last: number) => {
    const [begin, end] = [steps[first], steps[last]];
    // An hour has no finer steps.
    if (begin === undefined || end === undefined || (stretch === 'hour' && first === last)) return;
    show?.(minuteOf(begin), minuteOf(endOf(end, stretch)));
  };
  return {
    steps,
    labels: steps.map((step) => labelOf(step, stretch)),
    select: show === undefined ? undefined : select,
  };
}

/** Values in the order of the steps; null for a step without a row. */
export function valuesAt<Row extends { readonly at: string }>(
  steps: readonly string[],
  rows: readonly Row[],
  value: (row: Row) => number | null | undefined,
): (number | null)[] {
  const found = new Map(rows.map((row) => [row.at, row]));
  return steps.map((step) => {
    const row = found.get(step);
    return row === undefined ? null : (value(row) ?? null);
  });
}

/** The period before: as many steps, ending where this one begins. */
export function periodBefore({ from, until, stretch }: Period): Period {
  const end = until === undefined ? Math.ceil(Date.now() / 3_600_000) * 3_600_000 : Date.parse(until);
  return { from: new Date(2 * Date.parse(from) - end).toISOString(), until: from, stretch };
}

/** Values of the period before beside the steps of this one: a dashed line; nothing where there are none. */
export function lineBefore<Row extends { readonly at: string }>(
  period: Period,
  length: number,
  rows: readonly Row[],
  value: (row: Row) => number | null | undefined,
  name = 'before',
): ChartSeries[] {
  const steps = stepsOf(periodBefore(period).from, new Date(period.from), period.stretch);
  const values = valuesAt(steps, rows, value);
  if (values.every((one) => one === null)) return [];
  return [{ name, kind: 'line', isBefore: true, values: Array.from({ length }, (_, step) => values[step] ?? null) }];
}

/** One bar for each of the parts with the most tokens, and one for all others. */
function stacked(
  { parts }: ConsumptionSeries,
  steps: readonly string[],
  value: (part: ConsumptionSeries['parts'][number]) => number,
): ChartSeries[] {
  const sums = new Map<string | null, number>();
  for (const { name, tokens } of parts) sums.set(name, (sums.get(name) ?? 0) + tokens);
  const names = [...sums.keys()].toSorted(
    (one, other) => Number(one === null) - Number(other === null) || (sums.get(other) ?? 0) - (sums.get(one) ?? 0),
  );
  return names.map((name) => ({
    name: name ?? 'all others',
    kind: 'bar',
    values: valuesAt(
      steps,
      parts.filter((part) => part.name === name),
      value,
    ),
  }));
}

/** Calls, tokens, times and failures over time, each with the period before. */
export function SeriesCharts({
  now,
  before,
  period,
  show,
  children,
}: {
  now: ConsumptionSeries;
  before: ConsumptionSeries | undefined;
  period: Period;
  /** Shows a part of the period alone. */
  show: Show;
  /** Further charts beside these. */
  children?: ReactNode;
}) {
  const { steps, labels, select } = stepsOfPeriod(period, show);
  const beside = (value: (step: ConsumptionSeries['steps'][number]) => number | null | undefined, name?: string) =>
    lineBefore(period, steps.length, before?.steps ?? [], value, name);
  const times = (of: 'latencyMs' | 'firstTokenMs'): ChartSeries[] => [
    ...(['p50', 'p95', 'p99'] as const).map(
      (part): ChartSeries => ({
        name: part,
        kind: 'line',
        values: valuesAt(steps, now.steps, (step) => step[of]?.[part]),
      }),
    ),
    ...beside((step) => step[of]?.p95, 'p95 before'),
  ];
  const charts = [
    {
      title: 'Calls',
      series: [...stacked(now, steps, ({ calls }) => calls), ...beside(({ calls }) => calls)],
      show: count,
      axis: countAxis,
    },
    {
      title: 'Tokens',
      series: [
        ...stacked(now, steps, ({ tokens }) => tokens),
        ...beside(({ inputTokens, outputTokens }) => inputTokens + outputTokens),
      ],
      show: count,
      axis: countAxis,
    },
    {
      title: 'Failed calls',
      series: [
        { name: 'failed', kind: 'bar' as const, values: valuesAt(steps, now.steps, ({ failed }) => failed) },
        ...beside(({ failed }) => failed),
      ],
      show: count,
      axis: countAxis,
    },
    { title: 'Whole answer', series: times('latencyMs'), show: duration, axis: durationAxis },
    { title: 'First byte', series: times('firstTokenMs'), show: duration, axis: durationAxis },
  ];
  return (
    <SimpleGrid cols={{ base: 1, md: 2, lg: 3 }} spacing="sm">
      {charts.map((chart) => (
        <Paper key={chart.title} withBorder p="md">
          <TimeChart {...chart} steps={labels} select={select} />
        </Paper>
      ))}
      {children}
    </SimpleGrid>
  );
}
