import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '@gateway/configuration';
import type { ZodType } from 'zod';
import { processRuns } from '../process/report.ts';

/** A stored record: its id is its file name, so that a record stored twice is one. */
export interface Line {
  readonly id: string;
  /** JSON. */
  readonly text: string;
}

/** Conversion of records of one kind to lines, and the check of a line. */
export interface LineForm<Entry> {
  readonly shape: ZodType<Entry>;
  readonly lineOf: (record: Entry) => Line;
}

/** Records that could not be written yet, on disk until they are: they outlive the process (relay-30). */
export interface Spool<Entry> {
  readonly lineOf: (record: Entry) => Line;
  /** Durable when it returns. @throws where the disk refuses */
  add(line: Line): void;
  /** The record is in the database. */
  remove(id: string): void;
  /** All stored records, including those of earlier processes. Of duplicates, the last is the final one. */
  kept(): Line[];
  /** For records on their way into the database: it costs no flush, and survives this process. */
  readonly journal: Journal;
  /** The records that `kept` found in the journals of earlier processes are in the database. */
  forgetJournals(): void;
}

const ENDING = '.json';
const WRITING = '.writing';

/**
 * One small file per record, named by its id, so that a record stored twice is one and several gateways may share a folder. A
 * file gets its name only when it is complete and synced.
 * @param directory is made where it is absent
 * @param onSetAside called for a file without a record, which now has this name: `<name>.unreadable`
 * @throws where it cannot be made or read
 */
export function openSpool<Entry>(
  directory: string,
  { shape, lineOf }: LineForm<Entry>,
  onSetAside: (path: string) => void,
): Spool<Entry> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  let forget = (): void => {};

  function read(name: string): Line | null {
    const path = join(directory, name);
    const text = textIfThere(path);
    if (text === null) return null; // another gateway wrote the record to the database
    const record = shape.safeParse(valueOf(text));
    if (record.success) return lineOf(record.data);
    renameSync(path, `${path}.unreadable`);
    onSetAside(`${path}.unreadable`);
    return null;
  }

  return {
    lineOf,
    journal: openJournal(directory),
    forgetJournals: () => forget(),
    add({ id, text }) {
      const path = join(directory, id + ENDING);
      try {
        write(path + WRITING, text);
        renameSync(path + WRITING, path);
      } catch (error) {
        rmSync(path + WRITING, { force: true });
        throw error;
      }
      sync(directory);
    },
    remove(id) {
      rmSync(join(directory, id + ENDING), { force: true });
    },
    kept() {
      const journalled: Line[] = [];
      forget = readLeftJournals(
        directory,
        (line) => {
          const record = shape.safeParse(line);
          if (record.success) journalled.push(lineOf(record.data));
          return record.success;
        },
        onSetAside,
      );
      const spooled = readdirSync(directory)
        .filter((name) => name.endsWith(ENDING))
        .map(read)
        .filter((record) => record !== null);
      return [...journalled, ...spooled];
    },
  };
}

