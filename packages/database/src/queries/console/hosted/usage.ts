import type { Queryable } from '../../../client/connect.ts';
import { all, whenPresent } from '../conditions.ts';
import { addPosition, type InstantKey, type Page, type Rows, reading } from '../pages.ts';
import { cost, pricesOf } from './plans.ts';

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
