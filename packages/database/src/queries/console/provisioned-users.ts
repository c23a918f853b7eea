import type { Queryable } from '../../client/connect.ts';
import { all, type Fragment, given } from './conditions.ts';

/** What an identity provider says of a person besides names and state, as RFC 7643 writes it. */
export interface PersonAttributes {
  readonly displayName?: string;
  readonly name?: Readonly<Record<string, string>>;
  readonly emails?: readonly {
    readonly value: string;
    readonly type?: string;
    readonly display?: string;
    readonly primary?: boolean;
  }[];
}

/** A user that an identity provider provisioned. */
export interface ProvisionedUser {
  readonly id: string;
  /** The subject of its calls. */
  readonly subject: string;
  readonly userName: string;
  readonly externalId: string | null;
  readonly active: boolean;
  readonly attributes: PersonAttributes;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
}

export type WrittenProvisionedUser = Omit<ProvisionedUser, 'createdAt' | 'modifiedAt'>;

const columns = (sql: Queryable) => sql`
  id, subject, user_name as "userName", external_id as "externalId", active, attributes, created_at as "createdAt",
  modified_at as "modifiedAt"`;

/** One of the three that identity providers look users up by. `userName` is compared without regard to case (RFC 7643, 4.1.1). */
export interface ProvisionedUserLookup {
  readonly by: 'id' | 'userName' | 'externalId';
  readonly value: string;
}

function chosen(sql: Queryable, lookup: ProvisionedUserLookup | null): Fragment {
  const found = given(lookup, ({ by, value }) => {
    if (by === 'userName') return sql`lower(user_name) = lower(${value})`;
    return by === 'externalId' ? sql`external_id = ${value}` : sql`id::text = ${value}`;
  });
  return all(sql, [found]);
}

/** Users in the order in which they were provisioned. */
export function listProvisionedUsers(
  sql: Queryable,
  lookup: ProvisionedUserLookup | null,
  page: { readonly offset: number; readonly limit: number } | null,
): Promise<ProvisionedUser[]> {
  const part = page === null ? sql`` : sql`limit ${page.limit} offset ${page.offset}`;
  return sql<ProvisionedUser[]>`
    select ${columns(sql)} from provisioned_users where ${chosen(sql, lookup)} order by created_at, id ${part}`;
}

export async function countProvisionedUsers(sql: Queryable, lookup: ProvisionedUserLookup | null): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from provisioned_users where ${chosen(sql, lookup)}`;
  return row?.count ?? 0;
}

/** Reads one user and keeps it from changing until the transaction ends. */
export async function lockProvisionedUser(sql: Queryable, id: string): Promise<ProvisionedUser | undefined> {
  const [row] = await sql<ProvisionedUser[]>`select ${columns(sql)} from provisioned_users where id = ${id} for update`;
  return row;
}

const written = (sql: Queryable, user: WrittenProvisionedUser) => ({
  subject: user.subject,
  user_name: user.userName,
  external_id: user.externalId,
  active: user.active,
  attributes: sql.json({ ...user.attributes }),
});

export async function insertProvisionedUser(sql: Queryable, user: WrittenProvisionedUser): Promise<ProvisionedUser> {
  const [row] = await sql<ProvisionedUser[]>`
    insert into provisioned_users ${sql({ id: user.id, ...written(sql, user) } as never)} returning ${columns(sql)}`;
  if (row === undefined) throw new Error('an insert without a conflict clause returns its row');
  return row;
}

export async function updateProvisionedUser(sql: Queryable, user: WrittenProvisionedUser): Promise<ProvisionedUser> {
  const [row] = await sql<ProvisionedUser[]>`
    update provisioned_users set ${sql(written(sql, user) as never)}, modified_at = now()
    where id = ${user.id} returning ${columns(sql)}`;
  if (row === undefined) throw new Error('a locked user is there');
  return row;
}

export async function deleteProvisionedUser(sql: Queryable, id: string): Promise<void> {
  await sql`delete from provisioned_users where id = ${id}`;
}

/** Whether a subject is the name of a local account. */
export async function isLocalAccount(sql: Queryable, subject: string): Promise<boolean> {
  return (await sql`select from accounts where username = ${subject} and origin = 'local'`).length > 0;
}

/** Enters a person of the directory into the registry of accounts, or what is said of one again: lists then show the readable name. */
export async function describeDirectoryIdentity(
  sql: Queryable,
  {
    id,
    subject,
    displayName,
    email,
  }: { id: string; subject: string; displayName: string | null; email: string | null },
): Promise<void> {
  await sql`
    insert into accounts (id, username, origin, display_name, email)
    values (${id}, ${subject}, 'directory', ${displayName}, ${email})
    on conflict (username) do update set display_name = excluded.display_name, email = excluded.email
    where accounts.origin = 'directory'
      and (accounts.display_name, accounts.email) is distinct from (excluded.display_name, excluded.email)`;
}

/** The revocation in force of a subject, kept from being lifted until the transaction ends. */
export async function lockRevocationInForce(
  sql: Queryable,
  subject: string,
): Promise<
  { readonly id: string; readonly author: string; readonly reason: string; readonly revokedAt: Date } | undefined
> {
  const [row] = await sql<{ id: string; author: string; reason: string; revokedAt: Date }[]>`
    select id, author, reason, revoked_at as "revokedAt" from subject_revocations
    where subject = ${subject} and lifted_at is null for update`;
  return row;
}

/** Takes every role and membership from a subject, and revokes the keys of its account. @returns what it held */
export async function removeRightsOf(
  sql: Queryable,
  subject: string,
): Promise<{
  readonly roles: readonly { readonly role: string; readonly project: string | null; readonly author: string }[];
  readonly projects: readonly string[];
  readonly keys: readonly { readonly id: string; readonly label: string; readonly lastFour: string }[];
}> {
  const roles = await sql<{ role: string; project: string | null; author: string }[]>`
    delete from role_assignments where subject = ${subject} returning role, project, author`;
  const projects = await sql<{ project: string }[]>`
    delete from project_members where subject = ${subject} returning project`;
  const keys = await sql<{ id: string; label: string; lastFour: string }[]>`
    update account_keys set revoked_at = now()
    where revoked_at is null and account_id in (select id from accounts where username = ${subject})
    returning id, label, last_four as "lastFour"`;
  return { roles: [...roles], projects: projects.map(({ project }) => project), keys: [...keys] };
}
