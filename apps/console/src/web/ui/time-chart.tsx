import { Box, Button, Group, Table, Text, useComputedColorScheme } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import classes from './time-chart.module.css';

/** Values over the steps of a chart. Bars are stacked on each other; null is a step without a value. */
export interface ChartSeries {
  readonly name: string;
  readonly kind: 'bar' | 'line';
  readonly values: readonly (number | null)[];
  /** The period before, which is dashed. */
  readonly isBefore?: boolean;
}

export interface TimeChartProps {
  readonly title: string;
  /** What each step is called. */
  readonly steps: readonly string[];
  readonly series: readonly ChartSeries[];
  /** A value in full, and those of an axis as short as it wants them. */
  readonly show: (value: number) => string;
  readonly axis: (values: readonly number[]) => string[];
  /** The axis may name values between two whole numbers. */
  readonly hasFractions?: boolean;
  /** Shows the steps from one to another alone; absent where there is no more to show. */
  readonly select?: ((first: number, last: number) => void) | undefined;
}

const HEIGHT = 170;
/** 1, 2, 5, 10, 20, 25 and so on: half a call is no mark of an axis. */
const WHOLE = Array.from({ length: 13 }, (_, power) => [1, 2, 2.5, 5].map((one) => one * 10 ** power))
  .flat()
  .filter(Number.isInteger);
/** The charts of a page show the same step. */
const CURSOR = uPlot.sync('steps');
const BARS = uPlot.paths.bars?.({ size: [0.75, 40] });
/** The theme's colours of the series, in their order; the period before has its own. */
const colourOf = (series: readonly ChartSeries[], index: number): string => {
  if (series[index]?.isBefore === true) return '--chart-before';
  return `--chart-${1 + series.slice(0, index).filter(({ isBefore }) => isBefore !== true).length}`;
};
const valueOf = (variable: string) => getComputedStyle(document.documentElement).getPropertyValue(variable).trim();

/** What is drawn: each bar reaches from zero to the sum of itself and those below it, the highest drawn first. */
function drawn(series: readonly ChartSeries[], length: number): { index: number; values: (number | null)[] }[] {
  const sums = Array.from({ length }, () => 0);
  const bars = series.flatMap(({ kind, values }, index) => {
    if (kind === 'line') return [];
    for (const [step, value] of values.entries()) sums[step] = (sums[step] ?? 0) + (value ?? 0);
    return [{ index, values: [...sums] }];
  });
  const lines = series.flatMap(({ kind, values }, index) => (kind === 'line' ? [{ index, values: [...values] }] : []));
  return [...bars.toReversed(), ...lines];
}

/**
 * Values over time, on an axis that begins at zero. A range that is dragged, or marked with Shift and the arrow keys, is shown alone.
 * The same numbers are there as a table, and each step as a text.
 */
