import type { Queryable } from '@gateway/database';
import { all, type Fragment, whenPresent } from '@gateway/database/client/conditions';
import {
  addPosition,
  type InstantKey,
  type Page,
  type Rows,
  reading,
  type SortType,
} from '@gateway/database/client/pages';
import { cost, pricesOf } from '../plan/console.ts';

/**
 * A usage record for the console. The cost is euros, at the shown prices (euros per token): the current ones in the current
 * month, the final ones in a closed month (console-22, console-24). Null: the model's prices are unknown.
 */
export interface UsageRecord {
  readonly id: string;
  readonly timestamp: Date;
  readonly subject: string;
  readonly endpoint: string;
  readonly model: string;
  /** Slug of the model's provider; null where it is unknown. */
  readonly provider: string | null;
  /** All of the input, and the parts of it that were read from a cache and written to one. */
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly latencyMs: number;
  readonly usageSource: 'reported' | 'estimated' | 'none';
  readonly interrupted: boolean;
  readonly cost: number;
  readonly pricedAs: 'current' | 'month-end';
  readonly inputPrice: number | null;
  readonly cachedInputPrice: number | null;
  readonly cacheWritePrice: number | null;
  readonly outputPrice: number | null;
}

/** The columns of a list of records, in the order of its files; those by which it can be sorted besides its own order have a type. */
export const USAGE_COLUMNS = {
  timestamp: null,
  subject: 'text',
  endpoint: 'text',
  model: 'text',
  provider: null,
  inputTokens: 'float8',
  cachedInputTokens: 'float8',
  cacheWriteTokens: 'float8',
  outputTokens: 'float8',
  cost: 'float8',
  pricedAs: null,
  inputPrice: null,
  cachedInputPrice: null,
  cacheWritePrice: null,
  outputPrice: null,
  latencyMs: 'float8',
  usageSource: null,
  interrupted: null,
  id: null,
} as const satisfies Readonly<Record<keyof UsageRecord, SortType | null>>;

export interface UsageFilter {
  readonly subject: string | null;
  readonly endpoint: string | null;
  readonly model: string | null;
  /** Slug of the model's provider. */
  readonly provider: string | null;
  /** Records of the members of a project. */
  readonly project: string | null;
  readonly from: string | null;
  readonly until: string | null;
}

/** The records a filter chooses; the table is called `used`. */
export const chosenUsage = (sql: Queryable, filter: UsageFilter) => [
  whenPresent(filter.subject, (subject) => sql`used.subject = ${subject}`),
  whenPresent(filter.endpoint, (endpoint) => sql`used.endpoint = ${endpoint}`),
  whenPresent(filter.model, (model) => sql`used.model = ${model}`),
  whenPresent(
    filter.provider,
    (slug) => sql`used.model_id in (select o.model_id from model_providers o where o.provider = ${slug})`,
  ),
  whenPresent(
    filter.project,
    (project) => sql`used.subject in (select m.subject from project_members m where m.project = ${project})`,
  ),
  whenPresent(filter.from, (at) => sql`used.timestamp >= ${at}::timestamptz`),
  whenPresent(filter.until, (at) => sql`used.timestamp < ${at}::timestamptz`),
];

/** Usage records, the newest first. */
export function listUsage(sql: Queryable, filter: UsageFilter, page: Page<InstantKey>): Rows<UsageRecord> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [
    ...chosenUsage(sql, filter),
    whenPresent(page.after, ([at, id]) => sql`(used.timestamp, used.id) ${past} (${at}::timestamptz, ${id}::uuid)`),
  ]);
  return addPosition(
    sql,
    sql`
    select used.id, used.timestamp, used.subject, used.endpoint, used.model, origin.provider,
      used.input_tokens::float8 as "inputTokens", used.cached_input_tokens::float8 as "cachedInputTokens",
      used.cache_write_tokens::float8 as "cacheWriteTokens", used.output_tokens::float8 as "outputTokens",
      used.latency_ms as "latencyMs", used.usage_source as "usageSource", used.interrupted, ${cost(sql)}::float8 as cost,
      case when used.timestamp < date_trunc('month', now(), 'UTC') then 'month-end' else 'current' end as "pricedAs",
      price.per_input_token::float8 as "inputPrice", price.per_cached_token::float8 as "cachedInputPrice",
      price.per_write_token::float8 as "cacheWritePrice", price.per_output_token::float8 as "outputPrice"
    from request_logs used left join model_providers origin on origin.model_id = used.model_id
    ${pricesOf(sql, sql`date_trunc('month', used.timestamp at time zone 'UTC')`)}
    where ${chosen}`,
    sql`used.timestamp ${way}, used.id ${way}`,
    page,
  );
}

