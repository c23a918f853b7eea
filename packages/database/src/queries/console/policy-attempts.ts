import { v7 as uuid } from 'uuid';
import type { Queryable } from '../../client/connect.ts';
import { all, whenPresent } from './conditions.ts';
import { addPosition, type InstantKey, type Page, type Rows, reading } from './pages.ts';

/** An attempt to install a policy of either kind, refused ones included, with its author. */
export interface PolicyAttempt {
  readonly id: string;
  readonly at: Date;
  readonly kind: 'authorization' | 'organization';
  readonly organization: string | null;
  readonly author: string;
  readonly outcome: 'installed' | 'refused';
  readonly revision: number | null;
  readonly fault: string | null;
  readonly document: string;
}

/** Attempts of one kind, the newest first. */
export function listPolicyAttempts(
  sql: Queryable,
  filter: { kind: PolicyAttempt['kind']; author: string | null; outcome: string | null },
  page: Page<InstantKey>,
): Rows<PolicyAttempt> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [
    sql`kind = ${filter.kind}`,
    whenPresent(filter.author, (author) => sql`author = ${author}`),
    whenPresent(filter.outcome, (outcome) => sql`outcome = ${outcome}`),
    whenPresent(page.after, ([at, id]) => sql`(at, id) ${past} (${at}::timestamptz, ${id}::uuid)`),
  ]);
  return addPosition(
    sql,
    sql`
    select id, at, kind, organization, author, outcome, revision, fault, document from policy_attempts
    where ${chosen}`,
    sql`at ${way}, id ${way}`,
    page,
  );
}

/** The attempt by which an author installed a revision of the authorization policy; undefined where another one did. */
export async function readOwnInstallation(
  sql: Queryable,
  author: string,
  revision: number,
): Promise<Pick<PolicyAttempt, 'at' | 'document'> | undefined> {
  const [row] = await sql<Pick<PolicyAttempt, 'at' | 'document'>[]>`
    select at, document from policy_attempts
    where kind = 'authorization' and author = ${author} and outcome = 'installed' and revision = ${revision}`;
  return row;
}

/**
 * Stores one attempt.
 * @param attempted the submitted text and its author; for an organization's policy where one is named, otherwise for the
 * authorization policy
 * @param came the resulting revision, or the reason of the refusal
 */
export async function keepPolicyAttempt(
  sql: Queryable,
  attempted: Pick<PolicyAttempt, 'author' | 'document' | 'organization'>,
  came: { readonly revision: number } | { readonly fault: string },
): Promise<void> {
  const row = {
    id: uuid(),
    kind: attempted.organization === null ? 'authorization' : 'organization',
    outcome: 'fault' in came ? 'refused' : 'installed',
    ...attempted,
    ...came,
  };
  await sql`insert into policy_attempts ${sql(row)}`;
}
