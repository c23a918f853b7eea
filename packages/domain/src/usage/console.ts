import type { Queryable, Sql } from '@gateway/database';
import type { FoundVerification } from '@gateway/database/audit-log/lists';
import { all, whenPresent } from '@gateway/database/client/conditions';
import { limitRows, type Page, type Rows, reading } from '@gateway/database/client/pages';
import { countWaiting } from '../account/console-subjects.ts';
import { chosenResults, type EngineFilter, isFailure } from '../provider/console.ts';

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

const percentiles = (sql: Queryable, column: 'latency_ms' | 'first_token_ms') =>
  sql`percentile_disc(array[0.5, 0.95, 0.99]) within group (order by ${sql(column)})`;
const namedTimes = (sql: Queryable, column: 'latencies' | 'firsts') =>
  sql`json_build_object('p50', ${sql(column)}[1], 'p95', ${sql(column)}[2], 'p99', ${sql(column)}[3])`;

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
  return sql`
    select name, calls, "inputTokens", "cachedInputTokens", "outputTokens", ${namedTimes(sql, 'latencies')} as "latencyMs",
      case when firsts is not null and firsts[1] is not null then ${namedTimes(sql, 'firsts')} end as "firstTokenMs"
    from (
      select ${sql(by)} as name, count(*)::float8 as calls, sum(input_tokens)::float8 as "inputTokens",
        sum(cached_input_tokens)::float8 as "cachedInputTokens", sum(output_tokens)::float8 as "outputTokens",
        ${percentiles(sql, 'latency_ms')} as latencies, ${percentiles(sql, 'first_token_ms')} as firsts
      from request_logs where ${chosen} group by 1
    ) summed where ${after} order by calls ${way}, name ${way} ${limitRows(sql, page.limit)}`;
}

export const STRETCHES = ['hour', 'day', 'month'] as const;

export interface SeriesFilter extends EngineFilter {
  readonly stretch: (typeof STRETCHES)[number];
  /** What the parts are: endpoints, models or people. */
  readonly by: (typeof CONSUMPTION_BY)[number];
}

/** The calls of one step of a period; steps without a call are left out. */
export interface ConsumptionStep {
  /** The beginning of the step (UTC). */
  readonly at: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly latencyMs: Percentiles | null;
  readonly firstTokenMs: Percentiles | null;
  /** Calls that failed at the engine. */
  readonly failed: number;
}

/** What one endpoint, model or person used in one step; null: all that are not among the first. */
export interface ConsumptionPart {
  readonly at: string;
  readonly name: string | null;
  readonly calls: number;
  readonly tokens: number;
}

export interface ConsumptionSeries {
  readonly steps: readonly ConsumptionStep[];
  readonly parts: readonly ConsumptionPart[];
}

/** The parts that are named; the others are one. */
const NAMED_PARTS = 5;
/** The most steps of a series: two months of days, or three days of hours, each with its last step. */
const MOST_STEPS = 75;

