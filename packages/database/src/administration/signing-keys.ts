import type { Act } from './act.ts';

/**
 * Accepts what a key signs, from now on and before (log-6). The privileges of the database allow it to the owner alone.
 * @returns false where it is endorsed already; null where no such key is registered
 */
export async function endorseSigningKey({ sql, author, record }: Act, fingerprint: string): Promise<boolean | null> {
  const [key] = await sql<{ component: string; isEndorsed: boolean }[]>`
    select component, endorsed_at is not null as "isEndorsed" from signing_keys where id = ${fingerprint} for update`;
  if (key === undefined) return null;
  if (key.isEndorsed) return false;
  await sql`update signing_keys set endorsed_at = now(), endorsed_by = ${author} where id = ${fingerprint}`;
  const { component } = key;
  record({
    action: 'signing-key.endorse',
    target: `signing-key:${fingerprint}`,
    before: { component, endorsed: false },
    after: { component, endorsed: true },
  });
  return true;
}
