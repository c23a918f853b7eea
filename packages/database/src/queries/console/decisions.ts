import { APPROVALS, type Decision } from '@gateway/contract';
import type { Queryable } from '../../client/connect.ts';
import { all, holds, whenPresent } from './conditions.ts';
import { type EntryKey, orderOf } from './entry-order.ts';
import { addPosition, type Page, type Rows } from './pages.ts';

/** An entry of the decision log as auditors read it (log-3); digests are hexadecimal. */
export interface DecisionEntry extends Omit<Decision, 'at'> {
  readonly sequence: number;
  readonly at: Date;
  readonly previous: string;
  readonly digest: string;
}

export interface DecisionFilter {
  readonly sequence: number | null;
  readonly subject: string | null;
  /** Part of the name of a known subject or resource, in any case; or the whole name of any other. */
  readonly subjectPart: string | null;
  readonly resourcePart: string | null;
  readonly outcome: 'granted' | 'refused' | null;
  readonly permission: string | null;
  readonly reason: string | null;
  readonly resource: string | null;
  readonly session: string | null;
  readonly component: string | null;
  readonly requestId: string | null;
  readonly from: string | null;
  readonly until: string | null;
}

/** In a log of millions only whole names are searched, by its index: a part is looked up among the few known names. */
export const subjectsWith = (sql: Queryable, part: string) => sql`array(
  select ${part} union (select username from accounts where ${holds(sql, 'username', part)} order by 1 limit 500)
  union (select distinct subject from role_assignments where ${holds(sql, 'subject', part)} order by 1 limit 500))`;
const resourcesWith = (sql: Queryable, part: string) => sql`array(
  select ${part} union (select 'endpoint:' || name from endpoints where position(lower(${part}) in 'endpoint:' || lower(name)) > 0)
  union (select distinct 'project:' || project from project_members where position(lower(${part}) in 'project:' || lower(project)) > 0)
  union (select 'instance' where position(lower(${part}) in 'instance') > 0))`;

/**
 * Entries of the decision log, the newest first: by sequence, those of a period by instant. The table is named in the order: a
 * bare name would mean the number that is shown, by which nothing is sorted beforehand.
 */
export function listDecisions(sql: Queryable, filter: DecisionFilter, page: Page<EntryKey>): Rows<DecisionEntry> {
  const order = orderOf(sql, filter, page);
  const chosen = all(sql, [
    whenPresent(filter.sequence, (sequence) => sql`entry.sequence = ${sequence}`),
    whenPresent(filter.subject, (subject) => sql`subject = ${subject}`),
    whenPresent(filter.subjectPart, (part) => sql`subject = any (${subjectsWith(sql, part)})`),
    whenPresent(filter.resourcePart, (part) => sql`resource = any (${resourcesWith(sql, part)})`),
    whenPresent(filter.outcome, (outcome) => sql`outcome = ${outcome}`),
    whenPresent(filter.permission, (permission) => sql`permission = ${permission}`),
    // Every other reason is a refusal's, and refusals are few and have an index of their own.
    whenPresent(filter.reason, (reason) =>
      (APPROVALS as readonly string[]).includes(reason)
        ? sql`reason = ${reason}`
        : sql`reason = ${reason} and outcome = 'refused'`,
    ),
    whenPresent(filter.resource, (resource) => sql`resource = ${resource}`),
    whenPresent(filter.session, (session) => sql`session = ${session}`),
    whenPresent(filter.component, (component) => sql`component = ${component}`),
    whenPresent(filter.requestId, (id) => sql`request_id = ${id}`),
    whenPresent(filter.from, (at) => sql`at >= ${at}::timestamptz`),
    whenPresent(filter.until, (at) => sql`at < ${at}::timestamptz`),
    whenPresent(page.after, order.after),
  ]);
  return addPosition(
    sql,
    sql`
    select entry.sequence::float8 as sequence, entry.id, at, component, subject, credential, key_id as "keyId", permission,
      resource, session, outcome, reason, status, roles, policy_revision as "policyRevision", detail,
      request_id as "requestId", source_address as "sourceAddress", encode(previous, 'hex') as previous,
      encode(digest, 'hex') as digest
    from authorization_decisions entry where ${chosen}`,
    sql`${order.by}`,
    page,
  );
}
