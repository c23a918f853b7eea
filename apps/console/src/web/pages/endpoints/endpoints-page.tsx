import { Box, Paper, Progress, SegmentedControl, Stack, Stepper, Text } from '@mantine/core';
import { useState } from 'react';
import { listPath, useChoices, useList } from '../../api/list.ts';
import type { Consumption, ConsumptionSeries, Endpoint, Model, Provider } from '../../api/objects.ts';
import { useRead } from '../../api/read.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ExportLinks } from '../../ui/export-links.tsx';
import { count, duration } from '../../ui/numbers.ts';
import { Parts } from '../../ui/parts.tsx';
import { Section } from '../../ui/section.tsx';
import { useSearch } from '../../ui/use-search.tsx';
import type { Period } from '../usage/period.tsx';
import { periodBefore, SeriesCharts } from '../usage/series-charts.tsx';
import classes from './chain.module.css';
import { EndpointsSection } from './endpoints-section.tsx';
import { ModelsSection } from './models-section.tsx';
import { ProvidersSection } from './providers-section.tsx';

const BY = { endpoint: 'Endpoint', model: 'Model', subject: 'Person' } as const;
const DAYS = { '1': '1 day', '7': '7 days', '30': '30 days', '365': '1 year' } as const;
const STRETCHES = { '1': 'hour', '7': 'day', '30': 'day', '365': 'month' } as const;
const DAY = 86_400_000;
const HOUR = 3_600_000;

type Times = Consumption['firstTokenMs'];
const times = (of: Times): string =>
  of === null ? '–' : [of.p50, of.p95, of.p99].map((value) => duration(value)).join(' / ');

/** Calls, tokens and times by endpoint, model or person. */
function ConsumptionSection() {
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

/** The first steps, until there is an endpoint: what is declared already and what comes next. */
function Chain({ providers, models }: { providers: number; models: number }) {
  const step = providers === 0 ? 0 : models === 0 ? 1 : 2;
  return (
    <Paper withBorder p="lg" aria-label="First steps">
      <Stepper active={step} size="sm" mb="sm" classNames={classes}>
        <Stepper.Step label="Provider" description="Where the engine listens" />
        <Stepper.Step label="Model" description="What it serves" />
        <Stepper.Step label="Endpoint" description="The name callers use" />
      </Stepper>
      <Text size="sm" c="dimmed">
        Every call is answered 404 until one provider, one model and one endpoint are declared.{' '}
        {['Begin with the provider.', 'Next, a model of your provider.', 'Last, the endpoint.'][step]}
      </Text>
    </Paper>
  );
}

type Of = 'all' | 'endpoints' | 'models' | 'providers';

/** What may be called: providers, their models, and the endpoints that name a use of a model, as one chain or one by one. */
function Catalog({ of }: { of: Of }) {
  const { search, field: input } = useSearch('Search endpoints, models and providers');
  const field = <Box maw={360}>{input}</Box>;
  const filters = { search };
  const providers = useList<Provider>('/api/providers', 'providers', filters, 'providers');
  const models = useList<Model>('/api/models', 'models', filters, 'models');
  const endpoints = useList<Endpoint>('/api/endpoints', 'endpoints', filters, 'endpoints');
  const everyProvider = useChoices<Provider>('/api/providers', 'providers').rows;
  const everyModel = useChoices<Model>('/api/models', 'models').rows;
  const sections = {
    endpoints: (
      <EndpointsSection
        key="endpoints"
        endpoints={endpoints}
        models={everyModel}
        providers={everyProvider}
        search={search}
      />
    ),
    models: <ModelsSection key="models" models={models} providers={everyProvider} search={search} />,
    providers: <ProvidersSection key="providers" providers={providers} search={search} />,
  };
  if (of !== 'all')
    return (
      <Stack gap="lg">
        {field}
        {sections[of]}
      </Stack>
    );
  // Endpoints come first; before there is one, the first thing to declare.
  const first = search === '' && endpoints.query.isSuccess && endpoints.rows.length === 0 && endpoints.before === 0;
  const all = Object.values(sections);
  return (
    <Stack gap="xl">
      {first ? <Chain providers={providers.rows.length} models={models.rows.length} /> : field}
      {first ? all.toReversed() : all}
      {!first && <ConsumptionSection />}
    </Stack>
  );
}

const PARTS = {
  all: { label: 'All', part: () => <Catalog of="all" /> },
  endpoints: { label: 'Endpoints', part: () => <Catalog of="endpoints" /> },
  models: { label: 'Models', part: () => <Catalog of="models" /> },
  providers: { label: 'Providers', part: () => <Catalog of="providers" /> },
  usage: { label: 'Usage', part: ConsumptionSection },
};

/** The endpoints, with what they are made of and how they are used. */
export const EndpointsPage = () => <Parts of="endpoints" label="What to show" parts={PARTS} />;
