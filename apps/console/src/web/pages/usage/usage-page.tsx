import { Select, Stack, Text } from '@mantine/core';
import { listPath, useList } from '../../api/list.ts';
import type { UsageNames, UsageRecord, UsageSummary } from '../../api/objects.ts';
import { useRead } from '../../api/read.ts';
import { useWords } from '../../place/use-words.ts';
import { text } from '../../place/words.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ExportLinks } from '../../ui/export-links.tsx';
import { Fault } from '../../ui/fault.tsx';
import { many } from '../../ui/many.ts';
import { count, duration } from '../../ui/numbers.ts';
import { Outcome } from '../../ui/outcome.tsx';
import { callCost } from '../../ui/prices.ts';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { usePeriod } from './period.tsx';
import { Summary, SummaryLoading } from './summary.tsx';

/** A name that an address asks for is shown as chosen, whether there is anything of it or not. */
const withChosen = (names: readonly string[], chosen: string | undefined): readonly string[] =>
  chosen === undefined || names.includes(chosen) ? names : [chosen, ...names];

/** What was consumed: charts and totals of the chosen records, and the records themselves. */
export function UsagePage() {
  const { period, choice: periodChoice } = usePeriod();
  const { values: chosen, set } = useWords({ endpoint: text, model: text, subject: text });
  const names = useRead<UsageNames>('/api/usage/filters');
  const filters = { ...chosen, from: period.from };
  const summary = useRead<UsageSummary>(listPath('/api/usage/summary', { ...filters, stretch: period.stretch }));
  const records = useList<UsageRecord>('/api/usage', 'usage', filters, '');
  // Whoever may read the sums alone chooses among what they name.
  const namesOf = (kind: keyof UsageNames) => names.data?.[kind] ?? summary.data?.[kind].map(({ name }) => name);
  const choice = (name: 'endpoint' | 'model' | 'subject', label: string, data: readonly string[] = []) => (
    <Select
      size="xs"
      w={170}
      clearable
      label={label}
      placeholder={`Every ${name}`}
      {...many(withChosen(data, chosen[name]).map((one) => ({ value: one, label: one })))}
      value={chosen[name] ?? null}
      onChange={(value) => set(name, value)}
    />
  );
  return (
    <Stack gap="xl">
      <Section
        title="Usage"
        about="Tokens, cost at current prices and latency of every relayed call, by days and hours in UTC. Neither requests nor answers are kept."
        actions={
          <>
            {periodChoice}
            {choice('endpoint', 'Endpoint', namesOf('endpoints'))}
            {choice('model', 'Model', namesOf('models'))}
            {choice('subject', 'Subject', namesOf('subjects'))}
          </>
        }
      >
        <Fault
          error={summary.error}
          retry={summary.refetch}
          {...(summary.data === undefined ? {} : { since: summary.dataUpdatedAt })}
        />
        {summary.isPending && <SummaryLoading />}
        {summary.data !== undefined && (
          <Stack aria-busy={summary.isPlaceholderData} style={{ opacity: summary.isPlaceholderData ? 0.6 : 1 }}>
            <Summary summary={summary.data} period={period} />
          </Stack>
        )}
      </Section>
      <Section title="Records" actions={<ExportLinks path="/api/usage" filters={filters} />} reading={records.query}>
        <DataTable
          label="Usage records"
          list={records}
          rowKey={({ id }) => id}
          minWidth={960}
          empty={<Text size="sm">No call was relayed in this period.</Text>}
          columns={[
            { title: 'When (UTC)', cell: ({ timestamp }) => <Time at={timestamp} /> },
            { title: 'Subject', cell: ({ subject }) => subject },
            { title: 'Endpoint', cell: ({ endpoint }) => `/${endpoint}` },
            { title: 'Model', cell: ({ model }) => model },
            { title: 'Input', align: 'right', cell: ({ inputTokens }) => count(inputTokens) },
            { title: 'Output', align: 'right', cell: ({ outputTokens }) => count(outputTokens) },
            { title: 'Cost', align: 'right', cell: ({ cost }) => callCost(cost) },
            { title: 'Latency', align: 'right', cell: ({ latencyMs }) => duration(latencyMs) },
            {
              title: 'Notes',
              cell: ({ usageSource, interrupted }) => (
                <>
                  {usageSource === 'estimated' && <Outcome of="estimated" />}{' '}
                  {interrupted && <Outcome of="interrupted" />}
                </>
              ),
            },
          ]}
        />
      </Section>
    </Stack>
  );
}
