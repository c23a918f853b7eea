import { type Archive, type ArchiveFault, fingerprintOf, loadArchive } from './load.ts';
import { walk } from './walk.ts';

/** What one look at a folder found. */
export interface Look {
  /** The folder has no unsettled changes. */
  readonly calm: boolean;
  /** Time (ms) to read the folder, without the handling of a new archive. */
  readonly took: number;
}

/**
 * Detects that a folder contains another archive. A new one is installed only when two checks in a row saw the same state, so
 * that a half-copied archive is never used; until then, and when the new one is faulty, the earlier one stays.
 * @param install called with the new archive; the next check waits for it
 * @param reject called once for each faulty state
 * @returns checks the folder once
 */
export function archiveFollower(options: {
  readonly folder: string;
  readonly fingerprint: string;
  readonly install: (archive: Archive) => Promise<void>;
  readonly reject: (fault: ArchiveFault) => void;
}): () => Promise<Look> {
  /** The state that was last installed or rejected. */
  let settled = options.fingerprint;
  let seen = settled;

  const take = async (): Promise<void> => {
    const archive = await loadArchive(options.folder);
    if ('fault' in archive) options.reject(archive);
    else {
      await options.install(archive);
      seen = archive.fingerprint;
    }
    settled = seen;
  };
  return async () => {
    const start = performance.now();
    const state = await walk(options.folder).then(fingerprintOf, (error: Error) => `unreadable: ${error.message}`);
    const took = performance.now() - start;
    if (state === settled) return { calm: true, took };
    if (state === seen) await take();
    else seen = state;
    return { calm: seen === settled, took };
  };
}

/** Shortest time between two looks at the folder, and between two looks at a folder that is changing (ms). */
const CALM = 1000;
const CHANGING = 200;
/** A check takes at most this share of the time, so that a huge archive is checked less often; more of it while it changes. */
const CALM_SHARE = 1 / 50;
const CHANGING_SHARE = 1 / 5;

/** How long (ms) to wait after a look. */
export function pauseAfter({ calm, took }: Look): number {
  return calm ? Math.max(CALM, took / CALM_SHARE) : Math.max(CHANGING, took / CHANGING_SHARE);
}

/**
 * Checks repeatedly without keeping the process alive.
 * @param fail called with the error of a check; the checks continue
 * @returns stops them
 */
export function lookRepeatedly(look: () => Promise<Look>, fail: (error: Error) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const schedule = (delay: number): void => {
    if (!stopped) timer = setTimeout(turn, delay).unref();
  };
  const turn = (): void => {
    look()
      .catch((error: Error) => {
        fail(error);
        return { calm: true, took: 0 };
      })
      .then((found) => schedule(pauseAfter(found)))
      .catch(fail);
  };
  schedule(CALM);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
