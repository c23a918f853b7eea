import { APPROVALS, type Decision, type Detection } from '@gateway/contract';
import { v7 as uuid } from 'uuid';
import { all, type Fragment, holds, whenPresent } from '../client/conditions.ts';
import type { Queryable } from '../client/connect.ts';
import { addPosition, type InstantKey, type Page, type Rows, reading } from '../client/pages.ts';
import type { StoredAction } from './entries.ts';

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

/** Sort key of an entry of a log. */
export type EntryKey = readonly [at: string, sequence: number];

/**
 * The order of a log's list, newest first; its table is called `entry`. A log grows in the order of its sequence. A query with a
 * period uses the instant, so that an index finds the period's end and reading stops with the page; the sequence alone would not
 * do, since a refusal may be appended after later ones.
 */
export function orderOf(
  sql: Queryable,
  { from, until }: { readonly from: string | null; readonly until: string | null },
  page: Page<EntryKey>,
): { readonly by: Fragment; readonly after: (key: EntryKey) => Fragment } {
  const { past, way } = reading(sql, 'descending', page);
  if (from === null && until === null) {
    return { by: sql`entry.sequence ${way}`, after: ([, sequence]) => sql`entry.sequence ${past} ${sequence}` };
  }
  return {
    by: sql`entry.at ${way}, entry.sequence ${way}`,
    after: ([at, sequence]) => sql`(entry.at, entry.sequence) ${past} (${at}::timestamptz, ${sequence}::bigint)`,
  };
}

/**
 * One act of administration as auditors read it: both values whole (log-10), as the JSON text that was recorded; digests are
 * hexadecimal.
 */
export interface AdministrationAction extends Omit<StoredAction, 'at'> {
  readonly sequence: number;
  readonly at: Date;
  readonly previous: string;
  readonly digest: string;
}

export interface ActionFilter {
  readonly sequence: number | null;
  readonly author: string | null;
  readonly action: string | null;
  readonly target: string | null;
  readonly component: string | null;
  /** Parts of them. */
  readonly authorPart: string | null;
  readonly actionPart: string | null;
  readonly targetPart: string | null;
  readonly from: string | null;
  readonly until: string | null;
}

/** Acts of administration, the newest first: by sequence, those of a period by instant. */
export function listAdministrationActions(
  sql: Queryable,
  filter: ActionFilter,
  page: Page<EntryKey>,
): Rows<AdministrationAction> {
  const { author, action, target, component, from, until } = filter;
  const order = orderOf(sql, filter, page);
  const chosen = all(sql, [
    whenPresent(filter.sequence, (one) => sql`entry.sequence = ${one}`),
    whenPresent(author, (value) => sql`author = ${value}`),
    whenPresent(action, (value) => sql`action = ${value}`),
    whenPresent(target, (value) => sql`target = ${value}`),
    whenPresent(filter.authorPart, (part) => holds(sql, 'author', part)),
    whenPresent(filter.actionPart, (part) => holds(sql, 'action', part)),
    whenPresent(filter.targetPart, (part) => holds(sql, 'target', part)),
    whenPresent(component, (value) => sql`component = ${value}`),
    whenPresent(from, (at) => sql`at >= ${at}::timestamptz`),
    whenPresent(until, (at) => sql`at < ${at}::timestamptz`),
    whenPresent(page.after, order.after),
  ]);
  return addPosition(
    sql,
    sql`
    select entry.sequence::float8 as sequence, entry.id, at, component, author, action, target, old_value as "oldValue",
      new_value as "newValue", encode(previous, 'hex') as previous, encode(digest, 'hex') as digest
    from administration_actions entry where ${chosen}`,
    sql`${order.by}`,
    page,
  );
}

/** What looked like a secret, with whose traffic it was in; never the value (relay-36). */
export interface RecordedDetection extends Omit<Detection, 'at'> {
  readonly at: Date;
  /** Of the detection's decision; null where that is not recorded yet. */
  readonly subject: string | null;
  readonly resource: string | null;
}

export interface DetectionFilter {
  readonly id: string | null;
  readonly kind: string | null;
  /** Part of a kind. */
  readonly kindPart: string | null;
  readonly place: string | null;
  readonly response: string | null;
  readonly decision: string | null;
  readonly from: string | null;
  readonly until: string | null;
}

/** Detections, the newest first. */
export function listDetections(
  sql: Queryable,
  filter: DetectionFilter,
  page: Page<InstantKey>,
): Rows<RecordedDetection> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [
    whenPresent(filter.id, (id) => sql`found.id = ${id}`),
    whenPresent(filter.kindPart, (part) => holds(sql, 'found.kind', part)),
    whenPresent(filter.kind, (kind) => sql`found.kind = ${kind}`),
    whenPresent(filter.place, (place) => sql`found.place = ${place}`),
    whenPresent(filter.response, (response) => sql`found.response = ${response}`),
    whenPresent(filter.decision, (decision) => sql`found.decision_id = ${decision}`),
    whenPresent(filter.from, (at) => sql`found.at >= ${at}::timestamptz`),
    whenPresent(filter.until, (at) => sql`found.at < ${at}::timestamptz`),
    whenPresent(page.after, ([at, id]) => sql`(found.at, found.id) ${past} (${at}::timestamptz, ${id}::uuid)`),
  ]);
  return addPosition(
    sql,
    sql`
    select found.id, found.at, found.decision_id as "decisionId", decision.subject, decision.resource, found.place, found.kind,
      found.rule, found.confidence, found.response, found.pointer, found.start_offset::float8 as start,
      found.end_offset::float8 as end, found.length::float8 as length, encode(found.digest, 'hex') as digest, found.occurrences
    from secret_detections found left join authorization_decisions decision on decision.id = found.decision_id
    where ${chosen}`,
    sql`found.at ${way}, found.id ${way}`,
    page,
  );
}

/** What a verification found: how many entries a whole chain has, or the entry at which it breaks. */
export interface FoundVerification {
  readonly chain: string;
  readonly entries: number | null;
  readonly brokenAt: number | null;
}

export async function keepVerification(sql: Queryable, { chain, entries, brokenAt }: FoundVerification): Promise<void> {
  await sql`insert into chain_verifications ${sql({ id: uuid(), chain, entries, broken_at: brokenAt })}`;
}
