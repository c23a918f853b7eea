import type { Queryable } from '../../connect.ts';
import { all, given } from '../conditions.ts';
import { type InstantKey, limited, type Page, type Rows, reading } from '../pages.ts';

/** A usage record as the console shows it; the cost is euros at the current price (decisions §8). */
export interface UsageRecord {
  readonly id: string;
  readonly timestamp: Date;
  readonly subject: string;
  readonly endpoint: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly latencyMs: number;
  readonly usageSource: 'reported' | 'estimated';
  readonly interrupted: boolean;
  readonly cost: number;
}

export interface UsageFilter {
  readonly subject: string | null;
  readonly endpoint: string | null;
  readonly model: string | null;
  /** Records of the members of a project. */
  readonly project: string | null;
  readonly from: string | null;
  readonly until: string | null;
}

/** The records a filter chooses; the table is called `record`. */
export const chosenUsage = (sql: Queryable, filter: UsageFilter) => [
  given(filter.subject, (subject) => sql`record.subject = ${subject}`),
  given(filter.endpoint, (endpoint) => sql`record.endpoint = ${endpoint}`),
  given(filter.model, (model) => sql`record.model = ${model}`),
  given(
    filter.project,
    (project) => sql`record.subject in (select m.subject from project_members m where m.project = ${project})`,
  ),
  given(filter.from, (at) => sql`record.timestamp >= ${at}::timestamptz`),
  given(filter.until, (at) => sql`record.timestamp < ${at}::timestamptz`),
];

/** Usage records, the newest first. */
export function listUsage(sql: Queryable, filter: UsageFilter, page: Page<InstantKey>): Rows<UsageRecord> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [
    ...chosenUsage(sql, filter),
    given(page.after, ([at, id]) => sql`(record.timestamp, record.id) ${past} (${at}::timestamptz, ${id}::uuid)`),
  ]);
  return sql`
    select record.id, record.timestamp, record.subject, record.endpoint, record.model,
      record.input_tokens::float8 as "inputTokens", record.output_tokens::float8 as "outputTokens",
      record.latency_ms as "latencyMs", record.usage_source as "usageSource", record.interrupted,
      (record.input_tokens * coalesce(price.per_input_token, 0)
        + record.output_tokens * coalesce(price.per_output_token, 0))::float8 as cost
    from request_logs record left join model_prices price on price.model_id = record.model_id
    where ${chosen} order by record.timestamp ${way}, record.id ${way} ${limited(sql, page.limit)}`;
}

/** Names that occur in the records, to choose a filter from: at most a thousand of each. */
export interface UsageNames {
  readonly subjects: readonly string[];
  readonly endpoints: readonly string[];
  readonly models: readonly string[];
}

const MOST_NAMES = 1000;

/**
 * What was used. Each name is found by one step through its index from the name before it, so that the time grows with the number
 * of names and not of records.
 */
export async function readUsageNames(sql: Queryable): Promise<UsageNames> {
  const names = (column: 'subject' | 'endpoint' | 'model') => sql`array(
    with recursive step (name) as (
      (select ${sql(column)} from request_logs order by ${sql(column)} limit 1)
      union all
      select (select ${sql(column)} from request_logs r where r.${sql(column)} > step.name order by ${sql(column)} limit 1)
      from step where step.name is not null
    ) select name from step where name is not null limit ${MOST_NAMES})`;
  const [row] = await sql<UsageNames[]>`
    select ${names('subject')} as subjects, ${names('endpoint')} as endpoints, ${names('model')} as models`;
  if (row === undefined) throw new Error('a select without a row');
  return row;
}
