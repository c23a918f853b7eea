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
  const rows = await sql<Row[]>`
    with priced as materialized (
      select date_trunc(${stretch}, record.timestamp at time zone 'UTC') as step, record.endpoint, record.model, record.subject,
        count(*) as requests, count(*) filter (where record.interrupted) as interrupted,
        count(*) filter (where record.usage_source = 'estimated') as estimated,
        sum(record.input_tokens) as input_tokens, sum(record.output_tokens) as output_tokens, sum(record.latency_ms) as latency,
        sum(record.input_tokens) * coalesce(max(price.per_input_token), 0)
          + sum(record.output_tokens) * coalesce(max(price.per_output_token), 0) as cost
      from request_logs record left join model_prices price on price.model_id = record.model_id
      where ${all(sql, chosenUsage(sql, filter))}
      group by 1, 2, 3, 4, record.model_id
    ), grouped as (
      select case when grouping(step) = 0 then 'series' when grouping(endpoint) = 0 then 'endpoint'
          when grouping(model) = 0 then 'model' when grouping(subject) = 0 then 'subject' else 'totals' end as kind,
        case when grouping(step) = 0 then to_char(step, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          else coalesce(endpoint, model, subject) end as name,
        coalesce(sum(requests), 0)::float8 as requests, coalesce(sum(interrupted), 0)::float8 as interrupted,
        coalesce(sum(estimated), 0)::float8 as estimated, coalesce(sum(input_tokens), 0)::float8 as "inputTokens",
        coalesce(sum(output_tokens), 0)::float8 as "outputTokens", coalesce(sum(cost), 0)::float8 as cost,
        (sum(latency) / sum(requests))::float8 as "latencyMs"
      from priced group by grouping sets ((), (step), (endpoint), (model), (subject))
    )
    select * from (select grouped.*, row_number() over (partition by kind order by
      case when kind = 'series' then name end desc, requests desc, name) as place from grouped) placed
    where place <= ${MOST_PARTS} order by place`;
  const parts = (kind: Row['kind']): UsagePart[] =>
    rows.filter((row) => row.kind === kind).map((row) => ({ name: row.name ?? '', ...sumsOf(row) }));
  const [totals] = rows.filter(({ kind }) => kind === 'totals');
  if (totals === undefined) throw new Error('grouping by nothing gives one row');
  return {
    totals: sumsOf(totals),
    series: parts('series').reverse(),
    endpoints: parts('endpoint'),
    models: parts('model'),
    subjects: parts('subject'),
  };
}

function sumsOf({ requests, interrupted, estimated, inputTokens, outputTokens, cost, latencyMs }: Row): UsageSums {
  return { requests, interrupted, estimated, inputTokens, outputTokens, cost, latencyMs };
}