/** Names that occur in the records, to choose a filter from: at most a thousand of each. */
export interface UsageNames {
  readonly subjects: readonly string[];
  readonly endpoints: readonly string[];
  /** Two providers may serve a model of one slug. */
  readonly models: readonly ModelName[];
}

/** A model as records name it: the provider is null where it is unknown. */
export interface ModelName {
  readonly slug: string;
  readonly provider: string | null;
}

const MOST_NAMES = 1000;

/**
 * The names in use. Each is found by one index step from the previous one, so that the time grows with the number of names and
 * not of records; models are read from the sums.
 */
export async function readUsageNames(sql: Queryable): Promise<UsageNames> {
  const names = (column: 'subject' | 'endpoint') => sql`array(
    with recursive step (name) as (
      (select ${sql(column)} from request_logs order by ${sql(column)} limit 1)
      union all
      select (select ${sql(column)} from request_logs r where r.${sql(column)} > step.name order by ${sql(column)} limit 1)
      from step where step.name is not null
    ) select name from step where name is not null limit ${MOST_NAMES})`;
  const [row] = await sql<UsageNames[]>`
    select ${names('subject')} as subjects, ${names('endpoint')} as endpoints, (
      select coalesce(json_agg(json_build_object('slug', model, 'provider', provider) order by model, provider), '[]')
      from (
        select distinct used.model, origin.provider from (
          select model, model_id from usage_sums where stretch = 'month' union select model, model_id from usage_unsummed
        ) used left join model_providers origin on origin.model_id = used.model_id order by 1, 2 limit ${MOST_NAMES}
      ) named
    ) as models`;
  if (row === undefined) throw new Error('a select without a row');
  return row;
}

/** Part of a period: from this instant (inclusive) until that one (exclusive), in milliseconds since 1970; ±Infinity: open. */
export interface Piece {
  readonly of: 'record' | 'day' | 'month';
  readonly from: number;
  readonly until: number;
}

/** Milliseconds. */
export const DAY = 86_400_000;

/** The last beginning of a day or month, UTC, at or before an instant, and the first one at or after it. */
function beginningsAround(of: 'day' | 'month', at: number): readonly [before: number, after: number] {
  if (!Number.isFinite(at)) return [at, at];
  if (of === 'day') return [Math.floor(at / DAY) * DAY, Math.ceil(at / DAY) * DAY];
  const beginning = new Date(at);
  beginning.setUTCDate(1);
  const before = beginning.setUTCHours(0, 0, 0, 0);
  return [before, before === at ? at : beginning.setUTCMonth(beginning.getUTCMonth() + 1)];
}

const FINER = { month: 'day', day: 'record' } as const;

/**
 * Cuts a period into whole months, whole days and the remainders at its ends, all UTC: whole parts are read from stored sums, the
 * rest record by record. The pieces follow one another without a gap.
 * @param coarsest limits the unit: a series by day cannot be made of sums of months
 */
export function piecesOf(from: number, until: number, coarsest: Piece['of']): Piece[] {
  if (from >= until) return [];
  if (coarsest === 'record') return [{ of: 'record', from, until }];
  const finer = FINER[coarsest];
  const [, first] = beginningsAround(coarsest, from);
  const [last] = beginningsAround(coarsest, until);
  if (first >= last) return piecesOf(from, until, finer);
  return [...piecesOf(from, first, finer), { of: coarsest, from: first, until: last }, ...piecesOf(last, until, finer)];
}

