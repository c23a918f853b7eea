import type { Queryable } from '../../connect.ts';
import { all, type Fragment, given } from '../conditions.ts';
import { chosenUsage, type UsageFilter } from './usage.ts';
import { DAY, type Piece, piecesOf } from './usage-pieces.ts';

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

/** A period that holds nothing still makes a statement. */
const NO_PIECE: readonly Piece[] = [{ of: 'day', from: 0, until: 0 }];

/** How far back a series goes, in milliseconds: what lies before is in the totals and parts alone. */
const LONGEST_SERIES = { hour: 3 * DAY, day: 62 * DAY, month: Number.POSITIVE_INFINITY };

const bounded = (at: number) => (Number.isFinite(at) ? at : null);

/** The chosen records of one piece of the period, or the sums kept of them, as rows of one form. */
function cellsOf(sql: Queryable, names: readonly (Fragment | null)[], { of, from, until }: Piece): Fragment {
  const [start, end] = [bounded(from), bounded(until)];
  if (of === 'record') {
    const chosen = all(sql, [
      ...names,
      given(start, (at) => sql`record.timestamp >= to_timestamp(${at / 1000}::float8)`),
      given(end, (at) => sql`record.timestamp < to_timestamp(${at / 1000}::float8)`),
    ]);
    return sql`
      select date_trunc('hour', timestamp at time zone 'UTC') as at, subject, endpoint, model, model_id, 1::bigint as requests,
        interrupted::int::bigint as interrupted, (usage_source = 'estimated')::int::bigint as estimated,
        input_tokens::float8 as input_tokens, output_tokens::float8 as output_tokens, latency_ms::float8 as latency_ms
      from request_logs record where ${chosen}`;
  }
  const chosen = all(sql, [
    ...names,
    given(start, (at) => sql`starts >= date '1970-01-01' + ${at / DAY}::integer`),
    given(end, (at) => sql`starts < date '1970-01-01' + ${at / DAY}::integer`),
  ]);
  const columns = sql`
    starts::timestamp as at, subject, endpoint, model, model_id, requests, interrupted, estimated, input_tokens, output_tokens,
    latency_ms`;
  return sql`
    select ${columns} from usage_sums record where stretch = ${of} and ${chosen}
    union all select ${columns} from usage_unsummed record where ${chosen}`;
}

/** The pieces of a period one after another, as a table called `cell`. */
function cells(sql: Queryable, filter: UsageFilter, pieces: readonly Piece[]): Fragment {
  const names = chosenUsage(sql, { ...filter, from: null, until: null });
  const [first, ...rest] = (pieces.length === 0 ? NO_PIECE : pieces).map((piece) => cellsOf(sql, names, piece));
  return sql`(${rest.reduce((joined, part) => sql`${joined} union all ${part}`, first ?? sql``)}) cell`;
}

/**
 * Sums the chosen records for everything a page of usage shows, so that its charts and its table agree. What lies in whole days
 * and months is read as the sums that are kept, and the few records not yet among them, so that the time does not grow with
 * the number of records.
 * @param stretch length of one step of the series, cut in UTC; a series by hour goes back 3 days, one by day 62
 */
export async function summarizeUsage(
  sql: Queryable,
  filter: UsageFilter,
  stretch: 'hour' | 'day' | 'month',
): Promise<UsageSummary> {
  const from = filter.from === null ? Number.NEGATIVE_INFINITY : Date.parse(filter.from);
  const until = filter.until === null ? Number.POSITIVE_INFINITY : Date.parse(filter.until);
  const whole = cells(sql, filter, piecesOf(from, until, 'month'));
  const earliest = Math.min(until, Date.now()) - LONGEST_SERIES[stretch];
  const coarsest = stretch === 'hour' ? 'record' : stretch;
  const series = cells(sql, filter, piecesOf(Math.max(from, earliest), until, coarsest));
  const sums = sql`sum(requests) as requests, sum(interrupted) as interrupted, sum(estimated) as estimated,
    sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens, sum(latency_ms) as latency`;
  // Three plain groupings: each is counted by several workers at once, which one with grouping sets is not.
  const rows = await sql<Row[]>`
    with counted as (
      select 'series' as kind, at as step, null as part, null as model, model_id, ${sums}
      from ${series} group by at, model_id
      union all
      select 'subject', null, subject, null, model_id, ${sums} from ${whole} group by subject, model_id
      union all
      select 'endpoint', null, endpoint, model, model_id, ${sums} from ${whole} group by endpoint, model, model_id
    ), priced as (
      select counted.*, coalesce(part, to_char(date_trunc(${stretch}, step), ${STEP})) as name, input_tokens * coalesce(price.per_input_token, 0)
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
