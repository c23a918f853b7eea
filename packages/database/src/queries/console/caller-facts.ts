import type { Queryable } from '../../client/connect.ts';
import type { Revision } from '../revision.ts';
import type { ScopedRole } from './role-assignments.ts';

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
