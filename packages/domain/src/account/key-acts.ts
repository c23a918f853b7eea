import { type Act, type Changed, type Changes, type Created, onlyRow } from '@gateway/database/audit-log/act';
import { v7 as uuid } from 'uuid';
import type { User } from './console.ts';
import { type AccountKey, keyColumns } from './console.ts';

export type KeyChange = Changes<{
  readonly 'key.create': Created<AccountKey>;
  readonly 'key.revoke': Changed<AccountKey>;
  /** The keys that were revoked, and the new one. */
  readonly 'key.rotate': { readonly before: readonly AccountKey[]; readonly after: AccountKey };
}>;

/** The stored form of a key: never the key itself. */
export interface NewKey {
  readonly digest: Buffer;
  readonly lastFour: string;
  readonly label: string;
  /** It is refused from this instant; null: until it is revoked. */
  readonly expiresAt: string | null;
  /** The import that makes it. */
  readonly importId?: string | null;
}

type Account = Pick<User, 'id' | 'username'>;

export const targetOf = ({ username }: Pick<User, 'username'>): string => `account:${username}`;

/** Gives an account one more key. */
export async function createKey(act: Act<KeyChange>, account: Account, key: NewKey): Promise<AccountKey> {
  const after = await insertKey(act, account.id, key);
  act.record({ action: 'key.create', target: targetOf(account), before: null, after });
  return after;
}

/** Revokes a locked key. A key that was already revoked stays unchanged. */
export async function revokeKey(act: Act<KeyChange>, account: Account, before: AccountKey): Promise<AccountKey> {
  const [after] = await endKeys(act, account.id, before.id);
  if (after === undefined) return before;
  act.record({ action: 'key.revoke', target: targetOf(account), before, after });
  return after;
}

/** Gives an account a new key and revokes the one with the id `old`; null: all that are in force (roles-3). */
export async function rotateKey(
  act: Act<KeyChange>,
  account: Account,
  old: string | null,
  key: NewKey,
): Promise<{ readonly revoked: readonly AccountKey[]; readonly made: AccountKey }> {
  const revoked = await endKeys(act, account.id, old);
  const made = await insertKey(act, account.id, key);
  act.record({ action: 'key.rotate', target: targetOf(account), before: [...revoked], after: made });
  return { revoked, made };
}

export async function insertKey({ sql }: Pick<Act, 'sql'>, account: string, key: NewKey): Promise<AccountKey> {
  return onlyRow(
    await sql<AccountKey[]>`
    insert into account_keys (id, account_id, digest, last_four, label, expires_at, import_id)
    values (${uuid()}, ${account}, ${key.digest}, ${key.lastFour}, ${key.label}, ${key.expiresAt}::timestamptz, ${key.importId ?? null}::uuid)
    returning ${keyColumns(sql)}`,
  );
}

/** @returns the keys that were in force until now */
function endKeys({ sql }: Pick<Act, 'sql'>, account: string, id: string | null): Promise<readonly AccountKey[]> {
  return sql<AccountKey[]>`
    update account_keys set revoked_at = now()
    where account_id = ${account} and (${id}::uuid is null or id = ${id}) and revoked_at is null
    returning ${keyColumns(sql)}`;
}
