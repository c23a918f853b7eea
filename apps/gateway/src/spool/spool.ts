import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ZodType } from 'zod';
import { type Journal, openJournal, readLeftJournals } from './journal.ts';

/** What a spool keeps: its id is the name of its file, so that a record kept twice is one. */
export interface Spooled {
  readonly id: string;
}

/** Records that could not be written, kept on disk until they are: they outlive the process (decisions §8). */
export interface Spool<Entry extends Spooled> {
  /** Durable when it returns. @throws where the disk refuses */
  add(record: Entry): void;
  /** The record is in the database. */
  remove(id: string): void;
  /** Every record that is still kept, those of earlier processes included. */
  kept(): Entry[];
  /** For records on their way into the database: it costs no flush, and survives this process. */
  readonly journal: Journal<Entry>;
  /** What `kept` found in the journals of earlier processes is in the database. */
  forgetJournals(): void;
  /** Files that hold no record, set aside as `<name>.unreadable`; for a line at start-up. */
  readonly unreadable: readonly string[];
}

const ENDING = '.json';
const WRITING = '.writing';

/**
 * One small file a record, named by its id, so that a record kept twice is one and several gateways may share a folder.
 * A file appears under its name only when it is whole and synced.
 * @param directory is made where it is absent
 * @param shape of a record, as JSON gives it back
 * @throws where it cannot be made or read
 */
export function openSpool<Entry extends Spooled>(directory: string, shape: ZodType<Entry>): Spool<Entry> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const unreadable: string[] = [];
  let forget = (): void => {};

  function sync(path: string): void {
    const descriptor = openSync(path, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  function read(name: string): Entry | null {
    const path = join(directory, name);
    try {
      return shape.parse(JSON.parse(readFileSync(path, 'utf8')));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null; // written by another gateway meanwhile
      renameSync(path, `${path}.unreadable`);
      unreadable.push(`${path}.unreadable`);
      return null;
    }
  }

  return {
    unreadable,
    journal: openJournal(directory),
    forgetJournals: () => forget(),
    add(record) {
      const path = join(directory, record.id + ENDING);
      const descriptor = openSync(path + WRITING, 'w', 0o600);
      try {
        writeSync(descriptor, JSON.stringify(record));
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      renameSync(path + WRITING, path);
      sync(directory);
    },
    remove(id) {
      rmSync(join(directory, id + ENDING), { force: true });
    },
    kept() {
      const journalled: Entry[] = [];
      forget = readLeftJournals(directory, (line) => {
        const record = shape.safeParse(line);
        if (record.success) journalled.push(record.data);
      });
      const spooled = readdirSync(directory)
        .filter((name) => name.endsWith(ENDING))
        .map(read)
        .filter((record) => record !== null);
      return [...spooled, ...journalled];
    },
  };
}
