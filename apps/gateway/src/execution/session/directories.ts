import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Whose directory it is. */
export interface SessionOwner {
  readonly subject: string;
  readonly session: string;
}

const DIRECTORY = /^[0-9a-f]{64}$/;
const NOTE = '.json';

/**
 * One directory per subject and session below `GATEWAY_AGENT_WORKDIR` (decisions §11 and §17). Its name is a digest of
 * both, so no name of a session is ever a path and no two subjects meet in one. A note beside it says whose it is.
 */
export class SessionDirectories {
  readonly #workdir: string;
  readonly #prepare: (directory: string) => Promise<void>;

  /** @param prepare makes a new directory usable by the launcher's processes */
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

  /** The session's directory, made where it is not there yet. */
  async open(owner: SessionOwner): Promise<string> {
    const directory = this.pathOf(owner);
    // The note comes first: a directory without one would never be destroyed.
    await writeFile(`${directory}${NOTE}`, JSON.stringify({ subject: owner.subject, session: owner.session }), {
      mode: 0o600,
    });
    const made = await mkdir(directory, { recursive: true, mode: 0o700 });
    if (made !== undefined) await this.#prepare(directory);
    return directory;
  }

  /** Whose directories lie here, also those of an earlier run. */
  async owners(): Promise<SessionOwner[]> {
    const names = await readdir(this.#workdir);
    const notes = names.filter((name) => name.endsWith(NOTE) && DIRECTORY.test(name.slice(0, -NOTE.length)));
    const owners = await Promise.all(notes.map((name) => readNote(join(this.#workdir, name))));
    return owners.filter((owner) => owner !== null);
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
    await rm(doomed, { recursive: true, force: true, maxRetries: 3 });
    await rm(`${directory}${NOTE}`, { force: true });
  }

  /** Finishes removals that an earlier run did not live to finish. */
  async finishRemovals(): Promise<void> {
    const names = await readdir(this.#workdir);
    for (const name of names.filter((one) => /^[0-9a-f]{64}\.removed-/.test(one))) {
      await rm(join(this.#workdir, name), { recursive: true, force: true, maxRetries: 3 });
    }
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
