import { readdirSync, readFileSync } from 'node:fs';
import { processRuns } from '../../process/report.ts';

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
