import { readdirSync, readFileSync } from 'node:fs';

/** A number of seconds that no other sleep on this machine has. */
export const uniqueSleep = (): string => `3${process.pid}.${Math.random().toString().slice(2, 12)}`;

/** Processes of this machine with a marker in the command line, including those in sandboxes. */
export function processesWith(marker: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(marker);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Resolves once the probe returns true. The test's own time limit is the bound. */
export async function until(probe: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await probe())) await new Promise((resolve) => setTimeout(resolve, 20));
}

export const gone = (marker: string) => until(() => processesWith(marker).length === 0);
export const running = (marker: string) => until(() => processesWith(marker).length > 0);
