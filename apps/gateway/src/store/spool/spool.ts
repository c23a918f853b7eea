import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ZodType } from 'zod';
import { type Journal, openJournal, readLeftJournals } from './journal.ts';
import { textOf, valueOf } from './left-behind.ts';

/** A record as it is kept: its id is the name of its file, so that a record kept twice is one. */
export interface Line {
  readonly id: string;
  /** JSON. */
  readonly text: string;
}

/** How records of one kind become lines, and what a line may hold. */
export interface LineForm<Entry> {
  readonly shape: ZodType<Entry>;
  readonly lineOf: (record: Entry) => Line;
}

/** Records that could not be written, kept on disk until they are: they outlive the process (relay-30). */
export interface Spool<Entry> {
  readonly lineOf: (record: Entry) => Line;
  /** Durable when it returns. @throws where the disk refuses */
  add(line: Line): void;
  /** The record is in the database. */
  remove(id: string): void;
  /** Every record that is still kept, those of earlier processes included. Of one that is there twice, the last is the final one. */
  kept(): Line[];
  /** For records on their way into the database: it costs no flush, and survives this process. */
  readonly journal: Journal;
  /** What `kept` found in the journals of earlier processes is in the database. */
  forgetJournals(): void;
}

const ENDING = '.json';
const WRITING = '.writing';

/**
 * One small file a record, named by its id, so that a record kept twice is one and several gateways may share a folder.
 * A file appears under its name only when it is whole and synced.
 * @param directory is made where it is absent
 * @param onSetAside told of a file that holds no record, and now has this name: `<name>.unreadable`
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
    const text = textOf(path);
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
    writeFileSync(descriptor, text); // to its last byte: a full disk takes a part, and says so only of the rest
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
