import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { descendantsOf, MARKED } from './descendants.ts';

/** The kernel may be built without these lists (CONFIG_PROC_CHILDREN). */
const LISTED = existsSync(`/proc/self/task/${process.pid}/children`);

/**
 * Processes below `root`, from the kernel's lists of children: the time depends on the command's size, not on the host's, and
 * nothing is blocked. A process that starts or ends during the scan may be missing, so this serves measurements, not signals.
 */
export async function childrenSeen(root: number, listed = LISTED): Promise<readonly number[]> {
  if (!listed) return descendantsOf(root);
  const found: number[] = [];
  for (let level = [root]; level.length > 0; ) {
    level = (await Promise.all(level.map(childrenOf))).flat();
    found.push(...level);
  }
  return found;
}

/** Each thread has a list of its own. */
async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'latin1').catch(() => ''));
  return (await Promise.all(lists)).flatMap((list) => (list.match(/\d+/g) ?? []).map(Number));
}

let looking: Promise<ReadonlyMap<string, readonly number[]>> | null = null;

/** Processes with a mark, wherever they moved: for measurements, like those above. Concurrent calls share one scan. */
export async function readMarked(mark: string): Promise<readonly number[]> {
  looking ??= allMarked().finally(() => {
    looking = null;
  });
  return (await looking).get(mark) ?? [];
}

async function allMarked(): Promise<ReadonlyMap<string, readonly number[]>> {
  const found = new Map<string, number[]>();
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const environment = `\0${await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '')}`;
    const mark = MARKED.exec(environment)?.[1];
    if (mark !== undefined) found.set(mark, [...(found.get(mark) ?? []), Number(name)]);
  }
  return found;
}
