import type { Queryable } from '../../connect.ts';
import { all, given } from '../conditions.ts';
import { limited, type Page, reading } from '../pages.ts';

/** An account's key as the console shows it: never the key, only what it ends in (decisions §3). */
export interface AccountKey {
  readonly id: string;
  readonly label: string;
  readonly lastFour: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

const columns = (sql: Queryable) =>
  sql`id, label, last_four as "lastFour", created_at as "createdAt", revoked_at as "revokedAt"`;

/** Keys of one account, the newest first. */
export function listAccountKeys(
  sql: Queryable,
  account: string,
  page: Page<readonly [id: string]>,
): Promise<AccountKey[]> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [sql`account_id = ${account}`, given(page.after, ([id]) => sql`id ${past} ${id}`)]);
  return sql<AccountKey[]>`
    select ${columns(sql)} from account_keys where ${chosen} order by id ${way} ${limited(sql, page.limit)}`;
}

export async function insertAccountKey(
  sql: Queryable,
  key: { id: string; account: string; digest: Buffer; lastFour: string; label: string },
): Promise<AccountKey> {
  const [row] = await sql<AccountKey[]>`
    insert into account_keys (id, account_id, digest, last_four, label)
    values (${key.id}, ${key.account}, ${key.digest}, ${key.lastFour}, ${key.label})
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
