import type { Queryable } from '../../client/connect.ts';
import { all, type Fragment, holds, whenPresent } from './conditions.ts';
import { limitRows, type Page, type Rows, reading } from './pages.ts';

/** Somebody who was seen with a valid proof, or was provisioned, and holds no role. */
export interface WaitingSubject {
  readonly subject: string;
  readonly origin: 'local' | 'directory' | null;
  readonly displayName: string | null;
  readonly enabled: boolean;
  readonly revoked: boolean;
  /** Null: was provisioned and never came. */
  readonly firstSeenAt: Date | null;
  readonly lastSeenAt: Date | null;
  /** In this month (UTC). */
  readonly refusals: number;
}

/** Every name that may wait: of accounts and provisioned people. To be used as a table. */
const known = (sql: Queryable): Fragment => sql`(
  select username as subject, null::jsonb as attributes, false as provisioned from accounts
  union all select subject, attributes, true from provisioned_users)`;

/** Whether a row of `known` waits. A refused proof (401) shows nobody. */
const waits = (sql: Queryable): Fragment => sql`
  not exists (select from role_assignments held where held.subject = known.subject) and (known.provisioned or exists (
    select from authorization_decisions entry where entry.subject = known.subject and status <> 401))`;

/** How many wait; no more than `most` are counted. */
export const countWaiting = (sql: Queryable, most: number): Fragment => sql`(
  select count(*)::float8 from (select distinct subject from ${known(sql)} known where ${waits(sql)} limit ${most}) counted)`;

/** Those who wait for a role, by name. */
export function listWaitingSubjects(
  sql: Queryable,
  filter: { search: string | null; subject: string | null },
  page: Page<readonly [subject: string]>,
): Rows<WaitingSubject> {
  const { past, way } = reading(sql, 'ascending', page);
  const chosen = all(sql, [
    whenPresent(filter.search, (text) => holds(sql, 'subject', text)),
    whenPresent(filter.subject, (subject) => sql`subject = ${subject}`),
    whenPresent(page.after, ([subject]) => sql`subject ${past} ${subject}`),
  ]);
  return sql`
    select waiting.subject, account.origin, coalesce(account.display_name, waiting.attributes ->> 'displayName') as "displayName",
      coalesce(account.enabled, true) as enabled,
      exists (select from subject_revocations r where r.subject = waiting.subject and r.lifted_at is null) as revoked,
      seen.first as "firstSeenAt", seen.last as "lastSeenAt", seen.refusals
    from (
      select known.subject, max(known.attributes::text)::jsonb as attributes from ${known(sql)} known
      where ${chosen} and ${waits(sql)}
      group by known.subject order by known.subject ${way} ${limitRows(sql, page.limit)}
    ) waiting
    left join accounts account on account.username = waiting.subject
    cross join lateral (
      select min(at) as first, max(at) as last,
        (count(*) filter (where outcome = 'refused' and at >= date_trunc('month', now(), 'UTC')))::float8 as refusals
      from authorization_decisions entry where entry.subject = waiting.subject and status <> 401
    ) seen order by waiting.subject ${way}`;
}
