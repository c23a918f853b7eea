import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { removeTree } from './remove-tree.ts';

/** Whose directory it is. */
export interface SessionOwner {
  readonly subject: string;
  readonly session: string;
}

const NOTE = /^[0-9a-f]{64}\.json$/;
const REMOVED = /^[0-9a-f]{64}\.removed-/;
const noteOf = (directory: string) => `${directory}.json`;

/**
 * One directory per subject and session below `GATEWAY_AGENT_WORKDIR` (decisions §11 and §17). Its name is a digest of
 * both, so no name of a session is ever a path and no two subjects meet in one. A note beside it says whose it is.
 */
export class SessionDirectories {
  readonly #workdir: string;
  readonly #prepare: (directory: string) => Promise<void>;
  /** By path: those of this run, and those an earlier one left. */
  readonly #known = new Map<string, SessionOwner>();
  readonly #opening = new Map<string, Promise<void>>();

  /** @param prepare makes a directory, new or not, usable by the launcher's processes */
  constructor(workdir: string, prepare: (directory: string) => Promise<void>) {
    this.#workdir = workdir;
    this.#prepare = prepare;
  }

  pathOf({ subject, session }: SessionOwner): string {
    const name = createHash('sha256')
      .update(JSON.stringify([subject, session]))
      .digest('hex');
    return join(this.#workdir, name);
  }

  /** The session's directory, made where it is not there yet, and usable whatever became of it. Two commands that come at once wait for the same making. */
  async open(owner: SessionOwner): Promise<string> {
    const directory = this.pathOf(owner);
    const opening = this.#opening.get(directory) ?? this.#make(directory, owner);
    this.#opening.set(directory, opening);
    try {
      await opening;
    } finally {
      this.#opening.delete(directory);
    }
    return directory;
  }

  async #make(directory: string, owner: SessionOwner): Promise<void> {
    // The note comes first: a directory without one would never be destroyed.
    await writeFile(noteOf(directory), JSON.stringify({ subject: owner.subject, session: owner.session }), {
      mode: 0o600,
    });
    await mkdir(directory, { recursive: true, mode: 0o700 });
    // Each time: a command may have closed it to itself, the operator may have exchanged the sandbox's user, and a gateway may
    // have been killed between the making and this.
    await this.#prepare(directory);
    this.#known.set(directory, owner);
  }

  /** Whose directories lie here. */
  known(): readonly SessionOwner[] {
    return [...this.#known.values()];
  }

  /** Finds what an earlier run left: directories, and removals it did not live to finish. */
  async takeUp(): Promise<void> {
    for (const name of await readdir(this.#workdir)) {
      const path = join(this.#workdir, name);
      // What cannot be removed does not keep the gateway from starting: its note is still there, so it is tried again.
      if (REMOVED.test(name)) await removeTree(path).catch(() => {});
      else if (NOTE.test(name)) {
        const owner = await readNote(path);
        if (owner !== null) this.#known.set(this.pathOf(owner), owner);
      }
    }
  }

  /** Removes everything in it. Links in it are removed, never followed. */
  async destroy(owner: SessionOwner): Promise<void> {
    const directory = this.pathOf(owner);
    // Out of the way first, so that it is gone at once for whoever looks, however long its removal takes.
    const doomed = `${directory}.removed-${process.pid}-${Date.now()}`;
    try {
      await rename(directory, doomed);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    // With what an earlier attempt left.
    const left = (await readdir(this.#workdir)).filter((name) => name.startsWith(`${basename(directory)}.removed-`));
    for (const name of left) await removeTree(join(this.#workdir, name));
    await rm(noteOf(directory), { force: true });
    this.#known.delete(directory);
  }
}

async function readNote(file: string): Promise<SessionOwner | null> {
  try {
    const { subject, session } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    return typeof subject === 'string' && typeof session === 'string' ? { subject, session } : null;
  } catch {
    return null;
  }
}
