import { stat, statfs } from 'node:fs/promises';
import { type DirectorySize, directorySize } from './directory-size.ts';
import { unnamedBytes } from './unnamed-files.ts';

/** Milliseconds between two looks at the file system. */
const PERIOD = 100;
/** Looks, of which the last adds the directory up whatever the file system says: what others free there hides what is written. */
const LOOKS = 50;
const NOTHING: DirectorySize = { bytes: 0, files: 0 };

/**
 * Calls `exceeded` once when a directory grows past its bounds while it is watched, with what `processes` hold of it though
 * it has no name any more. One that already is past them must not grow further, but may shrink; one that cannot be added up is
 * past them in any case. What has no name was written by those who are watched, however soon, and excuses nothing. Returns how to
 * stop watching.
 *
 * Asking the file system how much is free costs next to nothing; the directory is added up after so much was written
 * somewhere on the file system that this directory could have passed its bound, and else every few seconds.
 */
export function watchDisk(
  directory: string,
  most: DirectorySize,
  exceeded: () => void,
  processes: () => Promise<readonly number[]> = async () => [],
): () => void {
  let bounds: DirectorySize | null = null;
  let room: DirectorySize = NOTHING;
  let free: DirectorySize = NOTHING;
  let looks = 0;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const look = async () => {
    const now = await freeSpace(directory);
    looks += 1;
    const isWithin = free.bytes - now.bytes <= room.bytes && free.files - now.files <= room.files;
    if (bounds !== null && isWithin && looks < LOOKS) return;
    looks = 0;
    const named = await directorySize(directory, bounds ?? { bytes: 2 * most.bytes, files: 2 * most.files });
    const { dev } = await stat(directory);
    bounds ??= Number.isFinite(named.files)
      ? { bytes: Math.max(most.bytes, named.bytes), files: Math.max(most.files, named.files) }
      : most;
    const size = { bytes: named.bytes + (await unnamedBytes(await processes(), dev)), files: named.files };
    free = now;
    room = { bytes: (bounds.bytes - size.bytes) / 2, files: (bounds.files - size.files) / 2 };
    if (!stopped && (size.bytes > bounds.bytes || size.files > bounds.files)) {
      stop();
      exceeded();
    }
  };
  const round = () => {
    const begun = performance.now();
    const again = () => {
      // A large directory takes a while to add up; the watch stays a small part of the work it watches.
      if (!stopped) timer = setTimeout(round, Math.max(PERIOD, 4 * (performance.now() - begun)));
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
