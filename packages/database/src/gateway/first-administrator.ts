import { v7 } from 'uuid';
import type { Queryable } from '../connect.ts';

/**
 * Makes the account `admin` on plan `administrator`, without a role, unless an account of that name exists (decisions §3).
 * @param key SHA-256 digest and last four characters: the key itself is never sent.
 * @returns whether it was made now.
 */
export async function installAdministrator(
  sql: Queryable,
  key: { readonly digest: Buffer; readonly lastFour: string },
): Promise<boolean> {
  const [row] = await sql<{ made: boolean }[]>`
    select install_administrator(${v7()}, ${v7()}, ${v7()}, ${key.digest}, ${key.lastFour}) as made`;
  return row?.made === true;
}
