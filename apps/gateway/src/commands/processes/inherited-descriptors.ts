import type { StdioOptions } from 'node:child_process';
import { openSync, readdirSync, readFileSync } from 'node:fs';

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
