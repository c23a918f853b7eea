import type { Queryable } from '../../connect.ts';
import { all } from '../conditions.ts';
import { chosenUsage, type UsageFilter } from './usage.ts';

/** Sums over usage records; the cost is euros at current prices, latency the mean of its records in milliseconds. */
export interface UsageSums {
  readonly requests: number;
  readonly interrupted: number;
  readonly estimated: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cost: number;
  readonly latencyMs: number | null;
}

/** What one part of the records sums to: a stretch of time, an endpoint, a model or a subject. */
export type UsagePart = UsageSums & { readonly name: string };

export interface UsageSummary {
  readonly totals: UsageSums;
  /** By stretch of time, named by its beginning; stretches without a record are left out. */
  readonly series: readonly UsagePart[];
  readonly endpoints: readonly UsagePart[];
  readonly models: readonly UsagePart[];
  readonly subjects: readonly UsagePart[];
}

/** Most parts of one kind; what is left is in the totals. */
const MOST_PARTS = 500;

/** How the series names its steps: ISO 8601, UTC, milliseconds. */
const STEP = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';

const NOTHING: UsageSums = {
  requests: 0,
  interrupted: 0,
  estimated: 0,
  inputTokens: 0,
  outputTokens: 0,
  cost: 0,
  latencyMs: null,
};

interface Row extends UsageSums {
  readonly kind: 'totals' | 'series' | 'endpoint' | 'model' | 'subject';
  readonly name: string | null;
}

/**
 * Sums the chosen records once for everything a page of usage shows, so that its charts and its table agree.
 * @param stretch length of one step of the series, cut in UTC
 */
export async function summarizeUsage(
  sql: Queryable,
  filter: UsageFilter,
  stretch: 'hour' | 'day' | 'month',
): Promise<UsageSummary> {
  const chosen = all(sql, chosenUsage(sql, filter));
  const sums = sql`count(*) as requests, count(*) filter (where record.interrupted) as interrupted,
    count(*) filter (where record.usage_source = 'estimated') as estimated, sum(record.input_tokens::float8) as input_tokens,
    sum(record.output_tokens::float8) as output_tokens, sum(record.latency_ms) as latency`;
  // Three plain groupings: each is counted by several workers at once, which one with grouping sets is not.
  const rows = await sql<Row[]>`
    with counted as (
      select 'series' as kind, date_trunc(${stretch}, record.timestamp at time zone 'UTC') as step, null as part, null as model,
        record.model_id, ${sums}
      from request_logs record where ${chosen} group by 2, record.model_id
      union all
      select 'subject', null, record.subject, null, record.model_id, ${sums}
      from request_logs record where ${chosen} group by record.subject, record.model_id
      union all
      select 'endpoint', null, record.endpoint, record.model, record.model_id, ${sums}
      from request_logs record where ${chosen} group by record.endpoint, record.model, record.model_id
    ), priced as (
      select counted.*, coalesce(part, to_char(step, ${STEP})) as name, input_tokens * coalesce(price.per_input_token, 0)
        + output_tokens * coalesce(price.per_output_token, 0) as cost
      from counted left join model_prices price on price.model_id = counted.model_id
    ), named as (
      select kind, name, requests, interrupted, estimated, input_tokens, output_tokens, latency, cost from priced
      union all
      select 'model', model, requests, interrupted, estimated, input_tokens, output_tokens, latency, cost
      from priced where kind = 'endpoint'
      union all
      select 'totals', null, requests, interrupted, estimated, input_tokens, output_tokens, latency, cost
      from priced where kind = 'endpoint'
    ), summed as (
      select kind, name, sum(requests)::float8 as requests, sum(interrupted)::float8 as interrupted,
        sum(estimated)::float8 as estimated, sum(input_tokens)::float8 as "inputTokens",
        sum(output_tokens)::float8 as "outputTokens", sum(cost)::float8 as cost,
        (sum(latency) / sum(requests))::float8 as "latencyMs"
      from named group by kind, name
    )
    select * from (select summed.*, row_number() over (partition by kind order by
      case when kind = 'series' then name end desc, requests desc, name) as place from summed) placed
    where place <= ${MOST_PARTS} order by place`;
  const parts = (kind: Row['kind']): UsagePart[] =>
    rows.filter((row) => row.kind === kind).map((row) => ({ name: row.name ?? '', ...sumsOf(row) }));
  const totals = rows.find(({ kind }) => kind === 'totals');
  return {
    totals: totals === undefined ? NOTHING : sumsOf(totals),
    series: parts('series').reverse(),
    endpoints: parts('endpoint'),
    models: parts('model'),
    subjects: parts('subject'),
  };
}

function sumsOf({ requests, interrupted, estimated, inputTokens, outputTokens, cost, latencyMs }: Row): UsageSums {
  return { requests, interrupted, estimated, inputTokens, outputTokens, cost, latencyMs };
}
