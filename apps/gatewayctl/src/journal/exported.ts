import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { errorCode } from '@gateway/contract/error-code';
import {
  ACTIONS,
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
import {
  type Checkpoint,
  type ExportedEntry,
  ExportFault,
  GENESIS,
  readExportedEntry,
  verifyChain,
} from '@gateway/ledger';
import { CommandFailed, type Context } from '../context/context.ts';
import { showProgress } from '../context/progress.ts';
import { Losses, type Verified } from './logs.ts';
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

const LINE_FEED = 0x0a;

/** Longer than any entry: a longer line is no export, and would not fit in memory. */
const LONGEST = 64 * 1024 * 1024;

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      yield Buffer.concat([...pieces, chunk.subarray(start, end)]);
      pieces = [];
      length = 0;
      start = end + 1;
    }
    pieces.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > LONGEST) throw new ExportFault('is longer than any entry');
  }
  if (length > 0) yield Buffer.concat(pieces);
}

/** A line without what editors and transfers between systems put at its ends: they change no entry. */
function decodedLine(line: Buffer, isFirst: boolean): string {
  if (!isUtf8(line)) throw new ExportFault('is not UTF-8');
  const text = line.toString('utf8').replace(/\r$/, '');
  return isFirst ? text.replace(/^\ufeff/, '') : text;
}

/**
 * The entries of a file that `journal export` wrote, one line in memory at a time.
 * @param onRead called with the number of bytes read.
 * @throws CommandFailed where the file, or a line of it, cannot be read; the message names the line.
 */
export async function* entriesIn(file: string, onRead: (bytes: number) => void): AsyncGenerator<ExportedEntry> {
  const stream = createReadStream(file);
  let number = 1;
  try {
    for await (const line of linesOf(stream)) {
      const entry = readExportedEntry(decodedLine(line, number === 1));
      number += 1;
      yield entry;
      if (number % 1024 === 0) onRead(stream.bytesRead);
    }
  } catch (error) {
    if (error instanceof ExportFault) throw new CommandFailed(`${file}: line ${number} ${error.message}.`);
    throw new CommandFailed(`${file} cannot be read (${errorCode(error)}).`);
  }
}

interface Trusted {
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
