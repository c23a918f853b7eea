import type { Detection } from '@gateway/contract';
import type { Queryable } from '../../client/connect.ts';
import { all, holds, whenPresent } from './conditions.ts';
import { addPosition, type InstantKey, type Page, type Rows, reading } from './pages.ts';

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
