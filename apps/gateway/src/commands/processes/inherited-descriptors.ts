import type { StdioOptions } from 'node:child_process';
import { openSync, readdirSync, readFileSync } from 'node:fs';

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Descriptors that the parent of the gateway left open and that every program it starts would get as well: a file, a
 * pipe, a socket of the host, inside a sandbox. What Node itself opens is closed at each start of a program.
 */
export function inheritedDescriptors(directory = '/proc/self'): readonly number[] {
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
 * A child's descriptors: those wanted, and nothing in the place of each inherited one.
 * @param inherited as they were before the gateway opened anything of its own
 */
export function closedDescriptors(wanted: readonly StdioEntry[], inherited: readonly number[]): StdioEntry[] {
  const all: StdioEntry[] = [...wanted];
  for (const descriptor of inherited) {
    while (all.length <= descriptor) all.push('ignore');
    if (descriptor >= wanted.length) all[descriptor] = nothing();
  }
  return all;
}

type StdioEntry = Exclude<StdioOptions, string>[number];

let nowhere: number | undefined;
/** `/dev/null`, opened once: what is put in the place of a descriptor cannot be less than a file. */
function nothing(): number {
  nowhere ??= openSync('/dev/null', 'r+');
  return nowhere;
}
