import { stat, statfs } from 'node:fs/promises';
import { type DirectorySize, directorySize } from './directory-size.ts';
import { unnamedBytes } from './unnamed-files.ts';

/** Milliseconds between two looks at the file system. */
const PERIOD = 100;
/** Looks, of which the last adds the directory up whatever the file system says: what others free there hides what is written. */
const LOOKS = 50;
const NOTHING: DirectorySize = { bytes: 0, files: 0 };
/** All of a directory is added up at first: one that is far past its bounds could not shrink if a part of it was taken for all. */
const WHATEVER: DirectorySize = { bytes: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY };

/**
 * Times as long as adding up took that passes until it is done again: where half of what was left may be used up, or it is only
 * time to look, so that the watch stays a small part of the work it watches; and where the directory may be past its bounds.
 */
const CALM = 4;
const URGENT = 1;

/** What the directory shares a limit with: all directories of its subject's sessions. */
export interface Together {
  /** Bytes of all of them. */
  readonly most: number;
  /** What they held when the watch began: where that is more, it may not grow. */
  readonly before: number;
  /** Bytes of the others, as far as is known. */
  others(): number;
  /** Takes the bytes of this one. */
  measured(bytes: number): void;
}

const ALONE: Together = { most: Number.POSITIVE_INFINITY, before: 0, others: () => 0, measured() {} };

/**
 * Calls `exceeded` once when a directory grows past its bounds while it is watched, with what `processes` hold of it though
 * it has no name any more. One that already is past them must not grow further, but may shrink; one that cannot be added up is
 * past them in any case. What has no name was written by those who are watched, however soon, and excuses nothing. Returns how to
 * stop watching.
 *
 * Asking the file system how much is free costs next to nothing; the directory is added up after so much was written
 * somewhere on the file system that this directory could have passed its bound, and else every few seconds. A large one takes
 * seconds to add up, and what is written in one pause is beyond the bound: so the pause is short where it may be passed.
 */
export function watchDisk(
  directory: string,
  most: DirectorySize,
  exceeded: () => void,
  processes: () => Promise<readonly number[]> = async () => [],
  together: Together = ALONE,
): () => void {
  const mostTogether = Math.max(together.most, together.before);
  let bounds: DirectorySize | null = null;
  let room: DirectorySize = NOTHING;
  let free: DirectorySize = NOTHING;
  let looks = 0;
  let added = { at: 0, took: 0 };
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const isDue = (now: DirectorySize) => {
    const used = (share: number) =>
      free.bytes - now.bytes > share * room.bytes || free.files - now.files > share * room.files;
    const pause = performance.now() - added.at;
    return (pause >= URGENT * added.took && used(1)) || (pause >= CALM * added.took && (used(0.5) || looks >= LOOKS));
  };
  const look = async () => {
    const now = await freeSpace(directory);
    looks += 1;
    if (bounds !== null && !isDue(now)) return;
    looks = 0;
    const begun = performance.now();
    const named = await directorySize(directory, bounds ?? WHATEVER);
    const { dev } = await stat(directory);
    bounds ??= Number.isFinite(named.files)
      ? { bytes: Math.max(most.bytes, named.bytes), files: Math.max(most.files, named.files) }
      : most;
    const size = { bytes: named.bytes + (await unnamedBytes(await processes(), dev)), files: named.files };
    added = { at: performance.now(), took: performance.now() - begun };
    free = now;
    together.measured(named.bytes);
    const left = mostTogether - together.others() - size.bytes;
    room = { bytes: Math.min(left, bounds.bytes - size.bytes), files: bounds.files - size.files };
    if (!stopped && (room.bytes < 0 || room.files < 0)) {
      stop();
      exceeded();
    }
  };
  const round = () => {
    const again = () => {
      if (!stopped) timer = setTimeout(round, PERIOD);
    };
    look().then(again, again);
  };
  const stop = () => {
    stopped = true;
    clearTimeout(timer);
  };
  round();
  return stop;
}

async function freeSpace(directory: string): Promise<DirectorySize> {
  const { bfree, bsize, ffree } = await statfs(directory);
  return { bytes: bfree * bsize, files: ffree };
}
