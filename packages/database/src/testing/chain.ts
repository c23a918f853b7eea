import type { VerificationResult } from '@gateway/ledger';
import { type ChainName, readChainEnd, readSigningKeys, verifyLog } from '../audit-log/index.ts';
import type { Queryable } from '../client/connect.ts';

/** Verifies a chain of a test database from its first entry to its last. */
export async function verdictOn(sql: Queryable, chain: ChainName): Promise<VerificationResult> {
  const end = await readChainEnd(sql, chain);
  return verifyLog(sql, chain, end, { keys: await readSigningKeys(sql) });
}
