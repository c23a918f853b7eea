import { readdirSync, readFileSync } from 'node:fs';

/** One process as `/proc` shows it. */
interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

/** Every process of this machine; empty where there is no `/proc`. One that ends meanwhile is left out. */
function processes(): ProcessEntry[] {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      // The second field is the program's name in parentheses, which may itself hold spaces and parentheses.
      const [, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return [{ pid: Number(name), parent: Number(parent), group: Number(group) }];
    } catch {
      return [];
    }
  });
}

/** Process ids below `root`, children before their own children; `root` is not among them. */
export function descendantsOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const { pid, parent } of processes()) children.set(parent, [...(children.get(parent) ?? []), pid]);
  const found: number[] = [];
  for (
    let level = children.get(root) ?? [];
    level.length > 0;
    level = level.flatMap((pid) => children.get(pid) ?? [])
  ) {
    found.push(...level);
  }
  return found;
}

/**
 * Processes that belong to a command without a sandbox: below its first process, in its process group, or carrying
 * `mark` in their environment. The mark finds a daemon that left both its parent and its group.
 */
export function relativesOf(root: number, mark: string): number[] {
  const below = new Set(descendantsOf(root));
  return processes()
    .filter(
      ({ pid, group }) =>
        pid !== process.pid && (pid === root || group === root || below.has(pid) || carries(pid, mark)),
    )
    .map(({ pid }) => pid);
}

function carries(pid: number, mark: string): boolean {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}\0`.includes(`\0${mark}\0`);
  } catch {
    return false;
  }
}

/** Sends a signal to each process that is still there. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It ended by itself meanwhile.
    }
  }
}
