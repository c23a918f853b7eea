import type { StdioOptions } from 'node:child_process';
import { existsSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { descendantsOf, MARKED, signalAll } from './descendants.ts';

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

/** Milliseconds between two looks, and looks at most: what a signal does not end within a second, it does not end. */
const BETWEEN = 20;
const MOST = 50;

/**
 * Ends the processes that a scan finds. A process may start another one after the scan, and one in the middle of an exec shows no
 * mark. So the scan repeats until it finds nothing twice.
 */
export async function endAll(look: () => readonly number[]): Promise<void> {
  let unseen = 0;
  for (let looks = 0; looks < MOST; looks += 1) {
    const left = look();
    signalAll(left, 'SIGKILL');
    unseen = left.length === 0 ? unseen + 1 : 0;
    if (unseen === 2) return;
    await pause(BETWEEN);
  }
}

/**
 * The warning for hosts where no process reaps orphans. A sandbox leaves one with each command, and the kernel gives it to
 * process 1. In a container that may be the gateway or npm: Node reaps only its own children.
 * @param first program of process 1, as a link
 */
export function orphanAnnouncements(first = '/proc/1/exe'): readonly string[] {
  return isNode(first)
    ? [
        'Process 1 is Node.js, which does not reap the processes that agent commands leave behind. The process table fills up. Start the container with an init (docker run --init).',
      ]
    : [];
}

/** An unreadable one belongs to another user, so it is not our Node. */
function isNode(link: string): boolean {
  try {
    return basename(readlinkSync(link)) === 'node';
  } catch {
    return false;
  }
}

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Descriptors that the gateway's parent left open and that every child would inherit: a file, a pipe or a socket of the host,
 * inside a sandbox. Node closes its own descriptors at each start of a program.
 */
export function readInheritedDescriptors(directory = '/proc/self'): readonly number[] {
  let names: string[];
  try {
    names = readdirSync(`${directory}/fdinfo`);
  } catch {
    return [];
  }
  return names.map(Number).filter((descriptor) => descriptor > 2 && survives(directory, descriptor));
}

function survives(directory: string, descriptor: number): boolean {
  try {
    const flags = /^flags:\s+(\d+)$/m.exec(readFileSync(`${directory}/fdinfo/${descriptor}`, 'latin1'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false; // The one this very listing was read through.
  }
}

/**
 * A child's descriptors: the wanted ones, and `/dev/null` at each inherited number.
 * @param inherited listed before the gateway opened anything of its own
 */
export function closeInherited(wanted: readonly StdioEntry[], inherited: readonly number[]): StdioEntry[] {
  const all: StdioEntry[] = [...wanted];
  for (const descriptor of inherited) {
    while (all.length <= descriptor) all.push('ignore');
    if (descriptor >= wanted.length) all[descriptor] = nothing();
  }
  return all;
}

type StdioEntry = Exclude<StdioOptions, string>[number];

let nowhere: number | undefined;
/** `/dev/null`, opened once: only a file can replace a descriptor. */
function nothing(): number {
  nowhere ??= openSync('/dev/null', 'r+');
  return nowhere;
}
