import { type Permission, type Revision, type Role, storable } from '@gateway/contract';
import type { Queryable } from '@gateway/database';
import { all, whenPresent } from '@gateway/database/client/conditions';
import { addPosition, type InstantKey, type Page, type Rows, reading } from '@gateway/database/client/pages';
import { v7 as uuid } from 'uuid';
import { everyServed, type Served } from '../endpoint/console.ts';

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

/** Masks the secrets in a text. `packages/secrets` does it, which this package does not import. */
export type MaskSecrets = (text: string) => string;

/** A policy that was refused: a text as it was handed in, or the value that was none. */
export interface RefusedPolicy {
  readonly document: unknown;
  readonly fault: string;
}

/**
 * Keeps a refused attempt. Attempts are stored, displayed and exported: a secret in the document or in its fault is masked, and
 * characters that cannot be stored are replaced. @returns what was kept, for the log
 */
export async function keepRefusedPolicy(
  sql: Queryable,
  attempted: Pick<PolicyAttempt, 'author' | 'organization'>,
  refused: RefusedPolicy,
  mask: MaskSecrets,
): Promise<{ readonly document: string; readonly fault: string }> {
  const { document: given } = refused;
  const text = typeof given === 'string' ? given : (JSON.stringify(given) ?? 'null');
  const [document, fault] = [mask(storable(text)), mask(storable(refused.fault))];
  await keepPolicyAttempt(sql, { ...attempted, document }, { fault });
  return { document, fault };
}

/** A past decision, as input for a check of a policy before its installation. */
export interface PastDecision {
  readonly at: Date;
  readonly component: string;
  readonly subject: string | null;
  readonly permission: Permission;
  readonly resource: string;
  readonly session: string | null;
  readonly outcome: 'granted' | 'refused';
  readonly reason: string;
  readonly roles: readonly Role[];
  readonly sourceAddress: string | null;
}

/** The last decisions, the newest first. */
export function readLastDecisions(sql: Queryable, count: number): Promise<PastDecision[]> {
  return sql<PastDecision[]>`
    select at, component, subject, permission, resource, session, outcome, reason, roles, source_address as "sourceAddress"
    from authorization_decisions entry order by entry.sequence desc limit ${count}`;
}

/** An endpoint with the slugs that a policy may look at. */
export interface PolicyEndpoint extends Served {
  readonly name: string;
  readonly active: boolean;
}

export function readPolicyEndpoints(sql: Queryable): Promise<PolicyEndpoint[]> {
  return sql<PolicyEndpoint[]>`select * from (${everyServed(sql)}) served order by name`;
}

/** What a policy does not look at and a call needs: `fault` is why it would be refused before any policy. */
export async function readPolicyStanding(
  sql: Queryable,
  subject: string,
  endpoint: string,
): Promise<{
  readonly policy: Revision | null;
  readonly fault: 'subject-revoked' | 'account-disabled' | 'endpoint-inactive' | null;
}> {
  const [row] = await sql<{ policy: Revision | null; revoked: boolean; disabled: boolean; inactive: boolean }[]>`
    select (select case when p.restricts then
        json_build_object('number', p.revision, 'installedAt', extract(epoch from p.installed_at)::text) end
      from authorization_policies p order by p.revision desc limit 1) as policy,
      exists (select from subject_revocations where subject = ${subject} and lifted_at is null) as revoked,
      exists (select from accounts where username = ${subject} and not enabled) as disabled,
      exists (select from endpoints where name = ${endpoint} and not active) as inactive`;
  if (row === undefined) throw new Error('a select without a row');
  const { policy, revoked, disabled, inactive } = row;
  const fault = revoked ? 'subject-revoked' : disabled ? 'account-disabled' : inactive ? 'endpoint-inactive' : null;
  return { policy, fault };
}

/** The known ones among these subjects: with an account, a role or a project. */
export async function readKnownSubjects(sql: Queryable, names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const rows = await sql<{ name: string }[]>`
    select name from unnest(${[...names]}::text[]) name
    where exists (select from accounts where username = name) or exists (select from role_assignments where subject = name)
      or exists (select from project_members where subject = name)`;
  return rows.map(({ name }) => name);
}

/** Which of these projects a role or a membership names. */
export async function readKnownProjects(sql: Queryable, names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const rows = await sql<{ name: string }[]>`
    select name from unnest(${[...names]}::text[]) name
    where exists (select from role_assignments where project = name) or exists (select from project_members where project = name)`;
  return rows.map(({ name }) => name);
}

/** Subjects with a role that are neither revoked nor disabled: those named first, then others, at most `most`. */
export async function readHolders(
  sql: Queryable,
  role: Role,
  first: readonly string[],
  most: number,
): Promise<readonly { readonly subject: string; readonly roles: readonly Role[] }[]> {
  return sql<{ subject: string; roles: Role[] }[]>`
    select held.subject, array(select other.role from role_assignments other where other.subject = held.subject) as roles
    from role_assignments held
    where held.role = ${role}
      and not exists (select from subject_revocations where subject = held.subject and lifted_at is null)
      and not exists (select from accounts where username = held.subject and not enabled)
    order by held.subject = any (${[...first]}::text[]) desc, held.subject limit ${most}`;
}
