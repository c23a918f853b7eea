import { createHash } from 'node:crypto';
import type { Dir } from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  opendir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from '@gateway/configuration';
import { errorCode } from '@gateway/contract/error-code';

const BLOCK = 512;
/** Concurrent calls of stat: one at a time takes four times as long, and a command writes in the meantime. */
const BATCH = 64;

/** What cannot be added up is past every bound. */
const BEYOND: DirectorySize = { bytes: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY };

const pathBytes = (path: string) => Buffer.from(path, 'latin1');

/**
 * Removes a directory with everything in it; links in it are removed, never followed. A command may leave what the plain
 * way fails on: paths longer than the system takes, and directories that not even their owner may enter.
 */
export async function removeTree(directory: string): Promise<void> {
  try {
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    await removeLevelByLevel(directory);
  }
}

/** Each directory moves to the top before its turn, so that no path grows long. */
async function removeLevelByLevel(directory: string): Promise<void> {
  const aside = await mkdtemp(`${directory}-`);
  let moved = 0;
  const pending = [bytesOf(directory)];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    await chmod(next, 0o700);
    for (const entry of await readdir(next, { withFileTypes: true, encoding: 'buffer' })) {
      const path = Buffer.concat([next, SEPARATOR, entry.name]);
      if (!entry.isDirectory()) await unlink(path);
      else {
        moved += 1;
        const renamed = bytesOf(`${aside}/${moved}`);
        await chmod(path, 0o700); // or it could not be moved
        await rename(path, renamed);
        pending.push(renamed);
      }
    }
    await rmdir(next);
  }
  await rmdir(aside);
}

/** Names are bytes: a command may choose some that are no text. */
const bytesOf = (path: string) => Buffer.from(path);
const SEPARATOR = Buffer.from('/');

/** Whose directory it is. */
export interface SessionOwner {
  readonly subject: string;
  readonly session: string;
}

const NOTE = /^[0-9a-f]{64}\.json$/;
const REMOVED = /^[0-9a-f]{64}\.removed-/;
const noteOf = (directory: string) => `${directory}.json`;

/** Milliseconds a command waits for directories of its subject that are still being added up. */
const PATIENCE = 1000;
const WHATEVER = { bytes: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY };

/** A directory that is there. */
interface Known {
  readonly owner: SessionOwner;
  /** Its size, as last measured; null where it never was. */
  bytes: number | null;
  measuring: Promise<void> | null;
}

/**
 * One directory per subject and session below `GATEWAY_AGENT_WORKDIR` (commands-10). Its name is a digest of both, so no session
 * name becomes a path and no two subjects share one. A note beside it has the owner and the time of the last command.
 */
export class SessionDirectories {
  readonly #workdir: string;
  readonly #prepare: (directory: string, slot: number) => Promise<void>;
  /** By path: those of this run, and those an earlier one left. */
  readonly #known = new Map<string, Known>();
  readonly #opening = new Map<string, Promise<void>>();
  /** Commands that use a directory, or are about to. */
  readonly #users = new Map<string, { readonly subject: string; count: number }>();
  readonly #expiring = new Map<string, Promise<void>>();
  /** A small number for each subject that has a directory here, the same as long as it has one. */
  readonly #slots = new Map<string, number>();

  /**
   * @param prepare makes a directory, new or not, usable by the launcher's processes
   */
  constructor(workdir: string, prepare: (directory: string, slot: number) => Promise<void>) {
    this.#workdir = workdir;
    this.#prepare = prepare;
  }

