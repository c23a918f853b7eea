import type { StdioOptions } from 'node:child_process';
import { existsSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { processRuns } from '../process/report.ts';

/**
 * What is read at most once in a turn of the event loop, and shared by all who ask in that turn. For what takes long to read and
 * may be as old as the turn.
 */
export function oncePerTurn<Value>(
  read: () => Value,
  nextTurn: (work: () => void) => void = setImmediate,
): () => Value {
  let kept: { readonly value: Value } | null = null;
  return () => {
    if (kept === null) {
      kept = { value: read() };
      nextTurn(() => {
        kept = null;
      });
    }
    return kept.value;
  };
}

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
      // The second field is the program's name in parentheses, which may contain spaces and parentheses.
      const [, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return [{ pid: Number(name), parent: Number(parent), group: Number(group) }];
    } catch {
      return [];
    }
  });
}

/** Children of each process. */
type Children = ReadonlyMap<number, readonly number[]>;

function childrenIn(table: readonly ProcessEntry[]): Children {
  const children = new Map<number, number[]>();
  for (const { pid, parent } of table) {
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [pid]);
    else siblings.push(pid);
  }
  return children;
}

/** Process ids below `root`, children before their own children; `root` is not among them. */
export function descendantsOf(root: number, children: Children = childrenIn(processes())): number[] {
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

/** When many commands end at once, one scan of all processes per command would block the event loop. */
const childrenThisTurn = oncePerTurn(() => childrenIn(processes()));

/** The same, from an earlier scan in this turn of the event loop, for a repeated look. */
export function descendantsThisTurn(root: number): number[] {
  return descendantsOf(root, childrenThisTurn());
}

/** A process and those it descends from, as far as they can be seen. */
export function lineageOf(pid: number): number[] {
  const parents = new Map(processes().map((one) => [one.pid, one.parent]));
  const line: number[] = [];
  for (let next: number | undefined = pid; next !== undefined && next > 0; next = parents.get(next)) line.push(next);
  return line;
}

/** The environment variable that every process of a command is started with: whose it is can be identified from outside. */
export const MARK = 'GATEWAY_COMMAND';
/** The mark in an environment whose entries are separated by NULs. */
export const MARKED = new RegExp(`\0${MARK}=([^\0]*)`);

/** Whether this process has marked anything: from then on, its own number in a mark is its own. */
let marked = false;

/** The gateway's own process id is part of the mark, to identify leftovers of a gateway that has ended. */
export function markOf(identifier: string): string {
  marked = true;
  return `${process.pid}-${identifier}`;
}

const bears = (pid: number, mark: string) => environmentOf(pid).includes(`\0${MARK}=${mark}\0`);

const markedNow = oncePerTurn(() => {
  const found = new Map<string, number[]>();
  for (const { pid } of processes()) {
    const mark = MARKED.exec(environmentOf(pid))?.[1];
    if (mark !== undefined) found.set(mark, [...(found.get(mark) ?? []), pid]);
  }
  return found;
});

/** Processes with a mark in their initial environment, from an earlier scan in this turn, for a repeated look. */
export function readMarkedNow(mark: string): readonly number[] {
  return markedNow().get(mark) ?? [];
}

/**
 * Processes that belong to a command without a sandbox: below its first process, in its process group, or marked. The
 * mark finds a daemon that left both its parent and its group.
 */
export function relativesOf(root: number, mark: string): number[] {
  const table = processes();
  const family = new Set([root, ...descendantsOf(root, childrenIn(table))]);
  return table
    .filter(({ pid, group }) => pid !== process.pid && (group === root || family.has(pid) || bears(pid, mark)))
    .map(({ pid }) => pid);
}

/** What commands of a gateway that was killed left running on this host. Asked before this one runs any. */
export function leftovers(): readonly number[] {
  const left = processes().filter(({ pid }) => {
    const gateway = new RegExp(`\0${MARK}=(\\d+)-`).exec(environmentOf(pid))?.[1];
    return gateway !== undefined && (Number(gateway) === process.pid ? !marked : !processRuns(Number(gateway)));
  });
  return left.map(({ pid }) => pid);
}

/** Each entry between two NULs; empty where it may not be read. */
function environmentOf(pid: number): string {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}\0`;
  } catch {
    return '';
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

/** A part commands need that this host does not have: the gateway refuses to start, never a weaker sandbox in silence. */
export class MissingPart extends Error {}

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
