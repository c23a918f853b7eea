import type { Queryable } from '@gateway/database';
import { all, holdsAny, whenPresent } from '@gateway/database/client/conditions';
import { addPosition, type Page, reading } from '@gateway/database/client/pages';

/** An inference engine as the console shows it (console-9). */
export interface Provider {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKeyEnv: string | null;
  readonly apiKeyHeader: string | null;
  readonly clearTextAcknowledged: boolean;
}

const columns = (sql: Queryable) => sql`
  id, slug, name, base_url as "baseUrl", api_key_env as "apiKeyEnv", api_key_header as "apiKeyHeader",
  clear_text_acknowledged as "clearTextAcknowledged"`;

/** Providers by slug. */
export function listProviders(
  sql: Queryable,
  page: Page<readonly [slug: string]> & { search?: string | undefined },
): Promise<Provider[]> {
  const { past, way } = reading(sql, 'ascending', page);
  const chosen = all(sql, [
    whenPresent(page.search ?? null, (part) => holdsAny(sql, ['slug', 'name', 'base_url'], part)),
    whenPresent(page.after, ([slug]) => sql`slug ${past} ${slug}`),
  ]);
  return addPosition<Provider>(
    sql,
    sql`
    select ${columns(sql)} from providers where ${chosen}`,
    sql`slug ${way}`,
    page,
  );
}

/** Reads one provider and keeps it from changing until the transaction ends. */
export async function lockProvider(sql: Queryable, id: string): Promise<Provider | undefined> {
  const [row] = await sql<Provider[]>`select ${columns(sql)} from providers where id = ${id} for update`;
  return row;
}

export async function insertProvider(sql: Queryable, provider: Provider): Promise<void> {
  await sql`
    insert into providers (id, slug, name, base_url, api_key_env, api_key_header, clear_text_acknowledged)
    values (${provider.id}, ${provider.slug}, ${provider.name}, ${provider.baseUrl}, ${provider.apiKeyEnv},
      ${provider.apiKeyHeader}, ${provider.clearTextAcknowledged})`;
}

export async function updateProvider(sql: Queryable, provider: Provider): Promise<void> {
  await sql`
    update providers set slug = ${provider.slug}, name = ${provider.name}, base_url = ${provider.baseUrl},
      api_key_env = ${provider.apiKeyEnv}, api_key_header = ${provider.apiKeyHeader},
      clear_text_acknowledged = ${provider.clearTextAcknowledged}
    where id = ${provider.id}`;
}

export async function deleteProvider(sql: Queryable, id: string): Promise<void> {
  await sql`delete from providers where id = ${id}`;
}

/** A connection test that a gateway performs; unfinished until it did. */
export interface ProviderTestState {
  readonly id: string;
  readonly requestedAt: Date;
  readonly finishedAt: Date | null;
  readonly status: number | null;
  readonly fault: string | null;
  readonly models: readonly string[] | null;
}

/** Columns of a `ProviderTestState`. */
export const providerTestColumns = (sql: Queryable) =>
  sql`id, requested_at as "requestedAt", finished_at as "finishedAt", status, fault, models`;

/** The state of a test; undefined where there is none. */
export async function readProviderTest(sql: Queryable, id: string): Promise<ProviderTestState | undefined> {
  const [row] = await sql<ProviderTestState[]>`select ${providerTestColumns(sql)} from provider_tests where id = ${id}`;
  return row;
}

/** What a gateway reports of the variables for keys: names, never values. */
export interface KeyVariableReport {
  /** Host name and port. */
  readonly gateway: string;
  readonly reportedAt: Date;
  /** Not repeated for five minutes: the gateway has stopped, or does not reach the database. */
  readonly isOld: boolean;
  readonly present: readonly string[];
  readonly absent: readonly string[];
}

/** The report of each gateway of the last day, the newest first. */
export async function listKeyVariableReports(sql: Queryable): Promise<readonly KeyVariableReport[]> {
  return sql<KeyVariableReport[]>`
    select gateway, reported_at as "reportedAt", reported_at < now() - interval '5 minutes' as "isOld", present, absent
    from reported_key_variables where reported_at > now() - interval '1 day' order by reported_at desc, gateway limit 200`;
}

/** A provider's result for one call. */
export interface EngineResult {
  readonly at: Date;
  /** Its slug; null where the model it served was deleted. */
  readonly provider: string | null;
  /** Status of the provider's answer; null without one. */
  readonly status: number | null;
  readonly fault: string | null;
}