/** Calls, tokens, times and failures over time, in all and by part. Nothing of it is billed. */
export async function readConsumptionSeries(sql: Queryable, filter: SeriesFilter): Promise<ConsumptionSeries> {
  const { by, stretch, from, until } = filter;
  const step = (column: 'timestamp' | 'at') =>
    sql`to_char(date_trunc(${stretch}, ${sql(column)} at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const chosen = all(sql, [
    whenPresent(from, (at) => sql`timestamp >= ${at}::timestamptz`),
    whenPresent(until, (at) => sql`timestamp < ${at}::timestamptz`),
    whenPresent(filter.subject, (subject) => sql`subject = ${subject}`),
    whenPresent(filter.endpoint, (endpoint) => sql`endpoint = ${endpoint}`),
    whenPresent(filter.model, (model) => sql`model = ${model}`),
    whenPresent(
      filter.provider,
      (slug) => sql`model_id in (select o.model_id from model_providers o where o.provider = ${slug})`,
    ),
  ]);
  const sums = sql`count(*) filter (where started_by is null)::float8 as calls`;
  const steps = sql<ConsumptionStep[]>`
    select coalesce(used.at, failures.at) as at, coalesce(calls, 0) as calls, coalesce("inputTokens", 0) as "inputTokens",
      coalesce("outputTokens", 0) as "outputTokens", coalesce(failed, 0) as failed,
      case when latencies[1] is not null then ${namedTimes(sql, 'latencies')} end as "latencyMs",
      case when firsts[1] is not null then ${namedTimes(sql, 'firsts')} end as "firstTokenMs"
    from (
      select ${step('timestamp')} as at, ${sums}, sum(input_tokens)::float8 as "inputTokens", sum(output_tokens)::float8 as "outputTokens",
        ${percentiles(sql, 'latency_ms')} as latencies, ${percentiles(sql, 'first_token_ms')} as firsts
      from request_logs where ${chosen} group by 1
    ) used full join (
      select ${step('at')} as at, sum(calls)::float8 as failed from upstream_results
      where ${isFailure(sql)} and ${chosenResults(sql, filter)} group by 1
    ) failures on failures.at = used.at order by 1 desc limit ${MOST_STEPS}`;
  const parts = sql<ConsumptionPart[]>`
    with used as (
      select ${step('timestamp')} as at, ${sql(by)} as name, ${sums}, sum(input_tokens + output_tokens)::float8 as tokens
      from request_logs where ${chosen} group by 1, 2
    ), first as (
      select name from used group by name order by sum(tokens) desc, name limit ${NAMED_PARTS}
    )
    select at, first.name, sum(calls) as calls, sum(tokens) as tokens from used left join first on first.name = used.name
    where at in (select at from used group by at order by at desc limit ${MOST_STEPS}) group by 1, 2 order by 1, 2`;
  const [read, readParts] = await Promise.all([steps, parts]);
  return { steps: read.toReversed(), parts: readParts };
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

/** Records added in one transaction: short enough to delay no other. */
const MOST = 20_000;

/** Adds every record that is in no sum yet to the sums of its day and month. Several consoles may do so at once. */
export async function addUpUsage(sql: Sql): Promise<void> {
  for (let added = MOST; added === MOST; ) {
    const [row] = await sql<{ added: number }[]>`select add_up_usage(${MOST})::float8 as added`;
    added = row?.added ?? 0;
  }
}

/** What an administrator sees first: numbers alone, no name of a person. */
export interface Overview {
  readonly providers: number;
  readonly models: number;
  readonly activeEndpoints: number;
  /** Subjects with a role that lets them call. */
  readonly callers: number;
  readonly administrators: number;
  readonly auditors: number;
  /** People who were seen or provisioned, and hold no role. */
  readonly waiting: number;
  /** Keys in force that end within two weeks. */
  readonly keysEnding: number;
  /** Revision in force that restricts the matrix; null for none. */
  readonly policyRevision: number | null;
  /** Counts of the last hour and of the last day. */
  readonly callsLastHour: number;
  readonly callsLastDay: number;
  readonly refusedLastDay: number;
  readonly failedLastHour: number;
  readonly failedLastDay: number;
  readonly lastCallAt: Date | null;
  readonly hasCall: boolean;
  /** The earliest end that the gateways report; null where none reports one: no license in this build, or no TLS. */
  readonly licenseExpiresAt: Date | null;
  readonly certificateExpiresAt: Date | null;
  readonly lastVerification: (FoundVerification & { readonly at: string }) | null;
}

const MOST_COUNTED = 100_000;
const MOST_WAITING = 1000;

/** Counts stop at a hundred thousand rows: a frequently opened page must not read a million rows. */
export async function readOverview(sql: Queryable): Promise<Overview> {
  const since = (interval: '1 hour' | '1 day') => sql`at > now() - ${interval}::interval`;
  const holders = (role: string) =>
    sql`(select count(distinct subject)::float8 from role_assignments where role = ${role})`;
  const calls = (interval: '1 hour' | '1 day') =>
    sql`(select coalesce(sum(calls), 0)::float8 from (select calls from upstream_results where ${since(interval)} limit ${MOST_COUNTED}) counted)`;
  const failures = (interval: '1 hour' | '1 day') => sql`
    (select coalesce(sum(calls), 0)::float8 from (select calls from upstream_results where ${since(interval)} and ${isFailure(sql)} limit ${MOST_COUNTED}) counted)`;
  // A report that no gateway repeats is obsolete, since its subject was renewed; if all gateways are down, the last report stays.
  const expiry = (kind: 'license' | 'certificate') => sql`(
    select min(expires_at) from reported_expiries where kind = ${kind}
      and reported_at > (select max(reported_at) from reported_expiries where kind = ${kind}) - interval '30 minutes')`;
  const [row] = await sql<Overview[]>`
    select (select count(*)::float8 from providers) as providers, (select count(*)::float8 from models) as models,
      (select count(*)::float8 from endpoints where active) as "activeEndpoints",
      ${holders('utilisateur-standard')} as callers, ${holders('administrateur-d-instance')} as administrators,
      ${holders('auditeur')} as auditors, ${countWaiting(sql, MOST_WAITING)} as waiting,
      (select count(*)::float8 from account_keys where revoked_at is null and expires_at > now()
        and expires_at < now() + interval '14 days') as "keysEnding",
      (select case when restricts then revision end from authorization_policies order by revision desc limit 1) as "policyRevision",
      ${calls('1 hour')} as "callsLastHour", ${calls('1 day')} as "callsLastDay",
      (select count(*)::float8 from (select from authorization_decisions where outcome = 'refused' and ${since('1 day')}
        limit ${MOST_COUNTED}) counted) as "refusedLastDay",
      ${failures('1 hour')} as "failedLastHour", ${failures('1 day')} as "failedLastDay",
      last.at as "lastCallAt", last.at is not null as "hasCall",
      ${expiry('license')} as "licenseExpiresAt", ${expiry('certificate')} as "certificateExpiresAt",
      (select json_build_object('at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'chain', chain,
        'entries', entries, 'brokenAt', broken_at) from chain_verifications order by at desc limit 1) as "lastVerification"
    from (select max(at) as at from upstream_results) last`;
  if (row === undefined) throw new Error('a select without a row');
  return row;
}
