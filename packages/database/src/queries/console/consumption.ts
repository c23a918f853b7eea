import type { Queryable } from '../../client/connect.ts';
import { all, whenPresent } from './conditions.ts';
import { limitRows, type Page, type Rows, reading } from './pages.ts';

/** Milliseconds within which a half, 95 % and 99 % of the calls were answered. */
export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** What the calls of one endpoint, model or person used. Nothing of it is billed. */
export interface Consumption {
  readonly name: string;
  readonly calls: number;
  readonly inputTokens: number;
  /** Part of the input. */
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly latencyMs: Percentiles;
  /** To the first byte of the answer's body; null where no call had one. */
  readonly firstTokenMs: Percentiles | null;
}

export const CONSUMPTION_BY = ['endpoint', 'model', 'subject'] as const;

export interface ConsumptionFilter {
  readonly by: (typeof CONSUMPTION_BY)[number];
  readonly from: string | null;
  readonly until: string | null;
}

/** Sums of the usage records, those of the most calls first. */
export function listConsumption(
  sql: Queryable,
  { by, from, until }: ConsumptionFilter,
  page: Page<readonly [calls: number, name: string]>,
): Rows<Consumption> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [
    whenPresent(from, (at) => sql`timestamp >= ${at}::timestamptz`),
    whenPresent(until, (at) => sql`timestamp < ${at}::timestamptz`),
  ]);
  const after = all(sql, [
    whenPresent(page.after, ([calls, name]) => sql`(calls, name) ${past} (${calls}::float8, ${name}::text)`),
  ]);
  const percentiles = (column: 'latency_ms' | 'first_token_ms') =>
    sql`percentile_disc(array[0.5, 0.95, 0.99]) within group (order by ${sql(column)})`;
  const named = (column: 'latencies' | 'firsts') =>
    sql`json_build_object('p50', ${sql(column)}[1], 'p95', ${sql(column)}[2], 'p99', ${sql(column)}[3])`;
  return sql`
    select name, calls, "inputTokens", "cachedInputTokens", "outputTokens", ${named('latencies')} as "latencyMs",
      case when firsts is not null and firsts[1] is not null then ${named('firsts')} end as "firstTokenMs"
    from (
      select ${sql(by)} as name, count(*)::float8 as calls, sum(input_tokens)::float8 as "inputTokens",
        sum(cached_input_tokens)::float8 as "cachedInputTokens", sum(output_tokens)::float8 as "outputTokens",
        ${percentiles('latency_ms')} as latencies, ${percentiles('first_token_ms')} as firsts
      from request_logs where ${chosen} group by 1
    ) summed where ${after} order by calls ${way}, name ${way} ${limitRows(sql, page.limit)}`;
}

/** What a subject used in the current month (UTC). */
export async function readOwnConsumption(
  sql: Queryable,
  subject: string,
): Promise<Pick<Consumption, 'calls' | 'inputTokens' | 'outputTokens'>> {
  const [row] = await sql<Pick<Consumption, 'calls' | 'inputTokens' | 'outputTokens'>[]>`
    select count(*)::float8 as calls, coalesce(sum(input_tokens), 0)::float8 as "inputTokens",
      coalesce(sum(output_tokens), 0)::float8 as "outputTokens"
    from request_logs where subject = ${subject} and timestamp >= date_trunc('month', now(), 'UTC')`;
  if (row === undefined) throw new Error('a select without a row');
  return row;
}
