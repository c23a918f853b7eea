import { stat } from 'node:fs/promises';
import { ACTIONS, type ChainName, DECISIONS } from '@gateway/database';
import { type ExportedEntry, GENESIS, verifyChain } from '@gateway/ledger';
import type { Context } from '../context/context.ts';
import { CommandFailed } from '../context/fault.ts';
import { showProgress } from '../context/progress.ts';
import { entriesIn } from './export-file.ts';
import { Losses, type Verified } from './losses.ts';
import { checkpointOf, keysIn, type Note } from './trust.ts';

export interface Exported {
  /** In the order of their entries. */
  readonly files: readonly string[];
  /**
   * The entry after which the first file must begin; 0 for one that contains the log from its first entry; null to accept the
   * first entry of the file.
   */
  readonly after: bigint | null;
  /** The files are of one of these. */
  readonly logs: readonly ChainName[];
}

function isChain(name: string): name is ChainName {
  return name === DECISIONS || name === ACTIONS;
}

async function* entriesOf(
  files: readonly string[],
  onRead: (file: string, bytes: number) => void,
): AsyncGenerator<{ readonly file: string; readonly entry: ExportedEntry }> {
  for (const file of files) {
    for await (const entry of entriesIn(file, (bytes) => onRead(file, bytes))) yield { file, entry };
  }
}

/** All of one log: the digest of an entry does not cover the name of its log, only the seal behind it does. */
async function* ofOneLog(
  first: ExportedEntry,
  rest: AsyncIterable<{ readonly file: string; readonly entry: ExportedEntry }>,
): AsyncGenerator<ExportedEntry> {
  yield first;
  for await (const { file, entry } of rest) {
    if (entry.chain !== first.chain) {
      throw new CommandFailed(`${file}: entry ${entry.sequence} is of another log than the first.`);
    }
    yield entry;
  }
}

/** The first entry of files from an archive or an export, without keeping the files open. */
export async function firstIn(files: readonly string[]): Promise<ExportedEntry & { readonly chain: ChainName }> {
  const entries = entriesOf(files, () => {});
  try {
    const { value } = await entries.next();
    if (!value) throw new CommandFailed(`${files.join(', ')} contains no entry.`);
    const { chain } = value.entry;
    if (!isChain(chain)) throw new CommandFailed(`${value.file}: line 1 is of no log of the gateway.`);
    return { ...value.entry, chain };
  } finally {
    await entries.return(undefined);
  }
}

/** The entries of files of one log. */
export async function* readExportedEntries(
  files: readonly string[],
  onRead: (file: string, bytes: number) => void = () => {},
): AsyncGenerator<ExportedEntry> {
  const entries = entriesOf(files, onRead);
  const { value } = await entries.next();
  if (value) yield* ofOneLog(value.entry, entries);
}

/** Verifies files of `journal export` or `archive` with the keys of the given files, without the database. */
export async function verifyExported(
  { terminal }: Context,
  { files, after: given, logs }: Exported,
  keyFiles: readonly string[],
  note: Note | null,
): Promise<Verified> {
  const keys = await keysIn(keyFiles);
  const checkpoint = checkpointOf(note, keys);
  const first = await firstIn(files);
  const { chain } = first;
  if (!logs.includes(chain)) throw new CommandFailed(`${files[0]} is of another log: ${chain}.`);
  const after = given ?? first.sequence - 1n;
  const position = checkpoint?.positions.find((one) => one.chain === chain);
  if (position && position.sequence < after) {
    throw new CommandFailed(
      `The checkpoint is at entry ${position.sequence} of ${chain}, before the export begins: export it with --after ${position.sequence}.`,
    );
  }
  let size = 0;
  for (const file of files) size += (await stat(file)).size;
  const progress = showProgress(terminal, `${files.join(', ')}, bytes`, BigInt(size));
  let [before, current] = [0, 0];
  let at = files[0];
  const onRead = (file: string, bytes: number): void => {
    if (file !== at) before += current;
    at = file;
    current = bytes;
    progress.at(BigInt(before + current));
  };
  const entries = readExportedEntries(files, onRead);
  const losses = new Losses();
  try {
    const result = await verifyChain(entries, {
      chain,
      keys,
      behind: { sequence: after, digest: after === 0n ? GENESIS : first.previous },
      onEntry: losses.see,
      ...(position ? { checkpoint: position } : {}),
    });
    return [chain, result, losses.found()];
  } finally {
    await entries.return(undefined);
    progress.end();
  }
}
