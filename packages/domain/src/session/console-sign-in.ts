import type { Revision } from '@gateway/contract';
import type { Queryable } from '@gateway/database';
import { describeOidcIdentity, type OidcPerson } from '../account/console-subjects.ts';
import type { ScopedRole } from '../role/console.ts';

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
