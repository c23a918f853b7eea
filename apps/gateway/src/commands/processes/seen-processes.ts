import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { descendantsOf, MARKED } from './descendants.ts';

/** The kernel may be built without these lists (CONFIG_PROC_CHILDREN). */
const LISTED = existsSync(`/proc/self/task/${process.pid}/children`);

/**
 * Processes below `root`, by the kernel's own lists of children: it takes as long as the command is large, however much else
 * runs on the host, and nobody waits for it. A process that comes or goes meanwhile may be missing, so this is for
 * measuring and not for signals.
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

/** Processes that bear a mark, wherever they went: for measuring, like those above. Anybody who asks during a look shares it. */
export async function markedSeen(mark: string): Promise<readonly number[]> {
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
