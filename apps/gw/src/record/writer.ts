import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { GENESIS } from '@gateway/ledger';
import { withLock } from '../files/lock.ts';
import { ownFolder, syncFolder } from '../files/replace.ts';
import { reasonOf, systemCodeOf } from '../process/fault.ts';
import { digestHolds, entryBehind, type Position, type RecordInput, readEntry } from './entry.ts';
import { maskedInput } from './mask.ts';
import { tailOf } from './tail.ts';

/** Writes the record of one session. */
export interface RecordWriter {
  /**
   * Appends an entry and waits until the disk has it. Call it before the action that it describes.
   * @throws RecordFailed where it could not be written: then the action must not happen.
   */
  append(entry: RecordInput): Promise<void>;
}

/** An entry could not be written. The message says why, and what to do. */
export class RecordFailed extends Error {
  override readonly name = 'RecordFailed';
}

export interface RecordWriterOptions {
  /** `~/.gateway/record/<session>.jsonl`. It is created with its folder at the first entry. */
  readonly path: string;
  readonly now: () => Date;
  /** Masks secrets in a text. */
  readonly mask: (text: string) => string;
}

/** How the file ends: the entry to go on from, and what has to be repaired first. */
interface End {
  readonly position: Position;
  /** Bytes of the file that are whole lines. */
  readonly whole: number;
  readonly terminated: boolean;
}

/** The end of the file as this process left it. */
interface Left extends End {
  readonly inode: number;
}

/**
 * Several processes may write one record: each holds the file's lock for one entry, and reads the end again where another
 * process has written. What a crash left of a last line is removed, and the next entry counts its bytes in `torn`: its
 * action never happened, for an entry is written before its action.
 */
export function createRecordWriter({ path, now, mask }: RecordWriterOptions): RecordWriter {
  let left: Left | null = null;
  let queue: Promise<unknown> = Promise.resolve();

  /** @throws RecordFailed where the last line is none of ours: what is put behind it would prove nothing. */
  async function endOf(file: FileHandle, size: number): Promise<End> {
    const { line, ...tail } = await tailOf(file, size);
    if (line === null) return { position: { sequence: 0, digest: GENESIS }, ...tail };
    const entry = readEntry(line);
    if (entry !== null && digestHolds(entry)) return { position: entry, ...tail };
    throw new RecordFailed(
      `The record ${path} was changed: its last entry does not verify. Nothing was done. Run gw replay, then start a new session.`,
    );
  }

  async function write(input: RecordInput): Promise<void> {
    const file = await open(path, 'a+', 0o600);
    try {
      const { ino: inode, size } = await file.stat();
      const end = left?.inode === inode && left.whole === size ? left : await endOf(file, size);
      left = null;
      const torn = size - end.whole;
      if (torn > 0) await file.truncate(end.whole);
      const entry = entryBehind(end.position, now(), torn === 0 ? input : { ...input, torn });
      const line = Buffer.from(`${end.terminated ? '' : '\n'}${JSON.stringify(entry)}\n`);
      await appendWhole(file, line, end.whole);
      if (end.whole === 0) await syncFolder(dirname(path));
      left = { position: entry, whole: end.whole + line.length, terminated: true, inode };
    } finally {
      await file.close();
    }
  }

  async function append(input: RecordInput): Promise<void> {
    try {
      await ownFolder(dirname(path));
      await withLock(`${path}.lock`, () => write(maskedInput(input, mask)));
    } catch (error) {
      if (error instanceof RecordFailed || error instanceof TypeError) throw error;
      const why = systemCodeOf(error) === null ? String(error) : reasonOf(error);
      throw new RecordFailed(`The record ${path} cannot be written, so nothing was done: ${why}`, { cause: error });
    }
  }

  return {
    append(input) {
      const appended = queue.then(() => append(input));
      queue = appended.catch(() => undefined);
      return appended;
    },
  };
}

/** A full disk may take a part of a line: that part is removed again. */
async function appendWhole(file: FileHandle, line: Buffer, sizeBefore: number): Promise<void> {
  try {
    await file.writeFile(line);
    await file.sync();
  } catch (error) {
    await file.truncate(sizeBefore).catch(() => undefined);
    throw error;
  }
}