/** Sums over usage records; the cost is euros at the prices of each month, latency the mean of its records in milliseconds. */
export interface UsageSums {
  readonly requests: number;
  readonly interrupted: number;
  readonly estimated: number;
  readonly inputTokens: number;
  /** Parts of the input: read from a cache, and written to one. */
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly cost: number;
  readonly latencyMs: number | null;
}

/** What one part of the records sums to: a stretch of time, an endpoint, a model or a subject. */
export type UsagePart = UsageSums & { readonly name: string };

/** The sums of a model's records; its provider is null where it is unknown. */
export type ModelPart = UsagePart & { readonly provider: string | null };

export interface UsageSummary {
  readonly totals: UsageSums;
  /** By stretch of time, named by its beginning; stretches without a record are left out. */
  readonly series: readonly UsagePart[];
  /** The dearest first, as are the models and subjects. */
  readonly endpoints: readonly UsagePart[];
  readonly models: readonly ModelPart[];
  readonly subjects: readonly UsagePart[];
  /** The total number, of which the lists above contain the first. */
  readonly counts: { readonly endpoints: number; readonly models: number; readonly subjects: number };
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
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  cost: 0,
  latencyMs: null,
};

interface Row extends UsageSums {
  readonly kind: 'totals' | 'series' | 'endpoint' | 'model' | 'subject';
  readonly name: string | null;
  readonly provider: string | null;
  /** Parts of this kind. */
  readonly parts: number;
}

/** An empty period still makes a statement. */
const NO_PIECE: readonly Piece[] = [{ of: 'day', from: 0, until: 0 }];

/** Maximum length of a series, in milliseconds: earlier records are only in the totals and parts. */
const LONGEST_SERIES = { hour: 3 * DAY, day: 62 * DAY, month: Number.POSITIVE_INFINITY };

const bounded = (at: number) => (Number.isFinite(at) ? at : null);

/** The chosen records of one piece of the period, or their stored sums, as rows of one form. */
function cellsOf(sql: Queryable, names: readonly (Fragment | null)[], { of, from, until }: Piece): Fragment {
  const [start, end] = [bounded(from), bounded(until)];
  if (of === 'record') {
    const chosen = all(sql, [
      ...names,
      whenPresent(start, (at) => sql`used.timestamp >= to_timestamp(${at / 1000}::float8)`),
      whenPresent(end, (at) => sql`used.timestamp < to_timestamp(${at / 1000}::float8)`),
    ]);
    return sql`
      select date_trunc('hour', timestamp at time zone 'UTC') as at, subject, endpoint, model, model_id, (started_by is null)::int::bigint as requests,
        interrupted::int::bigint as interrupted, (usage_source = 'estimated')::int::bigint as estimated,
        input_tokens::float8 as input_tokens, cached_input_tokens::float8 as cached_input_tokens,
        cache_write_tokens::float8 as cache_write_tokens, output_tokens::float8 as output_tokens, latency_ms::float8 as latency_ms
      from request_logs used where ${chosen}`;
  }
  const chosen = all(sql, [
    ...names,
    whenPresent(start, (at) => sql`starts >= date '1970-01-01' + ${at / DAY}::integer`),
    whenPresent(end, (at) => sql`starts < date '1970-01-01' + ${at / DAY}::integer`),
  ]);
  const columns = sql`
    starts::timestamp as at, subject, endpoint, model, model_id, requests, interrupted, estimated, input_tokens,
    cached_input_tokens, cache_write_tokens, output_tokens, latency_ms`;
  return sql`
    select ${columns} from usage_sums used where stretch = ${of} and ${chosen}
    union all select ${columns} from usage_unsummed used where ${chosen}`;
}

