import {
  type ChainName,
  DECISIONS,
  listSigningKeys,
  readArchiveAnchor,
  readChainEnd,
  readEndorsedKeys,
  type SigningKeyEntry,
  type Sql,
  verifyLog,
} from '@gateway/database';
import type { Checkpoint } from '@gateway/ledger';
import type { Context } from '../context/context.ts';
import { CommandFailed } from '../context/fault.ts';
import { showProgress } from '../context/progress.ts';
import { firstIn, readExportedEntries } from './exported.ts';
import { Losses, type Verified } from './losses.ts';
import { checkpointOf, keysIn, type Note } from './trust.ts';

export interface Trusted {
  /** The logs to verify. */
  readonly logs: readonly ChainName[];
  /** Files of the keys that count; without any, all endorsed ones do. */
  readonly keyFiles: readonly string[];
  readonly note: Note | null;
  /** Archives of the decision log, in the order of their entries: verified before the entries in the database. */
  readonly archives: readonly string[];
}

/** The content of archives, for the log that continues in the database. */
async function readArchives(files: readonly string[]) {
  if (files.length === 0) return undefined;
  const first = await firstIn(files);
  if (first.chain !== DECISIONS) throw new CommandFailed(`${files[0]} is not an archive of the decision log.`);
  return {
    entries: () => readExportedEntries(files),
    behind: { sequence: first.sequence - 1n, digest: first.previous },
  };
}

/** A checkpoint that was made before the first entry of the file says nothing about it. */
async function assertReached(sql: Sql, checkpoint: Checkpoint | null, begins: bigint | undefined): Promise<void> {
  const position = checkpoint?.positions.find(({ chain }) => chain === DECISIONS);
  const start = begins ?? (await readArchiveAnchor(sql))?.sequence ?? 0n;
  if (position === undefined || position.sequence === 0n || position.sequence >= start) return;
  throw new CommandFailed(
    `The checkpoint is at entry ${position.sequence} of ${DECISIONS}, which was archived. Name the archives from that entry on ` +
      'with --archive, or use a later checkpoint.',
  );
}

/** Verifies logs in the database, up to their current end: entries appended meanwhile are left for the next run. */
export async function verifyKept(
  { terminal }: Context,
  sql: Sql,
  { logs, keyFiles, note, archives }: Trusted,
): Promise<{ results: readonly Verified[]; keys: readonly SigningKeyEntry[] }> {
  const ends = [];
  for (const chain of logs) ends.push({ chain, ...(await readChainEnd(sql, chain)) });
  // After the ends: every key that sealed an entry up to there is registered by now.
  const given = keyFiles.length > 0 ? await keysIn(keyFiles) : null;
  const trusted = async (chain: ChainName | null) => {
    const endorsed = await readEndorsedKeys(sql, chain);
    return given === null ? endorsed : new Map([...given].filter(([id]) => endorsed.has(id)));
  };
  // A restored database may lack the key of a checkpoint that was made after the backup; the given keys are trusted all the same.
  const checkpoint = checkpointOf(note, given ?? (await trusted(null)));
  const archived = await readArchives(archives);
  if (logs.includes(DECISIONS)) await assertReached(sql, checkpoint, archived?.behind.sequence);
  const found: Verified[] = [];
  for (const { chain, ...end } of ends) {
    const position = checkpoint?.positions.find((one) => one.chain === chain);
    const progress = showProgress(terminal, chain, end.lastEntry);
    const losses = new Losses();
    try {
      const result = await verifyLog(sql, chain, end, {
        keys: await trusted(chain),
        onProgress: (done) => progress.at(done),
        onEntry: losses.see,
        ...(position ? { checkpoint: position } : {}),
        ...(archived && chain === DECISIONS ? { archived } : {}),
      });
      found.push([chain, result, losses.found()]);
    } finally {
      progress.end();
    }
  }
  return { results: found, keys: await listSigningKeys(sql) };
}