  pathOf({ subject, session }: SessionOwner): string {
    const name = createHash('sha256')
      .update(JSON.stringify([subject, session]))
      .digest('hex');
    return join(this.#workdir, name);
  }

  /**
   * The session's directory, created if missing and made usable; call `close` when the command has ended. Concurrent commands
   * share one creation.
   */
  async open(owner: SessionOwner): Promise<string> {
    const directory = this.pathOf(owner);
    const users = this.#users.get(directory) ?? { subject: owner.subject, count: 0 };
    users.count += 1;
    this.#users.set(directory, users);
    try {
      await this.#expiring.get(directory);
      const opening = this.#opening.get(directory) ?? this.#make(directory, owner);
      this.#opening.set(directory, opening);
      await opening;
      return directory;
    } catch (error) {
      this.#leave(directory);
      throw error;
    } finally {
      this.#opening.delete(directory);
    }
  }

  /** A command of the session ended: its directory is measured, and its day without a command begins. */
  close(owner: SessionOwner): void {
    const directory = this.pathOf(owner);
    this.#leave(directory);
    const known = this.#known.get(directory);
    if (known === undefined) return;
    utimes(noteOf(directory), new Date(), new Date()).catch(() => {}); // destroyed meanwhile
    this.#measure(directory, known);
  }

  #leave(directory: string): void {
    const users = this.#users.get(directory);
    if (users === undefined) return;
    users.count -= 1;
    if (users.count === 0) this.#users.delete(directory);
  }

  async #make(directory: string, owner: SessionOwner): Promise<void> {
    const { subject, session } = owner;
    const slot = this.#slotOf(subject);
    // The note is written first: a directory without one would never be destroyed.
    await writeFile(noteOf(directory), JSON.stringify({ subject, session, slot }), { mode: 0o600 });
    await mkdir(directory, { recursive: true, mode: 0o700 });
    // Each time: a command may have removed its access, the operator may have changed the sandbox's user, or a gateway may have
    // been killed in between.
    await this.#prepare(directory, slot);
    if (!this.#known.has(directory)) this.#known.set(directory, { owner, bytes: null, measuring: null });
  }

  #slotOf(subject: string): number {
    const known = this.#slots.get(subject);
    if (known !== undefined) return known;
    const taken = new Set(this.#slots.values());
    let slot = 0;
    while (taken.has(slot)) slot += 1;
    this.#slots.set(subject, slot);
    return slot;
  }

