import { Progress, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { listPath, useList } from '../../api/list.ts';
import type { Consumption, ConsumptionSeries } from '../../api/objects.ts';
import { useRead } from '../../api/request.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ReadFault } from '../../ui/fault.tsx';
import { count, duration } from '../../ui/numbers.ts';
import { ExportLinks } from '../../ui/search-field.tsx';
import { Section } from '../../ui/section.tsx';
import type { Period } from '../usage/period.tsx';
import { periodBefore, SeriesCharts } from '../usage/series-charts.tsx';

const BY = { endpoint: 'Endpoint', model: 'Model', subject: 'Person' } as const;
const DAYS = { '1': '1 day', '7': '7 days', '30': '30 days', '365': '1 year' } as const;
const STRETCHES = { '1': 'hour', '7': 'day', '30': 'day', '365': 'month' } as const;
const DAY = 86_400_000;
const HOUR = 3_600_000;

type Times = Consumption['firstTokenMs'];
const times = (of: Times): string =>
  of === null ? '–' : [of.p50, of.p95, of.p99].map((value) => duration(value)).join(' / ');

/** Calls, tokens and times by endpoint, model or person. */
export function ConsumptionSection() {
  const [by, setBy] = useState<keyof typeof BY>('endpoint');
  const [days, setDays] = useState<keyof typeof DAYS>('30');
  // To the hour, so that the address stays the same while the page is open.
  const [opened] = useState(() => Math.floor(Date.now() / HOUR) * HOUR);
  const filters = { by, from: new Date(opened - Number(days) * DAY).toISOString() };
  const rows = useList<Consumption>('/api/consumption', 'rows', filters, 'consumption');
  const period: Period = { from: filters.from, until: undefined, stretch: STRETCHES[days] };
  const series = useRead<ConsumptionSeries>(listPath('/api/consumption/series', { ...period, by }));
  const before = useRead<ConsumptionSeries>(listPath('/api/consumption/series', { ...periodBefore(period), by }));
  const most = Math.max(1, ...rows.rows.map(({ calls }) => calls));
  return (
    <Section
      title="Usage"
      about="Calls, tokens and times. Half, 95 % and 99 % of the calls were answered within the three times."
      reading={rows.query}
      actions={<ExportLinks path="/api/consumption" filters={filters} size="sm" />}
      filters={
        <div style={{ display: 'flex', flexWrap: 'wrap', gap: 'var(--mantine-spacing-sm)' }}>
          <SegmentedControl
            size="xs"
            aria-label="Usage by"
            value={by}
            onChange={(next) => setBy(next as keyof typeof BY)}
            data={Object.entries(BY).map(([value, label]) => ({ value, label }))}
          />
          <SegmentedControl
            size="xs"
            aria-label="Period of the usage"
            value={days}
            onChange={(next) => setDays(next as keyof typeof DAYS)}
            data={Object.entries(DAYS).map(([value, label]) => ({ value, label }))}
          />
        </div>
      }
    >
      <ReadFault of={[series, before]} part="the charts of the usage" />
      {series.data !== undefined && series.data.steps.length > 0 && (
        <SeriesCharts now={series.data} before={before.data} period={period} show={undefined} />
      )}
      <DataTable
        label="Usage"
        list={rows}
        rowKey={({ name }) => name}
        minWidth={820}
        empty={<Text size="sm">No call was relayed in this period.</Text>}
        columns={[
          { title: BY[by], cell: ({ name }) => name },
          {
            title: 'Share',
            cell: ({ calls, name }) => (
              <Progress value={(calls / most) * 100} w={90} aria-label={`${name}: ${count(calls)} calls`} />
            ),
          },
          { title: 'Calls', align: 'right', cell: ({ calls }) => count(calls) },
          {
            title: 'Input tokens',
            align: 'right',
            cell: ({ inputTokens, cachedInputTokens }) =>
              cachedInputTokens === 0
                ? count(inputTokens)
                : `${count(inputTokens)} (${count(cachedInputTokens)} cached)`,
          },
          { title: 'Output tokens', align: 'right', cell: ({ outputTokens }) => count(outputTokens) },
          { title: 'Whole answer', align: 'right', cell: ({ latencyMs }) => times(latencyMs) },
          { title: 'First byte', align: 'right', cell: ({ firstTokenMs }) => times(firstTokenMs) },
        ]}
      />
    </Section>
  );
}
