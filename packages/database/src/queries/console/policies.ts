import type { Queryable } from '../../client/connect.ts';
import type { Revision } from '../revision.ts';
import { all, whenPresent } from './conditions.ts';
import { addPosition, type Page, type Rows, reading } from './pages.ts';

/** A revision of the authorization policy. The highest is in force; an empty text narrows nothing. */
export interface PolicyRevision {
  readonly revision: number;
  readonly cedar: string;
  readonly author: string;
  readonly installedAt: Date;
}

/** Columns of a `PolicyRevision`. */
export const policyColumns = (sql: Queryable) => sql`revision, cedar, author, installed_at as "installedAt"`;

/** Revisions, the newest first. */
export function listPolicyRevisions(sql: Queryable, page: Page<readonly [revision: number]>): Rows<PolicyRevision> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [whenPresent(page.after, ([revision]) => sql`revision ${past} ${revision}`)]);
  return addPosition(
    sql,
    sql`
    select ${policyColumns(sql)} from authorization_policies where ${chosen}`,
    sql`revision ${way}`,
    page,
    'revision',
  );
}

/** The revision in force; undefined before the first installation. */
export async function readPolicyInForce(sql: Queryable): Promise<PolicyRevision | undefined> {
  const [row] = await sql<PolicyRevision[]>`
    select ${policyColumns(sql)} from authorization_policies order by revision desc limit 1`;
  return row;
}

/** One revision as text; undefined where it is not there. */
export async function readPolicyText(sql: Queryable, { number, installedAt }: Revision): Promise<string | undefined> {
  const [row] = await sql<{ cedar: string }[]>`
    select cedar from authorization_policies
    where revision = ${number} and extract(epoch from installed_at) = ${installedAt}`;
  return row?.cedar;
}
