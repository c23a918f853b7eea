import type { Queryable } from '@gateway/database';
import { answer } from '@gateway/database/client/answers';
import type { Link } from '@gateway/database/client/link';
import { v7 as uuid, v7 } from 'uuid';

/**
 * Enters a federated identity into the registry of accounts; nothing happens where it is there, or where a local account
 * bears the name (roles-8).
 * @param deadline on the clock of `performance.now()`.
 */
export async function registerOidcIdentity(link: Link, subject: string, deadline: number): Promise<void> {
  await answer(link, deadline, (sql) => sql`select register_directory_identity(${uuid()}, ${subject})`);
}

/** `other-key`: the account exists, and the key is not one of its keys. */
type Outcome = 'made' | 'kept' | 'other-key';

/**
 * Makes the account `admin` on plan `administrator`, without a role, unless an account of that name exists (roles-9).
 * @param key SHA-256 digest and last four characters: the key itself is never sent.
 */
export async function installAdministrator(
  sql: Queryable,
  key: { readonly digest: Buffer; readonly lastFour: string },
): Promise<Outcome> {
  const [row] = await sql<{ made: boolean }[]>`
    select install_administrator(${v7()}, ${v7()}, ${v7()}, ${key.digest}, ${key.lastFour}) as made`;
  if (row?.made === true) return 'made';
  // A statement of its own: another gateway may have made the account while the first one waited for it.
  const [known] = await sql`
    select from account_keys own join accounts account on account.id = own.account_id
    where account.username = 'admin' and own.digest = ${key.digest}
      and own.revoked_at is null and (own.expires_at is null or own.expires_at > now())`;
  return known === undefined ? 'other-key' : 'kept';
}
