import { type AccountKey, keyColumns } from '../queries/console/account-keys.ts';
import type { Act } from './act.ts';

/**
 * Revokes all keys in force that an import made, with one entry for the import and one for each key. The accounts stay.
 * @returns how many were revoked; undefined where there is no such import
 */
export async function revokeImportedKeys({ sql, record }: Act, id: string): Promise<number | undefined> {
  const [found] = await sql`select from account_imports where id = ${id}`;
  if (found === undefined) return undefined;
  const revoked = await sql<(AccountKey & { readonly username: string })[]>`
    with ended as (
      update account_keys set revoked_at = now() where import_id = ${id} and revoked_at is null returning account_id, ${keyColumns(sql)}
    )
    select ended.*, account.username from ended join accounts account on account.id = ended.account_id order by username`;
  record({
    action: 'import.revoke',
    target: `import:${id}`,
    before: { keysInForce: revoked.length },
    after: { keysInForce: 0 },
  });
  for (const { username, id: key, label, lastFour, createdAt, expiresAt, revokedAt } of revoked) {
    const before = { id: key, label, lastFour, createdAt, expiresAt, revokedAt: null };
    record({ action: 'key.revoke', target: `account:${username}`, before, after: { ...before, revokedAt } });
  }
  return revoked.length;
}
