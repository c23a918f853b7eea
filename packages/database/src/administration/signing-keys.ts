import type { Queryable } from '../client/connect.ts';

export interface SigningKeyEntry {
  readonly id: string;
  readonly component: string;
  readonly registeredAt: string;
  /** PEM. */
  readonly publicKey: string;
}

/** Every public key that ever sealed a log, the oldest first. */
export async function listSigningKeys(sql: Queryable): Promise<readonly SigningKeyEntry[]> {
  const rows = await sql<(Omit<SigningKeyEntry, 'registeredAt'> & { registeredAt: Date })[]>`
    select id, component, registered_at as "registeredAt", public_key as "publicKey" from signing_keys
    order by registered_at, id`;
  return rows.map((row) => ({ ...row, registeredAt: row.registeredAt.toISOString() }));
}
