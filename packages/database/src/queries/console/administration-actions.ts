import type { StoredAction } from '../../audit-log/action-entry.ts';
import type { Queryable } from '../../client/connect.ts';
import { all, holds, whenPresent } from './conditions.ts';
import { type EntryKey, orderOf } from './entry-order.ts';
import { addPosition, type Page, type Rows } from './pages.ts';

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
