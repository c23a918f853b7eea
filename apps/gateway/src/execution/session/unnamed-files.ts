import { readdir, readFile, stat } from 'node:fs/promises';

const BLOCK = 512;

/**
 * Bytes on disk of files that processes still hold although their last name was removed: they take their space, and no
 * walk through a directory finds them. 0 where there is no `/proc`.
 * @param device that the files lie on (`st_dev`)
 */
export async function unnamedBytes(pids: readonly number[], device: number): Promise<number> {
  const seen = new Set<number>();
  let bytes = 0;
  for (const pid of pids) {
    for (const path of [...(await opened(pid)), ...(await mapped(pid))]) {
      const found = await stat(path).catch(() => null);
      if (found === null || !found.isFile() || found.nlink > 0 || found.dev !== device || seen.has(found.ino)) continue;
      seen.add(found.ino);
      bytes += found.blocks * BLOCK;
    }
  }
  return bytes;
}

/** What a process has open (man proc: /proc/pid/fd). */
async function opened(pid: number): Promise<string[]> {
  const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
  return names.map((name) => `/proc/${pid}/fd/${name}`);
}

/** What a process has mapped after its name was removed, its own program for instance (man proc: /proc/pid/map_files). */
async function mapped(pid: number): Promise<string[]> {
  const maps = await readFile(`/proc/${pid}/maps`, 'latin1').catch(() => '');
  const ranges = maps.matchAll(/^([0-9a-f]+-[0-9a-f]+) .* \(deleted\)$/gm);
  return Array.from(ranges, ([, range = '']) => `/proc/${pid}/map_files/${range}`);
}
