import type { OrganizationPolicy } from '@gateway/contract';
import { LOOKALIKE_LETTERS } from '@gateway/contract/legible';
import { all, type Fragment, holds, whenPresent } from '../../client/conditions.ts';
import type { Queryable } from '../../client/connect.ts';
import type { Revision } from '../../client/lineage.ts';
import { addPosition, limitRows, type Page, type Rows, reading } from '../../client/pages.ts';
import { describeOidcIdentity, type OidcPerson, type ScopedRole } from './groups.ts';

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

/** What a name looks like: names that differ by case, compatibility form or letters that look the same have one shape. */
export function shapeOf(sql: Queryable, name: Fragment): Fragment {
  const { from, to } = LOOKALIKE_LETTERS;
  return sql`translate(lower(normalize(${name}, NFKC)), ${from}, ${to})`;
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

/** A revision of what an organization imposes on its workstations (workstation-2). */
export interface ImposedPolicy {
  readonly revision: number;
  readonly document: OrganizationPolicy;
  readonly producedAt: Date;
  readonly validFrom: Date | null;
  readonly validUntil: Date | null;
  readonly author: string;
}

/** An organization with its current policy; null where it has none yet. */
export interface Organization {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly policy: ImposedPolicy | null;
}

/** Columns of an `ImposedPolicy`. */
export const imposedColumns = (sql: Queryable) => sql`
  revision, document, produced_at as "producedAt", valid_from as "validFrom", valid_until as "validUntil", author`;

/** Every organization by slug: a deployment has one, seldom a handful. */
export async function readOrganizations(sql: Queryable): Promise<Organization[]> {
  const rows = await sql<(Omit<Organization, 'policy'> & ImposedPolicy)[]>`
    select o.id, o.slug, o.name, p.* from organizations o left join lateral (
      select ${imposedColumns(sql)} from organization_policies where organization_id = o.id order by revision desc limit 1
    ) p on true order by o.slug`;
  return rows.map(({ id, slug, name, ...policy }) => ({
    id,
    slug,
    name,
    policy: policy.revision === null ? null : policy,
  }));
}

/** Everything that decides whether a caller enters and what it may, read in one statement for one request. */
export interface CallerFacts {
  readonly subject: string;
  readonly keyId: string | null;
  readonly keyRevoked: boolean;
  readonly keyExpired: boolean;
  readonly accountEnabled: boolean;
  readonly subjectRevoked: boolean;
  readonly roles: readonly ScopedRole[];
  /** The authorization policy in force; null where none narrows the matrix. */
  readonly policy: Revision | null;
}

/** The facts about a subject, besides its proof. An authorization policy with an empty text restricts nothing. */
const rights = (sql: Queryable) => sql`
  exists (select from subject_revocations r where r.subject = caller.subject and r.lifted_at is null) as "subjectRevoked",
  coalesce((select json_agg(json_build_object('role', role, 'project', project))
    from role_assignments where subject = caller.subject), '[]') as roles,
  (select case when p.restricts then
      json_build_object('number', p.revision, 'installedAt', extract(epoch from p.installed_at)::text) end
    from authorization_policies p order by p.revision desc limit 1) as policy`;

/** The owner of the key with this SHA-256 digest; undefined for none. */
export async function readKeyCaller(sql: Queryable, digest: Buffer): Promise<CallerFacts | undefined> {
  const [row] = await sql<CallerFacts[]>`
    select caller.*, ${rights(sql)} from (
      select a.username as subject, k.id as "keyId", k.revoked_at is not null as "keyRevoked",
        coalesce(k.expires_at <= now(), false) as "keyExpired", a.enabled as "accountEnabled"
      from account_keys k join accounts a on a.id = k.account_id where k.digest = ${digest}) caller`;
  return row;
}

/** The subject of the session with a secret of this SHA-256 digest; undefined for none, or an ended one. */
export async function readSessionCaller(sql: Queryable, digest: Buffer): Promise<CallerFacts | undefined> {
  const [row] = await sql<CallerFacts[]>`
    select caller.*, ${rights(sql)} from (
      select s.subject, null as "keyId", false as "keyRevoked", false as "keyExpired",
        coalesce(a.enabled and a.origin = 'directory', true) as "accountEnabled"
      from console_sessions s left join accounts a on a.username = s.subject
      where s.digest = ${digest} and s.expires_at > now() and s.kind = 'directory') caller`;
  return row;
}

/**
 * The subject that signed in to the hosted console with a key, from the session's digest; undefined for none, or an ended one.
 */
export async function readKeySessionCaller(sql: Queryable, digest: Buffer): Promise<CallerFacts | undefined> {
  const [row] = await sql<CallerFacts[]>`
    select caller.*, ${rights(sql)} from (
      select a.username as subject, k.id as "keyId", k.revoked_at is not null as "keyRevoked",
        coalesce(k.expires_at <= now(), false) as "keyExpired", a.enabled as "accountEnabled"
      from console_sessions s join account_keys k on k.id = s.key_id join accounts a on a.id = k.account_id
      where s.digest = ${digest} and s.expires_at > now() and s.kind = 'key') caller`;
  return row;
}

/** Whether the shared pair opened the session of this digest, and the session has not ended. */
export async function isPairSession(sql: Queryable, digest: Buffer): Promise<boolean> {
  return (
    (await sql`select from console_sessions where digest = ${digest} and expires_at > now() and kind = 'pair'`).length >
    0
  );
}

/** Records that a sign-in returned from the identity provider; false if it had returned before. Expired ones are deleted. */
export async function spendSignIn(sql: Queryable, digest: Buffer, lifetimeSeconds: number): Promise<boolean> {
  await sql`delete from console_sign_ins where expires_at < now()`;
  const spent = await sql`
    insert into console_sign_ins (digest, expires_at) values (${digest}, now() + make_interval(secs => ${lifetimeSeconds}))
    on conflict (digest) do nothing returning digest`;
  return spent.length === 1;
}

/**
 * Whether this instance admits a person of the identity provider: never under the name of a local account (roles-8), never with a
 * disabled account. A new person is added to the registry of accounts, without any right.
 */
export async function admitOidcPerson(sql: Queryable, id: string, person: OidcPerson): Promise<boolean> {
  await describeOidcIdentity(sql, { id, ...person });
  const [account] = await sql<{ admitted: boolean }[]>`
    select origin = 'directory' and enabled as admitted from accounts where username = ${person.subject}`;
  return account?.admitted === true;
}

/** Opens a session, stores only the digest of its secret, and ends the browser's previous one. */
export async function openSession(
  sql: Queryable,
  session: {
    readonly digest: Buffer;
    readonly subject: string;
    readonly lifetimeSeconds: number;
    readonly replaces: Buffer | null;
    /** The sign-in method; by default, the identity provider. */
    readonly kind?: 'directory' | 'pair' | 'key';
    readonly keyId?: string | null;
  },
): Promise<void> {
  await sql`delete from console_sessions where expires_at < now() or digest = ${session.replaces}`;
  await sql`
    insert into console_sessions (digest, subject, expires_at, kind, key_id)
    values (${session.digest}, ${session.subject}, now() + make_interval(secs => ${session.lifetimeSeconds}),
      ${session.kind ?? 'directory'}, ${session.keyId ?? null})`;
}

export async function closeSession(sql: Queryable, digest: Buffer): Promise<void> {
  await sql`delete from console_sessions where digest = ${digest}`;
}