  /** The owners of the directories here. */
  known(): readonly SessionOwner[] {
    return Array.from(this.#known.values(), ({ owner }) => owner);
  }

  /** Bytes of all directories of a subject, as far as they can be added up soon. */
  async bytesOf(subject: string): Promise<number> {
    const own = [...this.#known].filter(([, { owner }]) => owner.subject === subject);
    for (const [directory, known] of own) if (known.bytes === null) this.#measure(directory, known);
    const measuring = own.map(([, known]) => known.measuring).filter((one) => one !== null);
    if (measuring.length > 0) await Promise.race([Promise.all(measuring), pause(PATIENCE, null, { ref: false })]);
    return own.reduce((sum, [, { bytes }]) => sum + (bytes ?? 0), 0);
  }

  /** Bytes of the subject's other directories, as last measured. */
  bytesBeside({ subject, session }: SessionOwner): number {
    let sum = 0;
    for (const { owner, bytes } of this.#known.values())
      if (owner.subject === subject && owner.session !== session) sum += bytes ?? 0;
    return sum;
  }

  /** Takes the size that the watch of a running command measured. */
  measured(owner: SessionOwner, bytes: number): void {
    const known = this.#known.get(this.pathOf(owner));
    if (known !== undefined) known.bytes = bytes;
  }

  #measure(directory: string, known: Known): void {
    const measure = async (): Promise<void> => {
      try {
        known.bytes = (await directorySize(directory, WHATEVER)).bytes;
      } catch {
        // Unchanged.
      }
      if (known.measuring === measuring) known.measuring = null;
    };
    const measuring = measure();
    known.measuring = measuring;
  }

  /** Finds what an earlier run left: directories, and removals it did not live to finish. */
  async takeUp(): Promise<void> {
    for (const name of await readdir(this.#workdir)) {
      const path = join(this.#workdir, name);
      // What cannot be removed does not keep the gateway from starting: its note is still there, so it is tried again.
      if (REMOVED.test(name)) await removeTree(path).catch(() => {});
      else if (NOTE.test(name)) {
        const note = await readNote(path);
        if (note === null) continue;
        this.#known.set(this.pathOf(note.owner), { owner: note.owner, bytes: null, measuring: null });
        const isFree = note.slot !== null && ![...this.#slots.values()].includes(note.slot);
        if (isFree && !this.#slots.has(note.owner.subject)) this.#slots.set(note.owner.subject, note.slot);
      }
    }
  }

  /** Deletes the directories that no command used for so many milliseconds. @returns how many could not be deleted */
  async expire(idleMs: number): Promise<number> {
    let failed = 0;
    const known = [...this.#known];
    for (const [directory, { owner }] of known) {
      const used = await stat(noteOf(directory)).catch(() => null);
      if (used === null || Date.now() - used.mtimeMs < idleMs || this.#users.has(directory)) continue;
      const gone = this.destroy(owner).catch(() => {
        failed += 1;
      });
      this.#expiring.set(directory, gone);
      await gone;
      this.#expiring.delete(directory);
    }
    return failed;
  }

  /** Removes everything in it. Links in it are removed, never followed. */
  async destroy(owner: SessionOwner): Promise<void> {
    const directory = this.pathOf(owner);
    // Renamed first, so that it disappears immediately, even if its removal takes long.
    const doomed = `${directory}.removed-${process.pid}-${Date.now()}`;
    try {
      await rename(directory, doomed);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
    // With what an earlier attempt left.
    const left = (await readdir(this.#workdir)).filter((name) => name.startsWith(`${basename(directory)}.removed-`));
    for (const name of left) await removeTree(join(this.#workdir, name));
    await rm(noteOf(directory), { force: true });
    this.#known.delete(directory);
    const { subject } = owner;
    const isHere = [...this.known(), ...this.#users.values()].some((one) => one.subject === subject);
    if (!isHere) this.#slots.delete(subject);
  }
}

/** @returns null where it is no note; one of an earlier version has no slot */
async function readNote(file: string): Promise<{ readonly owner: SessionOwner; readonly slot: number | null } | null> {
  try {
    const { subject, session, slot } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    if (typeof subject !== 'string' || typeof session !== 'string') return null;
    return { owner: { subject, session }, slot: Number.isSafeInteger(slot) && Number(slot) >= 0 ? Number(slot) : null };
  } catch {
    return null;
  }
}

/** What a directory takes: bytes on disk and entries. */
export interface DirectorySize {
  readonly bytes: number;
  readonly files: number;
}

/**
 * Measures a directory without following links. Stops once either bound is exceeded. Entries that disappear during the scan count
 * nothing; those deeper than a path can reach count as unlimited. Names are bytes, read as Latin-1: a command may choose names
 * that are no text.
 */
export async function directorySize(directory: string, most: DirectorySize): Promise<DirectorySize> {
  const seen = new Set<string>();
  const pending = [Buffer.from(directory).toString('latin1')];
  let bytes = 0;
  let files = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const listing = await opendir(pathBytes(next), { encoding: 'latin1', bufferSize: BATCH }).catch(codeOf);
    if (listing === 'ENAMETOOLONG') return BEYOND;
    if (typeof listing === 'string') continue;
    try {
      for await (const names of batchesOf(listing)) {
        const paths = names.map((name) => `${next}/${name}`);
        const entries = await Promise.all(paths.map((path) => lstat(pathBytes(path)).catch(codeOf)));
        for (const [index, entry] of entries.entries()) {
          files += 1;
          if (entry === 'ENAMETOOLONG') return BEYOND;
          if (typeof entry === 'string') continue;
          if (isNew(entry, seen)) bytes += entry.blocks * BLOCK;
          if (bytes > most.bytes || files > most.files) return { bytes, files };
          if (entry.isDirectory()) pending.push(paths[index] as string);
        }
      }
    } catch {
      // The directory was removed while it was read.
    }
  }
  return { bytes, files };
}

async function* batchesOf(listing: Dir): AsyncGenerator<string[]> {
  let names: string[] = [];
  for await (const { name } of listing) {
    names.push(name);
    if (names.length < BATCH) continue;
    yield names;
    names = [];
  }
  yield names;
}

/** A file with several names takes its space once. */
function isNew({ nlink, dev, ino }: { nlink: number; dev: number; ino: number }, seen: Set<string>): boolean {
  if (nlink === 1) return true;
  const key = `${dev}:${ino}`;
  const known = seen.has(key);
  seen.add(key);
  return !known;
}
