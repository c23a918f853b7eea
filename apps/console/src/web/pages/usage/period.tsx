import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../../place/use-words.ts';
import { oneOf } from '../../place/words.ts';
import type { Stretch } from './steps.ts';

const PERIODS = {
  day: { label: 'Last day', days: 1, stretch: 'hour' },
  week: { label: 'Last week', days: 7, stretch: 'day' },
  month: { label: 'Last 30 days', days: 30, stretch: 'day' },
  year: { label: 'Last year', days: 365, stretch: 'month' },
} as const satisfies Record<string, { label: string; days: number; stretch: Stretch }>;
const PRESET = 'month';

export interface Period {
  /** ISO 8601, cut to the hour so that the same question is asked for a while. */
  readonly from: string;
  /** Length of one step of the charts. */
  readonly stretch: Stretch;
}

/** A period that ends now, and what it is chosen by. It stands in the address. */
export function usePeriod(): { period: Period; choice: ReactNode } {
  const { values, set } = useWords({ period: oneOf(Object.keys(PERIODS)) });
  const name = (values.period ?? PRESET) as keyof typeof PERIODS;
  const { days, stretch } = PERIODS[name];
  const hour = new Date();
  hour.setUTCMinutes(0, 0, 0);
  return {
    period: { from: new Date(hour.getTime() - days * 86_400_000).toISOString(), stretch },
    choice: (
      <SegmentedControl
        size="xs"
        aria-label="Period"
        data={Object.entries(PERIODS).map(([value, { label }]) => ({ value, label }))}
        value={name}
        onChange={(next) => set('period', next === PRESET ? null : next)}
      />
    ),
  };
}
