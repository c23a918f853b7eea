import { Box, Group, Text } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import classes from './bar-chart.module.css';
import { roundUp } from './scale.ts';

/** One stretch of time: what it is called, and a value for each of the chart's parts, stacked. */
export interface Bar {
  readonly label: string;
  readonly values: readonly number[];
  /** Shows more of this stretch, where there is more to show. */
  readonly open?: (() => void) | null;
}

export interface BarChartProps {
  readonly title: string;
  /** Names of the parts, for the legend; at most two. A single part needs no legend. */
  readonly parts: readonly string[];
  readonly bars: readonly Bar[];
  /** A value in full, and as short as an axis wants it. */
  readonly show: (value: number) => string;
  readonly axis: (value: number) => string;
}

const HEIGHT = 100;
const COLOURS = [classes['first'], classes['second']];
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Values over time as bars, on an axis that begins at zero. A table with the same numbers is read out instead of it. */
export function BarChart({ title, parts, bars, show, axis }: BarChartProps) {
  /** The bar whose values are read: under the pointer, or reached by the keyboard. */
  const [at, setAt] = useState<number | null>(null);
  const chosen = at === null ? undefined : bars[at];
  const last = bars.length - 1;
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowRight: (at ?? -1) + 1, ArrowLeft: (at ?? bars.length) - 1, Home: 0, End: last }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      setAt(Math.max(0, Math.min(last, to)));
    } else if (event.key === 'Enter') chosen?.open?.();
    else if (event.key === 'Escape') setAt(null);
  };
  const top = roundUp(Math.max(0, ...bars.map(({ values }) => sum(values))));
  const described = ({ label, values }: Bar) =>
    `${label}: ${values.map((value, part) => `${show(value)}${parts.length > 1 ? ` ${parts[part]}` : ''}`).join(', ')}`;
  return (
    <Box component="figure" m={0}>
      <Group justify="space-between" component="figcaption">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        {parts.length > 1 && (
          <Group gap="sm">
            {parts.map((part, index) => (
              <Text key={part} size="xs" c="dimmed">
                <span className={`${classes['key']} ${COLOURS[index]}`} />
                {part}
              </Text>
            ))}
          </Group>
        )}
      </Group>
      <Text size="xs" c="dimmed" h="1.6em" truncate aria-hidden="true">
        {chosen === undefined ? '' : described(chosen)}
      </Text>
      <div
        className={classes['plot']}
        role="slider"
        tabIndex={0}
        aria-label={`${title}: values by arrow keys`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={at ?? 0}
        aria-valuetext={chosen === undefined ? 'none chosen' : described(chosen)}
        onKeyDown={onKeyDown}
        onMouseLeave={() => setAt(null)}
        onBlur={() => setAt(null)}
      >
        <div className={classes['values']}>
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{axis(value)}</span>
          ))}
        </div>
        <svg className={classes['bars']} viewBox={`0 0 ${bars.length * 10} ${HEIGHT}`} preserveAspectRatio="none">
          {[0, HEIGHT / 2, HEIGHT].map((y) => (
            <line key={y} className={classes['line']} x1={0} x2={bars.length * 10} y1={y} y2={y} />
          ))}
          {bars.map((bar, index) => (
            // The keyboard reaches it by the arrow keys and Enter.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
            <g
              key={bar.label}
              className={`${classes['step']} ${index === at ? classes['at'] : ''}`}
              onMouseEnter={() => setAt(index)}
              onClick={() => bar.open?.()}
              style={bar.open ? { cursor: 'pointer' } : {}}
            >
              <rect x={index * 10} width={10} y={0} height={HEIGHT} fill="transparent" />
              {bar.values.map((value, part) => {
                const below = sum(bar.values.slice(0, part));
                return (
                  <rect
                    // A part is identified by its index.
                    key={parts[part]}
                    className={COLOURS[part]}
                    x={index * 10 + 1.5}
                    width={7}
                    y={HEIGHT - ((below + value) / top) * HEIGHT}
                    height={(value / top) * HEIGHT}
                  />
                );
              })}
            </g>
          ))}
        </svg>
        <div className={classes['times']}>
          {[bars[0], bars[Math.floor(bars.length / 2)], bars.at(-1)].map(
            (bar, index) => bar !== undefined && <span key={[index, bar.label].join(' ')}>{bar.label}</span>,
          )}
        </div>
      </div>
      <table className={classes['read']}>
        <caption>{title}</caption>
        <tbody>
          {bars
            .filter(({ values }) => sum(values) > 0)
            .map((bar) => (
              <tr key={bar.label}>
                <th scope="row">{bar.label}</th>
                <td>{bar.values.map(show).join(', ')}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </Box>
  );
}
