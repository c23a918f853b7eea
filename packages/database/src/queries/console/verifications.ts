import { v7 as uuid } from 'uuid';
import type { Queryable } from '../../client/connect.ts';

/** What a verification found: how many entries a whole chain has, or the entry at which it breaks. */
export interface FoundVerification {
  readonly chain: string;
  readonly entries: number | null;
  readonly brokenAt: number | null;
}

export async function keepVerification(sql: Queryable, { chain, entries, brokenAt }: FoundVerification): Promise<void> {
  await sql`insert into chain_verifications ${sql({ id: uuid(), chain, entries, broken_at: brokenAt })}`;
}
