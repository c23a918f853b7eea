import { type Archive, type ArchiveFault, fingerprintOf, loadArchive } from './load.ts';
import { walk } from './walk.ts';

/**
 * Notices that a folder holds another archive. A new one is taken only when two looks in a row saw the same state, so
 * that an archive which is being copied into place is not taken half; until then, and when the new one is faulty, the
 * earlier one stays.
 * @param install called with the new archive; the next look waits for it
 * @param reject called once for each faulty state
 * @returns a look at the folder: resolves to whether the folder is calm, that is, holds nothing that is not settled
 */
export function archiveFollower(options: {
  readonly folder: string;
  readonly fingerprint: string;
  readonly install: (archive: Archive) => Promise<void>;
  readonly reject: (fault: ArchiveFault) => void;
}): () => Promise<boolean> {
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
    const state = await walk(options.folder).then(fingerprintOf, (error: Error) => `unreadable: ${error.message}`);
    if (state === settled) return true;
    if (state === seen) await take();
    else seen = state;
    return seen === settled;
  };
}

/** Shortest time between two looks at the folder, and between two looks at a folder that is changing (ms). */
const CALM = 1000;
const CHANGING = 200;
/** A look may take at most this share of the time, so that a huge archive is looked at less often. */
const SHARE = 1 / 50;

/**
 * Looks again and again without keeping the process alive.
 * @param fail told what a look threw; the looking goes on
 * @returns ends it
 */
export function lookRepeatedly(look: () => Promise<boolean>, fail: (error: Error) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const schedule = (delay: number): void => {
    if (!stopped) timer = setTimeout(turn, delay).unref();
  };
  const turn = (): void => {
    const start = performance.now();
    look()
      .catch((error: Error) => {
        fail(error);
        return true;
      })
      .then((calm) => schedule(Math.max(calm ? CALM : CHANGING, (performance.now() - start) / SHARE)))
      .catch(fail);
  };
  schedule(CALM);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