function write(path: string, text: string): void {
  const descriptor = openSync(path, 'w', 0o600);
  try {
    writeFileSync(descriptor, text); // completely: a full disk accepts a part and reports an error only for the rest
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Records that are on their way into the database while the caller already has its whole answer. */
interface Journal {
  /**
   * Once it returns, the records survive the end of this process, but not of the machine: the spool does that.
   * @param lines JSON texts of records.
   * @returns a function to call once for each record, when it no longer needs the journal
   */
  append(lines: readonly string[]): () => void;
  close(): void;
}

/** Beyond this size a file without pending records is truncated. */
const LARGE = 64 * 1024;

/** Beyond this size a new file is started: under constant load, a single file would never be empty and would grow forever. */
const LARGEST = 1024 * 1024;

/** A journal of another machine is removed after this time, in milliseconds. */
const OLD = 30 * 86_400_000;

/** Files that this process writes. */
const OWN = new Set<string>();

const NAME = /^(.+)\.(\d+)\.[0-9a-f-]{36}\.journal$/;

interface File {
  readonly path: string;
  readonly descriptor: number;
  size: number;
  /** Records in it that still need it. */
  outstanding: number;
  /** Whether it ends within a line. */
  torn: boolean;
}

function openFile(directory: string): File {
  const path = join(directory, `${hostname()}.${process.pid}.${randomUUID()}.journal`);
  const descriptor = openSync(path, 'ax', 0o600);
  OWN.add(path);
  return { path, descriptor, size: 0, outstanding: 0, torn: false };
}

function closeFile({ path, descriptor, outstanding }: File): void {
  closeSync(descriptor);
  OWN.delete(path);
  if (outstanding === 0) rmSync(path, { force: true });
}

/**
 * Append-only files of a process. Writing to them costs a few microseconds, for it waits for no disk: the page cache keeps
 * what a killed process wrote.
 */
export function openJournal(directory: string): Journal {
  let current = openFile(directory);
  /** Files before it, as long as a record in them needs them. */
  const before = new Set<File>();
  let closed = false;

  function beginAnother(): void {
    try {
      const next = openFile(directory);
      before.add(current);
      current = next;
    } catch {
      // Where no other file can be made, this one continues.
    }
  }

  function settle(file: File): void {
    file.outstanding -= 1;
    if (closed || file.outstanding > 0) return;
    if (before.delete(file)) closeFile(file);
    else if (file.size >= LARGE) {
      ftruncateSync(file.descriptor, 0);
      file.size = 0;
    }
  }

  return {
    append(records) {
      if (closed) throw new Error('the journal is closed'); // its descriptor may be another file's by now
      if (current.size >= LARGEST) beginAnother();
      const file = current;
      // A full disk takes part of a line, which must not spoil the next one.
      const lines = Buffer.from(`${file.torn ? '\n' : ''}${records.join('\n')}\n`);
      file.torn = true;
      const written = writeSync(file.descriptor, lines);
      file.size += written;
      if (written < lines.length) throw new Error(`only ${written} were written of ${lines.length} bytes`);
      file.torn = false;
      file.outstanding += records.length;
      return () => settle(file);
    },
    close() {
      closed = true;
      for (const file of [...before, current]) closeFile(file);
    },
  };
}

/**
 * The records of earlier processes' journals; most are in the database already, which stores each once. A journal whose process
 * may be alive is read but not removed.
 * @param adopt takes a line's value. @returns whether it is a record
 * @param onSetAside called for a journal of another version, whose lines are no records; it now has this name
 * @returns removes the journals of ended processes.
 */
export function readLeftJournals(
  directory: string,
  adopt: (value: unknown) => boolean,
  onSetAside: (path: string) => void,
): () => void {
  const left: string[] = [];
  const aside: string[] = [];
  for (const name of readdirSync(directory)) {
    const [, host, pid] = NAME.exec(name) ?? [];
    const path = join(directory, name);
    if (host === undefined || OWN.has(path)) continue;
    const over = isOver(path, host, Number(pid)); // checked first: a process that ends later may have written more than was read
    const text = textIfThere(path);
    if (text === null) continue;
    const values = text.split('\n').map(valueOf);
    const foreign = values.filter((value) => value !== null && !adopt(value)); // null is a line that was cut
    if (over) (foreign.length > 0 ? aside : left).push(path);
  }
  return () => {
    for (const path of left) rmSync(path, { force: true });
    for (const path of aside.splice(0)) {
      renameSync(path, `${path}.unreadable`);
      onSetAside(`${path}.unreadable`);
    }
  };
}

/** Whether its process has ended. */
function isOver(path: string, host: string, pid: number): boolean {
  if (host === hostname() && (pid === process.pid || !processRuns(pid))) return true;
  const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return changed !== undefined && Date.now() - changed > OLD;
}

/** The text of a file that another process may have removed meanwhile: then null. */
function textIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The value of a text that may be truncated; null for an invalid one. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