/** Calls of one endpoint to one provider, and how many of them failed: no answer, one that broke off, or a status from 400 on. */
export interface EngineErrors {
  readonly endpoint: string;
  readonly provider: string;
  readonly calls: number;
  readonly failed: number;
  /** The number of each status from 400 on, and of missing answers. */
  readonly statuses: readonly { readonly status: number | null; readonly calls: number }[];
}

/** The state of a provider: its last result, and the failures of the last hour. */
export interface ProviderHealth {
  /** Its slug, which results have. */
  readonly provider: string;
  readonly name: string;
  readonly last: EngineResult | null;
  readonly lastFailure: EngineResult | null;
  readonly callsLastHour: number;
  readonly failedLastHour: number;
}

/** Whether a result is a failure: no answer, one that broke off, or a status from 400 on. */
export const isFailure = (sql: Queryable) => sql`(status is null or status >= 400 or fault is not null)`;
const result = (sql: Queryable) =>
  sql`json_build_object('at', at, 'provider', provider, 'status', status, 'fault', fault)`;

/**
 * The result of the call that a decision allowed; undefined where it is unknown, or the answer still runs. A failed call has a row
 * of its own; the status of any other is in its usage record.
 */
export async function readEngineResult(sql: Queryable, decision: string): Promise<EngineResult | undefined> {
  const [row] = await sql<EngineResult[]>`
    select at, provider, status, fault from upstream_results where decision_id = ${decision}
    union all
    select timestamp, providers.slug, upstream_status, null from request_logs used
      left join models on models.id = used.model_id left join providers on providers.id = models.provider_id
      where used.id = ${decision} and upstream_status is not null
    limit 1`;
  return row;
}

/** Which results are counted. A model is that which the endpoint serves now; results of one subject are its failed calls. */
export interface EngineFilter {
  readonly endpoint: string | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly subject: string | null;
  readonly from: string | null;
  readonly until: string | null;
}

/** The results that a filter chooses. */
export const chosenResults = (sql: Queryable, filter: EngineFilter) =>
  all(sql, [
    whenPresent(filter.from, (at) => sql`at >= ${at}::timestamptz`),
    whenPresent(filter.until, (at) => sql`at < ${at}::timestamptz`),
    whenPresent(filter.endpoint, (name) => sql`endpoint = ${name}`),
    whenPresent(filter.provider, (slug) => sql`provider = ${slug}`),
    whenPresent(
      filter.model,
      (slug) =>
        sql`endpoint in (select e.name from endpoints e join models m on m.id = e.model_id where m.slug = ${slug})`,
    ),
    whenPresent(
      filter.subject,
      (subject) =>
        sql`exists (select from authorization_decisions d where d.id = decision_id and d.subject = ${subject})`,
    ),
  ]);

/** Errors by endpoint and provider, those with the most failures first. */
export function listEngineErrors(sql: Queryable, filter: EngineFilter): Promise<EngineErrors[]> {
  const chosen = chosenResults(sql, filter);
  return sql<EngineErrors[]>`
    with counted as (
      select endpoint, provider, status, ${isFailure(sql)} as failed, sum(calls) as calls from upstream_results where ${chosen} group by 1, 2, 3, 4
    )
    select endpoint, provider, sum(calls)::float8 as calls, coalesce(sum(calls) filter (where failed), 0)::float8 as failed,
      coalesce(json_agg(json_build_object('status', status, 'calls', calls) order by calls desc) filter (where failed), '[]') as statuses
    from counted group by 1, 2 order by 4 desc, 3 desc, 1, 2 limit 500`;
}

/** Every provider's health, by its slug. */
export function listProviderHealth(sql: Queryable): Promise<ProviderHealth[]> {
  return sql<ProviderHealth[]>`
    select p.slug as provider, p.name,
      (select ${result(sql)} from upstream_results r where r.provider = p.slug order by at desc limit 1) as last,
      (select ${result(sql)} from upstream_results r where r.provider = p.slug and ${isFailure(sql)} and at > now() - interval '1 hour'
        order by at desc limit 1) as "lastFailure",
      (select coalesce(sum(calls), 0)::float8 from upstream_results r where r.provider = p.slug and at > now() - interval '1 hour') as "callsLastHour",
      (select coalesce(sum(calls), 0)::float8 from upstream_results r where r.provider = p.slug and ${isFailure(sql)} and at > now() - interval '1 hour')
        as "failedLastHour"
    from providers p order by p.slug limit 500`;
}
