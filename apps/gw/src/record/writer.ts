import { closeSync, fstatSync, fsync, ftruncateSync, openSync, readSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '@gateway/contract/error-code';
import { GENESIS, type JsonValue } from '@gateway/ledger';
import { withLock } from '../files/lock.ts';
import { ownFolder, syncFolder } from '../files/replace.ts';
import { reasonOf } from '../process/fault.ts';
import { digestHolds, entryBehind, type Position, type RecordEntry, type RecordInput, readEntry } from './entry.ts';

/** How a file of lines ends. */
interface Tail {
  /** Its last whole line, without the line feed. Null where there is none. */
  readonly line: string | null;
  /** Bytes up to the end of that line. What follows is a line that was cut off while it was written. */
  readonly whole: number;
  /** Whether a line feed ends the last whole line: a crash may have cut off that alone. */
  readonly terminated: boolean;
}

const LINE_FEED = 10;
const BLOCK_BYTES = 65_536;

/** Reads the end of a file, and not the rest of it. */
function tailOf(file: number, size: number): Tail {
  const last = lastLineBefore(file, size);
  if (last.end === last.start) return { line: null, whole: 0, terminated: true };
  if (last.end < size) return { line: last.text, whole: size, terminated: true };
  if (readEntry(last.text) !== null) return { line: last.text, whole: size, terminated: false };
  const before = lastLineBefore(file, last.start);
  return { line: before.end === before.start ? null : before.text, whole: last.start, terminated: true };
}

interface Line {
  readonly text: string;
  readonly start: number;
  /** Without the line feed. */
  readonly end: number;
}

function lastLineBefore(file: number, size: number): Line {
  let [bytes, from] = [Buffer.alloc(0), size];
  while (from > 0) {
    const length = Math.min(BLOCK_BYTES, from);
    from -= length;
    bytes = Buffer.concat([block(file, from, length), bytes]);
    const end = bytes.at(-1) === LINE_FEED ? bytes.length - 1 : bytes.length;
    const start = end === 0 ? -1 : bytes.lastIndexOf(LINE_FEED, end - 1);
    if (start >= 0 || from === 0) return lineOf(bytes, start + 1, end, from);
  }
  return { text: '', start: 0, end: 0 };
}

function lineOf(bytes: Buffer, start: number, end: number, offset: number): Line {
  return { text: bytes.toString('utf8', start, end), start: offset + start, end: offset + end };
}

function block(file: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(file, buffer, 0, length, position));
}

type Mask = (text: string) => string;

/** An entry with every text in it masked. Members that the chain itself writes keep their names. */
export function maskInput({ kind, ...detail }: RecordInput, mask: Mask): RecordInput {
  const masked = Object.entries(detail).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, maskValue(value, mask)]],
  );
  return { kind, ...(Object.fromEntries(masked) as Record<string, JsonValue>) };
}

function maskValue(value: JsonValue, mask: Mask): JsonValue {
  if (typeof value === 'string') return mask(value.toWellFormed());
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => maskValue(item, mask));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [mask(name.toWellFormed()), maskValue(item, mask)]),
  );
}

/** The disk may take long; what else is done here takes microseconds, and is synchronous. */
const flush = promisify(fsync);

/** Writes the record of one session. */
export interface RecordWriter {
  /**
   * Appends an entry and waits until the disk has it. Call it before the action that it describes. Entries that are appended
   * together share one wait.
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

/** The end of the file: the entry to continue from, and what has to be repaired first. */
interface End {
  readonly position: Position;
  /** Bytes of the file that are whole lines. */
  readonly whole: number;
  readonly terminated: boolean;
}

/** An entry that somebody waits for. */
interface Waiting {
  readonly input: RecordInput;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** The end of the file as this process left it. */
interface Left extends End {
  readonly inode: number;
}

/**
 * Several processes may write one record: each locks the file while it appends, and reads the end again if another process has
 * written. An incomplete last line is removed, and the next entry counts its bytes in `torn`: its action never happened,
 * because an entry is written before its action.
 */
export function createRecordWriter({ path, now, mask }: RecordWriterOptions): RecordWriter {
  let left: Left | null = null;
  let waiting: Waiting[] = [];
  let isWriting = false;

  /** @throws RecordFailed where the last line is none of ours: what is put behind it would prove nothing. */
  function endOf(file: number, size: number): End {
    const { line, ...tail } = tailOf(file, size);
    if (line === null) return { position: { sequence: 0, digest: GENESIS }, ...tail };
    const entry = readEntry(line);
    if (entry !== null && digestHolds(entry)) return { position: entry, ...tail };
    throw new RecordFailed(
      `The record ${path} was changed: its last entry does not verify. Nothing was done. Run gw replay, then start a new session.`,
    );
  }

  async function write(batch: readonly Waiting[]): Promise<readonly Waiting[]> {
    const file = openSync(path, 'a+', 0o600);
    try {
      const { ino: inode, size } = fstatSync(file);
      const end = left?.inode === inode && left.whole === size ? left : endOf(file, size);
      left = null;
      const torn = size - end.whole;
      if (torn > 0) ftruncateSync(file, end.whole);
      const { entries, written } = entriesBehind(end.position, batch, torn);
      const position = entries.at(-1);
      if (position === undefined) return [];
      const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
      const bytes = Buffer.from(`${end.terminated ? '' : '\n'}${lines}`);
      await appendWhole(file, bytes, end.whole);
      if (end.whole === 0) await syncFolder(dirname(path));
      left = { position, whole: end.whole + bytes.length, terminated: true, inode };
      return written;
    } finally {
      closeSync(file);
    }
  }

  /** The chained entries of a batch. One that is no entry fails alone. */
  function entriesBehind(from: Position, batch: readonly Waiting[], torn: number) {
    const entries: RecordEntry[] = [];
    const written: Waiting[] = [];
    for (const one of batch) {
      const lost = torn > 0 && entries.length === 0 ? { torn } : {};
      try {
        entries.push(entryBehind(entries.at(-1) ?? from, now(), { ...maskInput(one.input, mask), ...lost }));
        written.push(one);
      } catch (error) {
        one.failed(error instanceof TypeError ? error : recordFailed(error));
      }
    }
    return { entries, written };
  }

  function recordFailed(error: unknown): RecordFailed {
    if (error instanceof RecordFailed) return error;
    const why = errorCode(error) === '' ? String(error) : reasonOf(error);
    return new RecordFailed(`The record ${path} cannot be written, so nothing was done: ${why}`, { cause: error });
  }

  async function writeWaiting(): Promise<void> {
    isWriting = true;
    await Promise.resolve(); // for entries that are appended together
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await ownFolder(dirname(path));
        const written = await withLock(`${path}.lock`, () => write(batch));
        for (const one of written) one.done();
      } catch (error) {
        const failure = recordFailed(error);
        for (const one of batch) one.failed(failure);
      }
    }
    isWriting = false;
  }

  return {
    append: (input) =>
      new Promise<void>((done, failed) => {
        waiting.push({ input, done, failed });
        if (!isWriting) writeWaiting().catch(failed);
      }),
  };
}

/** A full disk may take a part of the lines: that part is removed again. */
async function appendWhole(file: number, lines: Buffer, sizeBefore: number): Promise<void> {
  try {
    writeFileSync(file, lines);
    await flush(file);
  } catch (error) {
    try {
      ftruncateSync(file, sizeBefore);
    } catch {
      // the next entry removes what is left
    }
    throw error;
  }
}
