import type { Queryable } from '@gateway/database';
import { all, whenPresent } from '@gateway/database/client/conditions';
import { addPosition, type Page, reading } from '@gateway/database/client/pages';

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

/** A key with its last use: for a relayed call, or in one of the newest entries of the decision log. */
export interface ListedKey extends AccountKey {
  /** Null where no call was relayed for it, and it is not among the newest entries of its account. */
  readonly lastUsedAt: Date | null;
}

/** Entries of an account that are scanned for what was not relayed: sign-ins to the console, and refusals. */
const CALLS_LOOKED_THROUGH = 10_000;

/** Columns of an `AccountKey`. */
export const keyColumns = (sql: Queryable) =>
  sql`id, label, last_four as "lastFour", created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt"`;

/** Keys of one account, the newest first. */
export function listAccountKeys(
  sql: Queryable,
  account: string,
  page: Page<readonly [id: string]>,
): Promise<ListedKey[]> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [sql`account_id = ${account}`, whenPresent(page.after, ([id]) => sql`id ${past} ${id}`)]);
  const recent = sql`
    select key_id, at from authorization_decisions where subject = (select username from accounts where id = ${account})
    order by sequence desc limit ${CALLS_LOOKED_THROUGH}`;
  return addPosition<ListedKey>(
    sql,
    sql`
    select ${keyColumns(sql)}, greatest(used.at, relayed.last_used_at) as "lastUsedAt" from account_keys
      left join key_uses relayed on relayed.key_id = id
      left join (select key_id, max(at) as at from (${recent}) recent group by key_id) used on used.key_id = id
    where ${chosen}`,
    sql`id ${way}`,
    page,
  );
}

/** One key of an account, locked until the transaction ends. */
export async function lockAccountKey(sql: Queryable, account: string, id: string): Promise<AccountKey | undefined> {
  const [row] = await sql<AccountKey[]>`
    select ${keyColumns(sql)} from account_keys where id = ${id} and account_id = ${account} for update`;
  return row;
}
