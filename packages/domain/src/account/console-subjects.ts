import type { Queryable } from '@gateway/database';
import { all, type Fragment, holds, whenPresent } from '@gateway/database/client/conditions';
import { addPosition, limitRows, type Page, type Rows, reading } from '@gateway/database/client/pages';
import type { ScopedRole } from '../role/console.ts';
import { shapeOf } from './console.ts';

/** A known subject: with a registered account, a role or a project. */
export interface KnownSubject {
  readonly subject: string;
  /** Null where it is not in the registry of accounts yet. */
  readonly origin: 'local' | 'directory' | null;
  readonly enabled: boolean;
  readonly displayName: string | null;
  readonly revoked: boolean;
  readonly roles: readonly ScopedRole[];
  readonly projects: readonly string[];
}

/** Subjects by name; only the members of a project, where one is named. */
export function listSubjects(
  sql: Queryable,
  filter: { search: string | null; project: string | null; subject: string | null },
  page: Page<readonly [subject: string]>,
): Rows<KnownSubject> {
  const { past, way } = reading(sql, 'ascending', page);
  const part = (column: 'username' | 'subject') =>
    all(sql, [
      whenPresent(filter.search, (text) => holds(sql, column, text)),
      whenPresent(filter.subject, (subject) => sql`${sql(column)} = ${subject}`),
      whenPresent(
        filter.project,
        (project) => sql`${sql(column)} in (select m.subject from project_members m where m.project = ${project})`,
      ),
      whenPresent(page.after, ([subject]) => sql`${sql(column)} ${past} ${subject}`),
    ]);
  const first = (table: 'accounts' | 'role_assignments' | 'project_members', column: 'username' | 'subject') => sql`
    (select distinct ${sql(column)} as subject from ${sql(table)} where ${part(column)}
      order by 1 ${way} ${limitRows(sql, page.sorted == null ? page.limit : null)})`;
  const rows = sql`
    select known.subject, account.origin, coalesce(account.enabled, true) as enabled, account.display_name as "displayName",
      exists (select from subject_revocations r where r.subject = known.subject and r.lifted_at is null) as revoked,
      coalesce((select json_agg(json_build_object('role', role, 'project', project) order by role, project)
        from role_assignments held where held.subject = known.subject), '[]') as roles,
      array(select project from project_members m where m.subject = known.subject order by 1) as projects
    from (
      ${first('accounts', 'username')} union ${first('role_assignments', 'subject')} union ${first('project_members', 'subject')}
    ) known left join accounts account on account.username = known.subject`;
  return addPosition(sql, rows, sql`known.subject ${way}`, page, 'subject', {
    roles: sql`(select string_agg(held ->> 'role', ' ') from json_array_elements(listed.roles) held)`,
    projects: sql`array_to_string(listed.projects, ' ')`,
    state: sql`case when listed.revoked then 'revoked' when listed.origin is null then 'not seen'
      when listed.enabled then 'enabled' else 'disabled' end`,
  });
}

/** Other known names that look like these, one for each name that has any. */
export async function readLookalikes(
  sql: Queryable,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (subjects.length === 0) return new Map();
  const rows = await sql<{ subject: string; other: string }[]>`
    select asked.subject, min(known.name) as other
    from (select subject, ${shapeOf(sql, sql`subject`)} as shape from unnest(${subjects as string[]}::text[]) subject) asked
    join (
      select name, ${shapeOf(sql, sql`name`)} as shape
      from (select username as name from accounts union select subject from provisioned_users) names
    ) known on known.shape = asked.shape and known.name <> asked.subject
    group by asked.subject`;
  return new Map(rows.map(({ subject, other }) => [subject, other]));
}

/** Whether a subject is the name of a local account. */
export async function isLocalAccount(sql: Queryable, subject: string): Promise<boolean> {
  return (await sql`select from accounts where username = ${subject} and origin = 'local'`).length > 0;
}

/** Whether a name was seen: it has an account, was provisioned, or is in the decision log. */
export async function isKnownName(sql: Queryable, name: string): Promise<boolean> {
  const [row] = await sql<{ known: boolean }[]>`
    select exists (select from accounts where username = ${name}) or exists (select from provisioned_users where subject = ${name})
      or exists (select from project_members where subject = ${name})
      or exists (select from authorization_decisions where subject = ${name}) as known`;
  return row?.known === true;
}

/** The id of the local account of a subject; undefined where it has none. */
export async function readLocalAccount(sql: Queryable, subject: string): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`select id from accounts where username = ${subject} and origin = 'local'`;
  return row?.id;
}

/** The identity provider's description of a person. */
export interface OidcPerson {
  readonly subject: string;
  readonly displayName: string | null;
  readonly email: string | null;
}

/** Adds a person of the identity provider to the registry of accounts, or updates the entry: lists then show the readable name. */
export async function describeOidcIdentity(
  sql: Queryable,
  { id, subject, displayName, email }: OidcPerson & { readonly id: string },
): Promise<void> {
  await sql`
    insert into accounts (id, username, origin, display_name, email)
    values (${id}, ${subject}, 'directory', ${displayName}, ${email})
    on conflict (username) do update set display_name = excluded.display_name, email = excluded.email
    where accounts.origin = 'directory'
      and (accounts.display_name, accounts.email) is distinct from (excluded.display_name, excluded.email)`;
}

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

/** A refusal of a subject by this instance, in force until it is lifted (console-16). */
export interface SubjectRevocation {
  readonly id: string;
  readonly subject: string;
  readonly reason: string;
  readonly author: string;
  readonly revokedAt: Date;
  readonly liftedAt: Date | null;
  readonly liftedBy: string | null;
  readonly liftReason: string | null;
}

/** Columns of a `SubjectRevocation`. */
export const revocationColumns = (sql: Queryable) => sql`
  id, subject, reason, author, revoked_at as "revokedAt", lifted_at as "liftedAt", lifted_by as "liftedBy", lift_reason as "liftReason"`;

/** Revocations, the newest first: those in force, those lifted, or all. The key of a page is the id, which grows with time. */
export function listSubjectRevocations(
  sql: Queryable,
  filter: { subject: string | null; subjectPart: string | null; inForce: boolean | null },
  page: Page<readonly [id: string]>,
): Rows<SubjectRevocation> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [
    whenPresent(filter.subject, (subject) => sql`subject = ${subject}`),
    whenPresent(filter.subjectPart, (part) => holds(sql, 'subject', part)),
    whenPresent(filter.inForce, (inForce) => (inForce ? sql`lifted_at is null` : sql`lifted_at is not null`)),
    whenPresent(page.after, ([id]) => sql`id ${past} ${id}`),
  ]);
  return addPosition(
    sql,
    sql`
    select ${revocationColumns(sql)} from subject_revocations where ${chosen}`,
    sql`id ${way}`,
    page,
  );
}

/** A revocation by its id, or a subject's current one; locked until the transaction ends. */
export async function lockSubjectRevocation(
  sql: Queryable,
  by: { readonly id: string } | { readonly inForceOf: string },
): Promise<SubjectRevocation | undefined> {
  const which = 'id' in by ? sql`id = ${by.id}` : sql`subject = ${by.inForceOf} and lifted_at is null`;
  const [row] = await sql<SubjectRevocation[]>`
    select ${revocationColumns(sql)} from subject_revocations where ${which} for update`;
  return row;
}
