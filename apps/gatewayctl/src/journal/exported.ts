import { stat } from 'node:fs/promises';
import { ACTIONS, type ChainName, DECISIONS } from '@gateway/database';
import { type ExportedEntry, GENESIS, type Verdict, verifyChain } from '@gateway/ledger';
import type { Context } from '../context.ts';
import { CommandFailed } from '../fault.ts';
import { showProgress } from '../progress.ts';
import { entriesIn } from './export-file.ts';
import { checkpointOf, keysIn, type Note } from './trust.ts';

export interface Exported {
  readonly file: string;
  /** The entry behind which the export was asked to begin; 0 for one that holds the log from its first entry. */
  readonly after: bigint;
}

function isChain(name: string): name is ChainName {
  return name === DECISIONS || name === ACTIONS;
}

/** All of one log: the digest of an entry does not cover the name of its log, only the seal behind it does. */
async function* ofOneLog(
  { file }: Exported,
  first: ExportedEntry,
  rest: AsyncIterable<ExportedEntry>,
): AsyncGenerator<ExportedEntry> {
  yield first;
  for await (const entry of rest) {
    if (entry.chain !== first.chain) {
      throw new CommandFailed(`${file}: entry ${entry.sequence} is of another log than the first.`);
    }
    yield entry;
  }
}

/** Verifies a file of `journal export` with the keys of the given files, without the database. */
export async function verifyExported(
  { terminal }: Context,
  exported: Exported,
  files: readonly string[],
  note: Note | null,
): Promise<readonly [ChainName, Verdict]> {
  const { file, after } = exported;
  const keys = await keysIn(files);
  const checkpoint = checkpointOf(note, keys);
  const size = await stat(file).then(
    (found) => found.size,
    () => 0, // whoever reads it says why
  );
  const progress = showProgress(terminal, `${file}, bytes`, BigInt(size));
  const entries = entriesIn(file, (bytes) => progress.at(BigInt(bytes)));
  try {
    const { value: first } = await entries.next();
    if (!first) throw new CommandFailed(`${file} holds no entry.`);
    const { chain } = first;
    if (!isChain(chain)) throw new CommandFailed(`${file}: line 1 is of no log of the gateway.`);
    const place = checkpoint?.places.find((one) => one.chain === chain);
    if (place && place.sequence < after) {
      throw new CommandFailed(
        `The checkpoint stands at entry ${place.sequence} of ${chain}, before the export begins: export it with --after ${place.sequence}.`,
      );
    }
    const verdict = await verifyChain(ofOneLog(exported, first, entries), {
      chain,
      keys,
      behind: { sequence: after, digest: after === 0n ? GENESIS : first.previous },
      ...(place ? { checkpoint: place } : {}),
    });
    return [chain, verdict];
  } finally {
    await entries.return(undefined);
    progress.end();
  }
}