export function TimeChart({ title, steps, series, show, axis, hasFractions, select }: TimeChartProps) {
  /** The step whose values are read, and the other end of a marked range. */
  const [at, setAt] = useState<number | null>(null);
  const [mark, setMark] = useState<number | null>(null);
  const [isTable, setTable] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const scheme = useComputedColorScheme('light');
  const last = steps.length - 1;
  const isEmpty = series.every(({ values }) => values.every((value) => value === null));
  const calls = useRef({ select, axis });
  calls.current = { select, axis };
  const layers = drawn(series, steps.length);
  const shape = JSON.stringify([
    scheme,
    layers.map(({ index }) => [series[index]?.kind, colourOf(series, index)]),
    steps,
  ]);

  useEffect(() => {
    const parent = frame.current;
    if (parent === null) return undefined;
    const grid = { stroke: valueOf('--mantine-color-default-border'), width: 1 };
    const text = { stroke: valueOf('--mantine-color-dimmed'), font: `11px ${valueOf('--mantine-font-family')}`, grid };
    const drawing = new uPlot(
      {
        width: Math.max(parent.clientWidth, 120),
        height: HEIGHT,
        legend: { show: false },
        scales: {
          x: { time: false, range: (_, low, high) => [low - 0.6, high + 0.6] },
          y: { range: (_, __, high) => [0, high > 0 ? high * 1.08 : 1] },
        },
        axes: [
          {
            ...text,
            grid: { show: false },
            ticks: { show: false },
            space: 70,
            size: 26,
            incrs: [1, 2, 3, 5, 7, 10, 14, 20, 30],
            values: (_, splits) => splits.map((step) => (Number.isInteger(step) ? (steps[step] ?? '') : '')),
          },
          {
            ...text,
            ticks: { show: false },
            // As wide as its longest label needs.
            size: (_, values) => 12 + 7 * Math.max(3, ...(values ?? []).map(({ length }) => length)),
            space: 32,
            ...(hasFractions !== true && { incrs: WHOLE }),
            values: (_, splits) => calls.current.axis(splits),
          },
        ],
        cursor: {
          y: false,
          points: { show: false },
          drag: { x: select !== undefined, y: false, setScale: false },
          sync: { key: CURSOR.key },
        },
        series: [
          {},
          ...layers.map(({ index }): uPlot.Series => {
            const colour = valueOf(colourOf(series, index));
            return series[index]?.kind === 'bar'
              ? {
                  fill: colour,
                  width: 0,
                  points: { show: false },
                  ...(BARS === undefined ? {} : { paths: BARS }),
                }
              : {
                  stroke: colour,
                  width: 2,
                  spanGaps: true,
                  points: { show: steps.length < 3 },
                  ...(series[index]?.isBefore === true && { dash: [5, 4] }),
                };
          }),
        ],
        hooks: {
          setCursor: [({ cursor: { idx } }) => setAt(idx ?? null)],
          setSelect: [
            (of) => {
              const { left, width } = of.select;
              if (width < 4) return;
              const first = Math.max(0, Math.round(of.posToVal(left, 'x')));
              const end = Math.min(steps.length - 1, Math.round(of.posToVal(left + width, 'x')));
              of.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
              calls.current.select?.(first, Math.max(first, end));
            },
          ],
        },
      },
      [steps.map((_, step) => step), ...layers.map(({ values }) => values)],
      parent,
    );
    plot.current = drawing;
    const sized = new ResizeObserver(() =>
      drawing.setSize({ width: Math.max(parent.clientWidth, 120), height: HEIGHT }),
    );
    sized.observe(parent);
    return () => {
      sized.disconnect();
      drawing.destroy();
      plot.current = null;
    };
    // A drawing is kept while its series and steps are the same; their values follow below.
  }, [shape, isTable, isEmpty]);
  const numbers = JSON.stringify(layers.map(({ values }) => values));
  useEffect(() => {
    plot.current?.setData([steps.map((_, step) => step), ...layers.map(({ values }) => values)]);
  }, [numbers]);

  const goTo = (step: number | null) => {
    setAt(step);
    const left = step === null ? -10 : (plot.current?.valToPos(step, 'x') ?? -10);
    plot.current?.setCursor({ left, top: step === null ? -10 : 10 }, false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowRight: (at ?? -1) + 1, ArrowLeft: (at ?? steps.length) - 1, Home: 0, End: last }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      setMark(event.shiftKey ? (mark ?? at) : null);
      goTo(Math.max(0, Math.min(last, to)));
    } else if (event.key === 'Enter' && at !== null && at <= last) {
      select?.(Math.min(at, mark ?? at), Math.max(at, mark ?? at));
    } else if (event.key === 'Escape') {
      setMark(null);
      goTo(null);
    }
  };
  const said = (value: number | null | undefined) => (value == null ? '–' : show(value));
  const described = (step: number) =>
    `${steps[step]}: ${series.map(({ name, values }) => `${said(values[step])}${series.length > 1 ? ` ${name}` : ''}`).join(', ')}`;
  const marked =
    mark === null || at === null || mark === at
      ? ''
      : ` (${steps[Math.min(mark, at)]} to ${steps[Math.max(mark, at)]} marked)`;
  const chosen = at !== null && at <= last ? `${described(at)}${marked}` : undefined;
  return (
    // In a row of charts, those without a legend begin where the others do.
    <Box component="figure" m={0} className={classes['figure'] ?? ''}>
      <Group justify="space-between" component="figcaption" gap="xs" wrap="nowrap" align="flex-start">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        {!isEmpty && (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-pressed={isTable}
            aria-label={`${title} as a table`}
            onClick={() => setTable(!isTable)}
          >
            Table
          </Button>
        )}
      </Group>
      {series.length > 1 && !isEmpty && (
        <Group gap={10} wrap="wrap" mb={2}>
          {series.map(({ name, isBefore }, index) => (
            <Text key={name} size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              <span
                className={`${classes['key']} ${isBefore === true ? classes['before'] : ''}`}
                style={{ '--key': `var(${colourOf(series, index)})` } as object}
              />
              {name}
            </Text>
          ))}
        </Group>
      )}
      {isEmpty ? (
        <Text size="sm" c="dimmed" pt="sm" mih={196}>
          Nothing was measured in this period.
        </Text>
      ) : isTable ? (
        <Numbers title={title} steps={steps} series={series} said={said} />
      ) : (
        <>
          <Text size="xs" c="dimmed" mih={series.length > 1 ? '3.2em' : '1.6em'} aria-hidden="true">
            {chosen ?? ''}
          </Text>
          <div
            className={`${classes['plot']} mantine-focus-auto`}
            ref={frame}
            role="slider"
            tabIndex={0}
            aria-label={`${title}: values by arrow keys`}
            aria-valuemin={0}
            aria-valuemax={Math.max(0, last)}
            aria-valuenow={at ?? 0}
            aria-valuetext={chosen ?? 'none chosen'}
            onKeyDown={onKeyDown}
            onBlur={() => goTo(null)}
          />
        </>
      )}
    </Box>
  );
}

/** The numbers of a chart, without the steps at which nothing was. */
function Numbers({
  title,
  steps,
  series,
  said,
}: Pick<TimeChartProps, 'title' | 'steps' | 'series'> & { said: (value: number | null | undefined) => string }) {
  const rows = steps.flatMap((step, at) => (series.some(({ values }) => (values[at] ?? 0) > 0) ? [{ step, at }] : []));
  return (
    <div className={classes['numbers']} role="group" aria-label={`${title}: numbers`} tabIndex={0}>
      <Table aria-label={title} verticalSpacing={2} horizontalSpacing="xs" fz="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Time</Table.Th>
            {series.map(({ name }) => (
              <Table.Th key={name} ta="right">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ step, at }) => (
            <Table.Tr key={step}>
              <Table.Th scope="row">{step}</Table.Th>
              {series.map(({ name, values }) => (
                <Table.Td key={name} ta="right">
                  {said(values[at])}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
