import {
  ACTIONS,
  type ChainName,
  DECISIONS,
  readChain,
  readChainEnd,
  readSigningKeys,
  type Sql,
} from '@gateway/database';
import { type Verdict, verifyChain } from '@gateway/ledger';
import type { Context } from '../context.ts';
import { showProgress } from '../progress.ts';
import { checkpointOf, keysIn, type Note } from './trust.ts';

/**
 * Verifies both logs in the database, from their first entry to the end they have now: entries that are appended meanwhile are left
 * for the next time.
 * @param files of the keys that count, instead of those registered in the database.
 */
export async function verifyKept(
  { terminal }: Context,
  sql: Sql,
  files: readonly string[],
  note: Note | null,
): Promise<readonly (readonly [ChainName, Verdict])[]> {
  const ends = [];
  for (const chain of [DECISIONS, ACTIONS] as const) ends.push({ chain, ...(await readChainEnd(sql, chain)) });
  // After the ends: whoever sealed an entry up to there has registered the key by now.
  const keys = files.length > 0 ? await keysIn(files) : await readSigningKeys(sql);
  const checkpoint = checkpointOf(note, keys);
  const found: [ChainName, Verdict][] = [];
  for (const { chain, lastEntry, lastSeal } of ends) {
    const place = checkpoint?.places.find((one) => one.chain === chain);
    const progress = showProgress(terminal, chain, lastEntry);
    try {
      const verdict = await verifyChain(readChain(sql, chain, lastEntry), {
        chain,
        keys,
        lastSeal,
        onProgress: (done) => progress.at(done),
        ...(place ? { checkpoint: place } : {}),
      });
      found.push([chain, verdict]);
    } finally {
      progress.end();
    }
  }
  return found;
}
