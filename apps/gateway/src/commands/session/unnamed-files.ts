import { readdir, readFile, readlink, stat } from 'node:fs/promises';

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
