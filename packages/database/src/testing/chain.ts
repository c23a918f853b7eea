import { type Verdict, verifyChain } from '@gateway/ledger';
import { type ChainName, readChain, readChainEnd, readSigningKeys } from '../audit-log/index.ts';
import type { Queryable } from '../client/connect.ts';

/** Verifies a chain of a test database from its first entry to its last. */
export async function verdictOn(sql: Queryable, chain: ChainName): Promise<Verdict> {
  const { lastEntry, lastSeal } = await readChainEnd(sql, chain);
  return verifyChain(readChain(sql, chain, lastEntry), { chain, keys: await readSigningKeys(sql), lastSeal });
}
