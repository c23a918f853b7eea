import { readdir, readFile, readlink, stat, statfs } from 'node:fs/promises';
import { type DirectorySize, directorySize } from './directories.ts';

const BLOCK = 512;

/**
 * Bytes on disk of files that processes have open after their last name was removed: they take space, and no directory scan finds
 * them. 0 without `/proc`.
 * @param device of the files (`st_dev`)
 */
export async function countUnnamedBytes(pids: readonly number[], device: number): Promise<number> {
  const seen = new Set<number>();
  let bytes = 0;
  for (const pid of pids) {
    const thread = await livingThreadOf(pid);
    for (const path of thread === null ? [] : [...(await listOpened(thread)), ...(await listMapped(thread))]) {
      const found = await stat(path).catch(() => null);
      if (found === null || !found.isFile() || found.nlink > 0 || found.dev !== device || seen.has(found.ino)) continue;
      seen.add(found.ino);
      bytes += found.blocks * BLOCK;
    }
  }
  return bytes;
}

/**
 * A thread that shows its process's descriptors, usually the first: an ended one shows nothing. All threads share one table: in a
 * sandbox no thread can have its own (system-call-filter.ts).
 */
async function livingThreadOf(pid: number): Promise<number | null> {
  for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const program = await readlink(`/proc/${thread}/exe`).catch(() => null);
    if (program !== null) return Number(thread);
  }
  return null;
}

/** What a process has open (man proc: /proc/pid/fd). */
async function listOpened(pid: number): Promise<string[]> {
  const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
  return names.map((name) => `/proc/${pid}/fd/${name}`);
}

/** What a process has mapped after its name was removed, its own program for instance (man proc: /proc/pid/map_files). */
async function listMapped(pid: number): Promise<string[]> {
  const maps = await readFile(`/proc/${pid}/maps`, 'latin1').catch(() => '');
  const ranges = maps.matchAll(/^([0-9a-f]+-[0-9a-f]+) .* \(deleted\)$/gm);
  return Array.from(ranges, ([, range = '']) => `/proc/${pid}/map_files/${range}`);
}

/** Milliseconds between two checks of the file system. */
const PERIOD = 100;
/** Checks per scan, whatever the file system reports: space that others free hides what this directory's commands write. */
const LOOKS = 50;
const NOTHING: DirectorySize = { bytes: 0, files: 0 };
/** Bounds of the first scan: a partial size of an oversized directory would be a wrong baseline for shrinking it. */
const WHATEVER: DirectorySize = { bytes: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY };

/**
 * Rescan interval, as a multiple of the last scan's duration. CALM keeps the watch a small part of the load; URGENT applies where
 * the directory may exceed its bounds.
 */
const CALM = 4;
const URGENT = 1;

/** What the directory shares a limit with: all directories of its subject's sessions. */
export interface Together {
  /** Bytes of all of them. */
  readonly most: number;
  /** Their size when the watch began: if it exceeds the limit, it may not grow. */
  readonly before: number;
  /** Bytes of the others, as last measured. */
  others(): number;
  /** Takes the bytes of this one. */
  measured(bytes: number): void;
}

const ALONE: Together = { most: Number.POSITIVE_INFINITY, before: 0, others: () => 0, measured() {} };

/**
 * Calls `exceeded` once when a directory, with the unnamed files that `processes` have open, exceeds its bounds. One that already
 * exceeds them may shrink but not grow; one that cannot be measured exceeds them. Returns a function that stops the watch.
 * A check of free space is cheap. A scan follows once enough was written to the file system to exceed the bound, and otherwise
 * every few seconds. A large directory takes seconds to scan, and writes during a pause can exceed the bound, so the pause is
 * short near it.
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
    const size = { bytes: named.bytes + (await countUnnamedBytes(await processes(), dev)), files: named.files };
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
