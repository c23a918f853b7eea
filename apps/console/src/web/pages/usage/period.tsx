import { Group, SegmentedControl, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { minute, oneOf, useSearchParams } from '../../route/use-search-params.ts';

const DAY = 86_400_000;
const PERIODS = {
  day: { label: 'Last day', days: 1, stretch: 'hour' },
  week: { label: 'Last week', days: 7, stretch: 'day' },
  month: { label: 'Last 30 days', days: 30, stretch: 'day' },
  year: { label: 'Last year', days: 365, stretch: 'month' },
} as const satisfies Record<string, { label: string; days: number; stretch: Stretch }>;
const PRESET = 'month';
const CUSTOM = 'custom';

export interface Period {
  /** ISO 8601, cut to the hour so that the same question is asked for a while. */
  readonly from: string;
  /** The end, exclusive; undefined: now. */
  readonly until: string | undefined;
  /** Length of one step of the charts. */
  readonly stretch: Stretch;
}

/** Steps that a chart has room for. */
function stretchOf(from: string, until: string): Stretch {
  const days = (Date.parse(until) - Date.parse(from)) / DAY;
  return days <= 3 ? 'hour' : days <= 62 ? 'day' : 'month';
}

/** The fields contain days; an end is named by its last day, which counts fully. */
const dayOf = (instant: string | undefined, shift = 0): string =>
  instant === undefined ? '' : new Date(Date.parse(instant) + shift).toISOString().slice(0, 10);
const instantOf = (day: string, shift = 0): string | null =>
  /^\d{4}-\d\d-\d\d$/.test(day) && !day.startsWith('0000')
    ? `${new Date(Date.parse(`${day}T00:00:00Z`) + shift).toISOString().slice(0, 16)}:00Z`
    : null;

/** A period, and its controls: one that ends now, or from one day to another. It is stored in the address. */
export function usePeriod(): { period: Period; choice: ReactNode; show: (from: string, until: string) => void } {
  const { values, setAll } = useSearchParams({
    period: oneOf([...Object.keys(PERIODS), CUSTOM]),
    from: minute,
    until: minute,
  });
  const name = values.period ?? PRESET;
  const hour = new Date();
  hour.setUTCMinutes(0, 0, 0);
  const isCustom = name === CUSTOM;
  const preset = PERIODS[(isCustom ? PRESET : name) as keyof typeof PERIODS];
  const start = new Date(hour.getTime() - preset.days * DAY).toISOString();
  const from = (isCustom ? values.from : undefined) ?? start;
  const until = isCustom ? values.until : undefined;
  const isForwards = until === undefined || until > from;
  const period: Period = isCustom
    ? { from, until: isForwards ? until : undefined, stretch: stretchOf(from, until ?? hour.toISOString()) }
    : { from, until: undefined, stretch: preset.stretch };
  const custom = (begin: string | null, end: string | null) => setAll({ period: CUSTOM, from: begin, until: end });
  const choice = (
    <Group gap="xs" align="flex-end">
      <SegmentedControl
        // On a small screen it is wider than the page, and scrolls by itself.
        maw="calc(100vw - 2 * var(--mantine-spacing-md))"
        style={{ overflowX: 'auto' }}
        size="xs"
        aria-label="Period"
        data={[
          ...Object.entries(PERIODS).map(([value, { label }]) => ({ value, label })),
          { value: CUSTOM, label: 'Custom' },
        ]}
        value={name}
        onChange={(next) =>
          next === CUSTOM
            ? custom(instantOf(dayOf(from)), instantOf(dayOf(hour.toISOString()), DAY))
            : setAll({ period: next === PRESET ? null : next, from: null, until: null })
        }
      />
      {isCustom && (
        <>
          <TextInput
            size="xs"
            type="date"
            label="First day (UTC)"
            max="9999-12-31"
            value={dayOf(values.from)}
            onChange={({ currentTarget: { value } }) => custom(instantOf(value), values.until ?? null)}
          />
          <TextInput
            size="xs"
            type="date"
            label="Last day (UTC)"
            max="9999-12-31"
            value={dayOf(values.until, -1)}
            error={!isForwards && 'Before the first day.'}
            onChange={({ currentTarget: { value } }) => custom(values.from ?? null, instantOf(value, DAY))}
          />
        </>
      )}
    </Group>
  );
  return { period, choice, show: (begin, end) => custom(begin, end) };
}

type Stretch = 'hour' | 'day' | 'month';

/** The beginning of the interval that contains an instant, in UTC, as the API names it. */
function beginning(at: Date, stretch: Stretch): Date {
  const hour = stretch === 'hour' ? at.getUTCHours() : 0;
  const day = stretch === 'month' ? 1 : at.getUTCDate();
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), day, hour));
}

function following(at: Date, stretch: Stretch): Date {
  const next = new Date(at);
  if (stretch === 'hour') next.setUTCHours(at.getUTCHours() + 1);
  if (stretch === 'day') next.setUTCDate(at.getUTCDate() + 1);
  if (stretch === 'month') next.setUTCMonth(at.getUTCMonth() + 1);
  return next;
}

/** When a stretch that begins at an instant is over. */
export const endOf = (step: string, stretch: Stretch): string => following(new Date(step), stretch).toISOString();

/** Every stretch of a period, named as the API names it: a chart shows those without a call too. */
export function stepsOf(from: string, until: Date, stretch: Stretch): string[] {
  const steps: string[] = [];
  for (let at = beginning(new Date(from), stretch); at < until; at = following(at, stretch)) {
    steps.push(at.toISOString());
  }
  return steps;
}

const FORMATS: Readonly<Record<Stretch, Intl.DateTimeFormatOptions>> = {
  hour: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
};

/** What a chart calls a stretch: 21 Nov, 14:00; 21 Nov; Nov 2026. */
export function labelOf(step: string, stretch: Stretch): string {
  return new Intl.DateTimeFormat('en-GB', { ...FORMATS[stretch], timeZone: 'UTC' }).format(new Date(step));
}
