import type { Queryable } from '@gateway/database';
import type { FoundVerification } from '@gateway/database/audit-log/lists';
import { isFailure } from '../provider/console.ts';
import { countWaiting } from '../subject/console.ts';

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
