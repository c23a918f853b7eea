import type { Queryable } from '../../client/connect.ts';
import { describeOidcIdentity, type OidcPerson } from './provisioned-users.ts';

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
