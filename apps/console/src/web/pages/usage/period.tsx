import { SegmentedControl } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Stretch } from './steps.ts';

const PERIODS = {
  'Last day': { days: 1, stretch: 'hour' },
  'Last week': { days: 7, stretch: 'day' },
  'Last 30 days': { days: 30, stretch: 'day' },
  'Last year': { days: 365, stretch: 'month' },
} as const satisfies Record<string, { days: number; stretch: Stretch }>;
type Name = keyof typeof PERIODS;

export interface Period {
  /** ISO 8601, cut to the hour so that the same question is asked for a while. */
  readonly from: string;
  /** Length of one step of the charts. */
  readonly stretch: Stretch;
}

/** A period that ends now, and what it is chosen by. */
export function usePeriod(): { period: Period; choice: ReactNode } {
  const [name, setName] = useState<Name>('Last 30 days');
  const { days, stretch } = PERIODS[name];
  const hour = new Date();
  hour.setUTCMinutes(0, 0, 0);
  return {
    period: { from: new Date(hour.getTime() - days * 86_400_000).toISOString(), stretch },
    choice: (
      <SegmentedControl
        size="xs"
        aria-label="Period"
        data={Object.keys(PERIODS)}
        value={name}
        onChange={(next) => setName(next as Name)}
      />
    ),
  };
}
