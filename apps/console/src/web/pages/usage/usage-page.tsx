import { Group, SegmentedControl, Select, Stack, Table, Text } from '@mantine/core';
import { type Filters, listPath, useList } from '../../api/list.ts';
import type {
  ConsumptionSeries,
  EngineErrors,
  ModelName,
  UsageNames,
  UsageRecord,
  UsageSummary,
} from '../../api/objects.ts';
import { useRead } from '../../api/request.ts';
import { oneOf, text, useSearchParams } from '../../route/use-search-params.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Fault, ReadFault } from '../../ui/fault.tsx';
import { Clamped, ClampedLink } from '../../ui/named.tsx';
import { type Choice, callCost, count, duration, euros, many, perMillion } from '../../ui/numbers.ts';
import { Outcome, StatusBadge } from '../../ui/outcome.tsx';
import { ExportLinks } from '../../ui/search-field.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { type Period, usePeriod } from './period.tsx';
import { periodBefore, SeriesCharts } from './series-charts.tsx';
import { OfProvider, Summary, SummaryLoading } from './summary.tsx';

const share = (failed: number, calls: number): string =>
  failed / calls < 0.01 ? '< 1 %' : `${count(Math.round((failed / calls) * 100))} %`;

/** Endpoints and providers with failed calls. Of one person, only the failed calls are known. */
export function Engines({ filters }: { filters: Filters }) {
  const read = useRead<{ engines: readonly EngineErrors[] }>(listPath('/api/engine-results', filters));
  const answers = read.data?.engines ?? [];
  const engines = answers.filter(({ failed }) => failed > 0);
  return (
    <Section
      title="Engine errors"
      about="Granted calls that failed at the engine: no answer, an answer that broke off, or a status of 400 or above."
      reading={read}
    >
      <Fault error={read.error} retry={read.refetch} />
      {read.isSuccess && engines.length === 0 && (
        <Text size="sm">
          {answers.length === 0
            ? 'No answer of an engine is recorded for this period.'
            : 'No call failed at an engine in this period.'}
        </Text>
      )}
      {engines.length > 0 && (
        <Table.ScrollContainer
          minWidth={560}
          scrollAreaProps={{ viewportProps: { role: 'group', 'aria-label': 'Engine errors', tabIndex: 0 } }}
        >
          <Table aria-label="Engine errors" verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Endpoint</Table.Th>
                <Table.Th>Provider</Table.Th>
                <Table.Th ta="right">Calls</Table.Th>
                <Table.Th ta="right">Failed</Table.Th>
                <Table.Th ta="right">Error rate</Table.Th>
                <Table.Th>Answers</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {engines.map(({ endpoint, provider, calls, failed, statuses }) => (
                <Table.Tr key={`${endpoint} ${provider}`}>
                  <Table.Td>/{endpoint}</Table.Td>
                  <Table.Td>{provider}</Table.Td>
                  <Table.Td ta="right">{count(calls)}</Table.Td>
                  <Table.Td ta="right">{count(failed)}</Table.Td>
                  <Table.Td ta="right">{share(failed, calls)}</Table.Td>
                  <Table.Td>
                    <Group gap={6}>
                      {statuses.map((one) => (
                        <Group gap={4} key={String(one.status)} wrap="nowrap">
                          <StatusBadge status={one.status} />
                          <Text size="xs">× {count(one.calls)}</Text>
                        </Group>
                      ))}
                    </Group>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Section>
  );
}

/** A name that an address asks for is shown as chosen, whether there is anything of it or not. */
const withChosen = (names: readonly Choice[], chosen: string | undefined): readonly Choice[] =>
  chosen === undefined || names.some(({ value }) => value === chosen)
    ? names
    : [{ value: chosen, label: chosen }, ...names];

/** What the bars of a chart are stacked by. */
const BY = { endpoint: 'Endpoint', model: 'Model', subject: 'Person' };

const asChoice = (name: string): Choice => ({ value: name, label: name });

/** Two providers may serve models of one slug: a model is chosen with its provider, whose slug contains no slash. */
const modelChoice = ({ slug, provider }: ModelName): Choice => ({
  value: `${provider ?? ''}/${slug}`,
  label: provider === null ? slug : `${slug} · ${provider}`,
});

function modelFilter(chosen: string | undefined): { model?: string; provider?: string } {
  if (chosen === undefined) return {};
  const slash = chosen.indexOf('/');
  return { model: chosen.slice(slash + 1), ...(slash > 0 && { provider: chosen.slice(0, slash) }) };
}

/** At which prices a record costs what it costs, in euros per million tokens. */
function pricesOf({ pricedAs, inputPrice, cachedInputPrice, cacheWritePrice, outputPrice }: UsageRecord): string {
  if (inputPrice === null) return 'The prices of this model are no longer known.';
  const prices = [
    ['input', inputPrice],
    ['cached', cachedInputPrice],
    ['cache write', cacheWritePrice],
    ['output', outputPrice],
  ] as const;
  const said = prices.map(([name, price]) => `${name} ${euros(perMillion(price ?? 0))}`).join(', ');
  return `Per million tokens: ${said}. ${pricedAs === 'current' ? 'Current prices' : 'Prices at the end of that month'}.`;
}

/** Consumption: charts and totals of the selected records, and the records themselves. */
export function UsagePage() {
  const { period, choice: periodChoice, show } = usePeriod();
  const { values, set } = useSearchParams({ endpoint: text, model: text, subject: text, by: oneOf(Object.keys(BY)) });
  const { by = 'endpoint', ...chosen } = values;
  const names = useRead<UsageNames>('/api/usage/filters');
  const { model, ...others } = chosen;
  const filters = { ...others, ...modelFilter(model), from: period.from, until: period.until };
  const summary = useRead<UsageSummary>(listPath('/api/usage/summary', { ...filters, stretch: period.stretch }));
  const earlier = periodBefore(period);
  const before = useRead<UsageSummary>(listPath('/api/usage/summary', { ...filters, ...earlier }));
  const seriesOf = (of: Period) => listPath('/api/consumption/series', { ...filters, ...of, by });
  const series = useRead<ConsumptionSeries>(seriesOf(period));
  const seriesBefore = useRead<ConsumptionSeries>(seriesOf(earlier));
  const records = useList<UsageRecord>('/api/usage', 'usage', filters, '');
  // A reader with the right to the sums only chooses among the names they contain.
  const namesOf = (kind: 'endpoints' | 'subjects') =>
    (names.data?.[kind] ?? summary.data?.[kind].map(({ name }) => name))?.map(asChoice);
  const models = names.data?.models ?? summary.data?.models.map(({ name, provider }) => ({ slug: name, provider }));
  const choice = (name: 'endpoint' | 'model' | 'subject', label: string, data: readonly Choice[] = []) => (
    <Select
      size="xs"
      w={170}
      clearable
      label={label}
      placeholder={`Every ${name}`}
      {...many(withChosen(data, chosen[name]))}
      value={chosen[name] ?? null}
      onChange={(value) => set(name, value)}
    />
  );
  return (
    <Stack gap="xl">
      <Section
        title="Usage"
        about="Tokens, cost and latency of every relayed call, by days and hours in UTC. The current month counts at current prices; closed months keep the prices they ended with. Neither requests nor answers are kept."
        actions={
          <>
            {periodChoice}
            {choice('endpoint', 'Endpoint', namesOf('endpoints'))}
            {choice('model', 'Model', models?.map(modelChoice))}
            {choice('subject', 'Subject', namesOf('subjects'))}
          </>
        }
      >
        <Fault
          error={summary.error}
          retry={summary.refetch}
          {...(summary.data === undefined ? {} : { since: summary.dataUpdatedAt })}
        />
        <ReadFault of={[names]} part="the names to choose from" />
        <ReadFault of={[before, series, seriesBefore]} part="charts and the period before" />
        {summary.isPending && <SummaryLoading />}
        {summary.data !== undefined && (
          <Stack aria-busy={summary.isPlaceholderData} style={{ opacity: summary.isPlaceholderData ? 0.6 : 1 }}>
            <Summary
              summary={summary.data}
              before={before.data}
              period={period}
              show={show}
              charts={(cost) => (
                <>
                  {series.data !== undefined && series.data.steps.length > 0 && (
                    <>
                      <Group gap="xs">
                        <Text size="sm">Stacked by</Text>
                        <SegmentedControl
                          size="xs"
                          aria-label="Stacked by"
                          value={by}
                          onChange={(next) => set('by', next === 'endpoint' ? null : next)}
                          data={Object.entries(BY).map(([value, label]) => ({ value, label }))}
                        />
                        <Text size="xs" c="dimmed">
                          Drag over a chart to see a part of it. Dashed: the period before.
                        </Text>
                      </Group>
                      <SeriesCharts now={series.data} before={seriesBefore.data} period={period} show={show}>
                        {cost}
                      </SeriesCharts>
                    </>
                  )}
                </>
              )}
            />
          </Stack>
        )}
      </Section>
      <Engines filters={filters} />
      <Section title="Records" actions={<ExportLinks path="/api/usage" filters={filters} />} reading={records.query}>
        <DataTable
          label="Usage records"
          list={records}
          usual="-timestamp"
          rowKey={({ id }) => id}
          minWidth={1240}
          empty={<Text size="sm">No call was relayed in this period.</Text>}
          columns={[
            { title: 'When (UTC)', sort: 'timestamp', cell: ({ timestamp }) => <Time at={timestamp} /> },
            {
              title: 'Subject',
              sort: 'subject',
              cell: ({ subject }) => (
                <ClampedLink lines={2} miw={120} href={`#users?${new URLSearchParams({ search: subject })}`}>
                  {subject}
                </ClampedLink>
              ),
            },
            {
              title: 'Endpoint',
              sort: 'endpoint',
              cell: ({ endpoint }) => <Clamped lines={2} miw={110}>{`/${endpoint}`}</Clamped>,
            },
            {
              title: 'Model',
              sort: 'model',
              cell: ({ model, provider }) => (
                <Text
                  size="sm"
                  lineClamp={2}
                  miw={120}
                  title={`${model} ${provider ?? ''}`}
                  style={{ overflowWrap: 'anywhere' }}
                >
                  <OfProvider name={model} provider={provider} />
                </Text>
              ),
            },
            { title: 'Input', sort: 'inputTokens', align: 'right', cell: ({ inputTokens }) => count(inputTokens) },
            {
              title: 'Cached',
              sort: 'cachedInputTokens',
              align: 'right',
              cell: ({ cachedInputTokens }) => count(cachedInputTokens),
            },
            {
              title: 'Cache write',
              sort: 'cacheWriteTokens',
              align: 'right',
              cell: ({ cacheWriteTokens }) => count(cacheWriteTokens),
            },
            { title: 'Output', sort: 'outputTokens', align: 'right', cell: ({ outputTokens }) => count(outputTokens) },
            {
              title: 'Cost',
              sort: 'cost',
              align: 'right',
              cell: (record) => <span title={pricesOf(record)}>{callCost(record.cost)}</span>,
            },
            { title: 'Latency', sort: 'latencyMs', align: 'right', cell: ({ latencyMs }) => duration(latencyMs) },
            {
              title: 'Notes',
              cell: ({ usageSource, interrupted, pricedAs }) => (
                <>
                  {usageSource === 'estimated' && <Outcome of="estimated" />}{' '}
                  {usageSource === 'none' && <Outcome of="no usage" />} {interrupted && <Outcome of="interrupted" />}{' '}
                  {pricedAs === 'month-end' && <Outcome of="month-end prices" />}
                </>
              ),
            },
          ]}
        />
      </Section>
    </Stack>
  );
}
