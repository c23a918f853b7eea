import { type ChainedEntry, type VerificationResult, type VerifyOptions, verifyChain } from '@gateway/ledger';
import type { Queryable } from '../client/connect.ts';
import { type ArchiveAnchor, archiveAnchorFault, readArchiveAnchor } from './archive-anchor.ts';
import { type ChainName, DECISIONS } from './names.ts';
import { type ChainEnd, readChain } from './read-chain.ts';

export interface LogVerification extends Pick<VerifyOptions, 'keys' | 'checkpoint' | 'onProgress' | 'onEntry'> {
  /** Entries of archives, which go before those of the database. */
  readonly archived?: {
    readonly entries: () => AsyncIterable<ChainedEntry>;
    readonly behind: NonNullable<VerifyOptions['behind']>;
  };
  /** What the entries go through on their way: a reader may leave. */
  readonly through?: (entries: AsyncIterable<ChainedEntry>) => AsyncIterable<ChainedEntry>;
}

async function* concatenate(first: AsyncIterable<ChainedEntry>, second: AsyncIterable<ChainedEntry>) {
  yield* first;
  yield* second;
}

/**
 * Verifies a log in the database: from its first entry, or from the position after its last archive, up to an end read before. A
 * concurrent archive is no fault: then it starts over, after that one.
 */
export async function verifyLog(
  sql: Queryable,
  chain: ChainName,
  end: ChainEnd,
  verification: LogVerification,
): Promise<VerificationResult> {
  const anchorNow = () => (chain === DECISIONS ? readArchiveAnchor(sql) : null);
  for (let anchor = await anchorNow(); ; ) {
    const result = await verifyBehind(sql, chain, end, anchor, verification);
    if (result.ok) return result;
    const now = await anchorNow();
    if (now?.file === anchor?.file && now?.removed === anchor?.removed) return result;
    anchor = now;
  }
}

async function verifyBehind(
  sql: Queryable,
  chain: ChainName,
  { lastEntry, lastSeal }: ChainEnd,
  anchor: ArchiveAnchor | null,
  { archived, through = (entries) => entries, ...given }: LogVerification,
): Promise<VerificationResult> {
  const options = { ...given, chain, lastSeal };
  if (anchor === null && archived === undefined) {
    return verifyChain(through(readChain(sql, chain, lastEntry)), options);
  }
  const fault = anchor && (await archiveAnchorFault(sql, anchor, given.keys));
  if (fault) return fault;
  // Once they are removed, an entry before this position was inserted by an attacker.
  const after = anchor !== null && (archived !== undefined || !anchor.removed) ? anchor.sequence : 0n;
  const kept = readChain(sql, chain, lastEntry, { after });
  const entries = archived === undefined ? kept : concatenate(archived.entries(), kept);
  const behind = archived?.behind ?? anchor;
  return verifyChain(through(entries), behind === null ? options : { ...options, behind });
}
