import { CONSUMPTION_BY, type Consumption, listConsumption, type Percentiles } from '@gateway/database/console';
import { type Context, print } from '../context/context.ts';
import { table } from '../context/list.ts';
import { checkPeriod, checkWord } from '../operator/check.ts';
import { withDatabase } from '../operator/owner-database.ts';

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
