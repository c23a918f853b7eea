import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ZodType } from 'zod';
import { type Journal, openJournal, readLeftJournals, textIfThere, valueOf } from './journal.ts';

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
