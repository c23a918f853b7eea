import type { Queryable } from '../../../client/connect.ts';
import { all, given } from '../conditions.ts';
import { type Page, placed, reading } from '../pages.ts';

/** An account's key as the console shows it: never the key, only what it ends in (roles-2). */
export interface AccountKey {
  readonly id: string;
  readonly label: string;
  readonly lastFour: string;
  readonly createdAt: Date;
  /** From this instant on it is refused; null: until it is revoked. */
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** A key with when it was used last: for a relayed call, or as one of the newest entries of the decision log. */
export interface ListedKey extends AccountKey {
  /** Null where no call was relayed for it, and it is not among the newest entries of its account. */
  readonly lastUsedAt: Date | null;
}

/** Entries of an account that are scanned for what was not relayed: sign-ins to the console, and refusals. */
const CALLS_LOOKED_THROUGH = 10_000;

const columns = (sql: Queryable) =>
  sql`id, label, last_four as "lastFour", created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt"`;

/** Keys of one account, the newest first. */
export function listAccountKeys(
  sql: Queryable,
  account: string,
  page: Page<readonly [id: string]>,
): Promise<ListedKey[]> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [sql`account_id = ${account}`, given(page.after, ([id]) => sql`id ${past} ${id}`)]);
  const recent = sql`
    select key_id, at from authorization_decisions where subject = (select username from accounts where id = ${account})
    order by sequence desc limit ${CALLS_LOOKED_THROUGH}`;
  return placed<ListedKey>(
    sql,
    sql`
    select ${columns(sql)}, greatest(used.at, relayed.last_used_at) as "lastUsedAt" from account_keys
      left join key_uses relayed on relayed.key_id = id
      left join (select key_id, max(at) as at from (${recent}) recent group by key_id) used on used.key_id = id
    where ${chosen}`,
    sql`id ${way}`,
    page,
  );
}

export async function insertAccountKey(
  sql: Queryable,
  key: { id: string; account: string; digest: Buffer; lastFour: string; label: string; expiresAt: string | null },
): Promise<AccountKey> {
  const [row] = await sql<AccountKey[]>`
    insert into account_keys (id, account_id, digest, last_four, label, expires_at)
    values (${key.id}, ${key.account}, ${key.digest}, ${key.lastFour}, ${key.label}, ${key.expiresAt}::timestamptz)
    returning ${columns(sql)}`;
  if (row === undefined) throw new Error('an insert without a conflict clause returns its row');
  return row;
}

/** One key of an account, kept from changing until the transaction ends. */
export async function lockAccountKey(sql: Queryable, account: string, id: string): Promise<AccountKey | undefined> {
  const [row] = await sql<AccountKey[]>`
    select ${columns(sql)} from account_keys where id = ${id} and account_id = ${account} for update`;
  return row;
}

/** Revokes a key, or every key of the account where none is named; returns those that were in force until now. */
export function revokeAccountKeys(sql: Queryable, account: string, id: string | null): Promise<AccountKey[]> {
  return sql<AccountKey[]>`
    update account_keys set revoked_at = now()
    where account_id = ${account} and (${id}::uuid is null or id = ${id}) and revoked_at is null
    returning ${columns(sql)}`;
}
