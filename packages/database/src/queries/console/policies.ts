import type { Queryable } from '../../client/connect.ts';
import type { Revision } from '../revision.ts';
import { all, given } from './conditions.ts';
import { type Page, placed, type Rows, reading } from './pages.ts';

/** A revision of the authorization policy. The highest is in force; an empty text narrows nothing. */
export interface PolicyRevision {
  readonly revision: number;
  readonly cedar: string;
  readonly author: string;
  readonly installedAt: Date;
}

const columns = (sql: Queryable) => sql`revision, cedar, author, installed_at as "installedAt"`;

/** Revisions, the newest first. */
export function listPolicyRevisions(sql: Queryable, page: Page<readonly [revision: number]>): Rows<PolicyRevision> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [given(page.after, ([revision]) => sql`revision ${past} ${revision}`)]);
  return placed(
    sql,
    sql`
    select ${columns(sql)} from authorization_policies where ${chosen}`,
    sql`revision ${way}`,
    page,
    'revision',
  );
}

/** The revision in force; undefined where none was ever installed. */
export async function readPolicyInForce(sql: Queryable): Promise<PolicyRevision | undefined> {
  const [row] = await sql<PolicyRevision[]>`
    select ${columns(sql)} from authorization_policies order by revision desc limit 1`;
  return row;
}

/** One revision as text; undefined where it is not there. */
export async function readPolicyText(sql: Queryable, { number, installedAt }: Revision): Promise<string | undefined> {
  const [row] = await sql<{ cedar: string }[]>`
    select cedar from authorization_policies
    where revision = ${number} and extract(epoch from installed_at) = ${installedAt}`;
  return row?.cedar;
}

/**
 * Puts the next revision in force, inside a transaction, and says which one it follows. Of two installations at once the second
 * waits for the first at the lock, and follows it.
 */
export async function installPolicy(
  sql: Queryable,
  policy: Pick<PolicyRevision, 'cedar' | 'author'>,
): Promise<{ readonly before: PolicyRevision | null; readonly after: PolicyRevision }> {
  await sql`select pg_advisory_xact_lock(hashtextextended('authorization_policies', 7331))`;
  const before = (await readPolicyInForce(sql)) ?? null;
  const [after] = await sql<PolicyRevision[]>`
    insert into authorization_policies (revision, cedar, author)
    values (${(before?.revision ?? 0) + 1}, ${policy.cedar}, ${policy.author}) returning ${columns(sql)}`;
  if (after === undefined) throw new Error('an insert without a conflict clause returns its row');
  return { before, after };
}
