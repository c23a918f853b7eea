import type { Queryable } from '../connect.ts';
import { all, given } from './conditions.ts';
import { limited, type Page, type Rows } from './pages.ts';

/** One act of administration as auditors read it: both values whole (decisions §7); digests are hexadecimal. */
export interface AdministrationAction {
  readonly sequence: number;
  readonly id: string;
  readonly at: Date;
  readonly component: string;
  readonly author: string;
  readonly action: string;
  readonly target: string;
  readonly oldValue: unknown;
  readonly newValue: unknown;
  readonly previous: string;
  readonly digest: string;
}

export interface ActionFilter {
  readonly author: string | null;
  readonly action: string | null;
  readonly target: string | null;
  readonly component: string | null;
  readonly from: string | null;
  readonly until: string | null;
}

/** Acts of administration, the newest first. The key of a page is the sequence. */
export function listAdministrationActions(
  sql: Queryable,
  filter: ActionFilter,
  page: Page<number>,
): Rows<AdministrationAction> {
  const chosen = all(sql, [
    given(filter.author, (author) => sql`author = ${author}`),
    given(filter.action, (action) => sql`action = ${action}`),
    given(filter.target, (target) => sql`target = ${target}`),
    given(filter.component, (component) => sql`component = ${component}`),
    given(filter.from, (at) => sql`at >= ${at}::timestamptz`),
    given(filter.until, (at) => sql`at < ${at}::timestamptz`),
    given(page.after, (sequence) => sql`entry.sequence < ${sequence}`),
  ]);
  return sql`
    select entry.sequence::float8 as sequence, id, at, component, author, action, target, old_value::json as "oldValue",
      new_value::json as "newValue", encode(previous, 'hex') as previous, encode(digest, 'hex') as digest
    from administration_actions entry where ${chosen} order by entry.sequence desc ${limited(sql, page.limit)}`;
}
