import { type DecisionEntry, listDecisions } from '@gateway/database/audit-log/lists';
import { CONSUMPTION_BY, type Consumption, listConsumption, type Percentiles } from '@gateway/domain/usage/console';
import { checkPeriod, checkWord } from '../context/check.ts';
import { type Context, print } from '../context/context.ts';
import { checkLimit, printList, table } from '../context/list.ts';
import { withDatabase } from '../context/owner-database.ts';

export interface DecisionsOptions {
  readonly subject?: string;
  readonly outcome?: string;
  readonly reason?: string;
  readonly from?: string;
  readonly until?: string;
  readonly limit: string;
}

/** `decisions`: searches the decision log, the newest entries first. */
export async function runDecisions(context: Context, options: DecisionsOptions): Promise<void> {
  const { subject = null, outcome, reason = null } = options;
  const filter = {
    sequence: null,
    subject,
    subjectPart: null,
    resourcePart: null,
    outcome: outcome === undefined ? null : checkWord(outcome, ['granted', 'refused'], '--outcome'),
    permission: null,
    reason,
    resource: null,
    session: null,
    component: null,
    requestId: null,
    ...checkPeriod(options),
  };
  const limit = checkLimit(options.limit) ?? null;
  const found = await withDatabase(context.environment, (sql) => listDecisions(sql, filter, { limit, after: null }));
  const listing = {
    header: ['AT', 'OUTCOME', 'STATUS', 'REASON', 'SUBJECT', 'RESOURCE'],
    values: limit === null ? found : found.slice(0, limit),
    row: ({ at, outcome: came, status, reason: why, subject: who, resource }: DecisionEntry) => [
      at.toISOString(),
      came,
      String(status),
      why,
      who ?? '',
      resource,
    ],
    none: 'No decision was found.',
  };
  await printList(context, listing, undefined);
  if (!context.json && limit !== null && found.length > limit)
    context.terminal.report(`The newest ${limit} are shown. Raise --limit to see more.\n`);
}

export interface UsageOptions {
  readonly by: string;
  readonly from?: string;
  readonly until?: string;
}

/** `usage [--by endpoint|model|subject]`: calls, tokens and times, as `GET /api/consumption` of the console. */
export async function runUsage(context: Context, options: UsageOptions): Promise<void> {
  const by = checkWord(options.by, CONSUMPTION_BY, '--by');
  const filter = { by, ...checkPeriod(options) };
  const rows = await withDatabase(context.environment, (sql) =>
    listConsumption(sql, filter, { limit: null, after: null }),
  );
  const header = [
    by.toUpperCase(),
    'CALLS',
    'INPUT',
    'CACHED',
    'OUTPUT',
    'MS P50',
    'P95',
    'P99',
    'FIRST BYTE P50',
    'P95',
    'P99',
  ];
  const lines =
    rows.length === 0 ? ['No call was recorded.'] : table(header, rows.map(cellsOf), context.terminal.columns);
  await print(context, { rows, next: null }, lines);
}

function cellsOf({ name, calls, inputTokens, cachedInputTokens, outputTokens, latencyMs, firstTokenMs }: Consumption) {
  const numbers = [calls, inputTokens, cachedInputTokens, outputTokens].map(String);
  return [name, ...numbers, ...times(latencyMs), ...times(firstTokenMs)];
}

const times = (of: Percentiles | null): readonly string[] =>
  of === null ? ['-', '-', '-'] : [of.p50, of.p95, of.p99].map(String);