/** The pieces of a period one after another, each with the prices of its month. */
function cells(sql: Queryable, filter: UsageFilter, pieces: readonly Piece[]): Fragment {
  const names = chosenUsage(sql, { ...filter, from: null, until: null });
  const [first, ...rest] = (pieces.length === 0 ? NO_PIECE : pieces).map((piece) => cellsOf(sql, names, piece));
  return sql`(${rest.reduce((joined, part) => sql`${joined} union all ${part}`, first ?? sql``)}) used
    ${pricesOf(sql, sql`date_trunc('month', used.at)`)}`;
}

/**
 * Sums the chosen records for a whole usage page, so that its charts and its table agree. Whole days and months are read from the
 * stored sums, with the few records not yet included, so that the time does not grow with the number of records.
 * @param stretch length of one step of the series, cut in UTC; a series by hour covers 3 days, one by day 62
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
    sum(input_tokens) as input, sum(cached_input_tokens) as cached, sum(cache_write_tokens) as written, sum(output_tokens) as output,
    sum(latency_ms) as latency, sum(${cost(sql)}) as cost`;
  const summed = sql`requests, interrupted, estimated, input, cached, written, output, latency, cost`;
  // Three plain groupings: parallel workers run each of them, but not one with grouping sets.
  const rows = await sql<Row[]>`
    with counted as (
      select 'series' as kind, at as step, null as part, null as model, null::uuid as model_id, ${sums} from ${series} group by at
      union all
      select 'subject', null, subject, null, null, ${sums} from ${whole} group by subject
      union all
      select 'endpoint', null, endpoint, model, used.model_id, ${sums} from ${whole} group by endpoint, model, used.model_id
    ), named as (
      select kind, coalesce(part, to_char(date_trunc(${stretch}, step), ${STEP})) as name, null as provider, null::uuid as unknown,
        ${summed} from counted
      union all
      select 'model', model, origin.provider, case when origin.provider is null then counted.model_id end, ${summed}
      from counted left join model_providers origin on origin.model_id = counted.model_id where kind = 'endpoint'
      union all
      select 'totals', null, null, null, ${summed} from counted where kind = 'endpoint'
    ), added as (
      select kind, name, provider, sum(requests)::float8 as requests, sum(interrupted)::float8 as interrupted,
        sum(estimated)::float8 as estimated, sum(input)::float8 as "inputTokens", sum(cached)::float8 as "cachedInputTokens",
        sum(written)::float8 as "cacheWriteTokens", sum(output)::float8 as "outputTokens", sum(cost)::float8 as cost,
        (sum(latency) / sum(requests))::float8 as "latencyMs"
      from named group by kind, name, provider, unknown
    )
    select * from (select added.*, (count(*) over (partition by kind))::float8 as parts, row_number() over (partition by kind order by
      case when kind = 'series' then name end desc, cost desc, requests desc, name, provider) as position from added) placed
    where position <= ${MOST_PARTS} order by position`;
  const parts = (kind: Row['kind']): UsagePart[] =>
    rows.filter((row) => row.kind === kind).map((row) => ({ name: row.name ?? '', ...sumsOf(row) }));
  const totals = rows.find(({ kind }) => kind === 'totals');
  const partsOf = (wanted: Row['kind']): number => rows.find(({ kind }) => kind === wanted)?.parts ?? 0;
  return {
    totals: totals === undefined ? NOTHING : sumsOf(totals),
    series: parts('series').reverse(),
    endpoints: parts('endpoint'),
    models: rows
      .filter(({ kind }) => kind === 'model')
      .map((row) => ({ name: row.name ?? '', provider: row.provider, ...sumsOf(row) })),
    subjects: parts('subject'),
    counts: { endpoints: partsOf('endpoint'), models: partsOf('model'), subjects: partsOf('subject') },
  };
}

function sumsOf(row: Row): UsageSums {
  const { requests, interrupted, estimated, cost: euros, latencyMs } = row;
  const { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens } = row;
  const tokens = { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens };
  return { requests, interrupted, estimated, ...tokens, cost: euros, latencyMs };
}
