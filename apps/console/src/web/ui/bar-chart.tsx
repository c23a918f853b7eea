import { Box, Group, Text } from '@mantine/core';
import classes from './bar-chart.module.css';

export interface Bar {
  readonly label: string;
  readonly value: number;
}

/** A chart of few bars keeps room for this many, so that a single one is no wall. */
const FEWEST_PLACES = 24;

/** Values over time as bars. Each bar says its value to a pointer; a table with the same numbers is read out instead of it. */
export function BarChart({
  title,
  bars,
  show,
}: {
  title: string;
  bars: readonly Bar[];
  show: (value: number) => string;
}) {
  const most = Math.max(0, ...bars.map(({ value }) => value));
  return (
    <Box component="figure" m={0}>
      <Group justify="space-between" component="figcaption">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="xs" c="dimmed">
          at most {show(most)}
        </Text>
      </Group>
      <svg
        className={classes['chart']}
        viewBox={`0 0 ${Math.max(bars.length, FEWEST_PLACES) * 12} 100`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {bars.map(({ label, value }, index) => {
          const height = most === 0 ? 0 : Math.max((value / most) * 96, value > 0 ? 1 : 0);
          return (
            <rect key={label} className={classes['bar']} x={index * 12 + 2} width={8} y={100 - height} height={height}>
              <title>{`${label}: ${show(value)}`}</title>
            </rect>
          );
        })}
      </svg>
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {bars[0]?.label}
        </Text>
        <Text size="xs" c="dimmed">
          {bars.length > 1 ? bars.at(-1)?.label : ''}
        </Text>
      </Group>
      <table className={classes['read']}>
        <caption>{title}</caption>
        <tbody>
          {bars.map(({ label, value }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{show(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  );
}
