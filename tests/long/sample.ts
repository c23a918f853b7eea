import { readdirSync, readFileSync } from 'node:fs';

/** The resources of a process at one moment. */
export interface Sample {
  /** Resident memory. */
  readonly memoryMB: number;
  /** Open file descriptors: files, sockets, pipes. */
  readonly handles: number;
  readonly threads: number;
}

/** Reads /proc, so it works on Linux alone. */
export function sampleOf(pid: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    memoryMB: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
    handles: readdirSync(`/proc/${pid}/fd`).length,
    threads: Number(/Threads:\s+(\d+)/.exec(status)?.[1]),
  };
}

/** The minimum of each quantity: what a process retains, without its current work. */
export function leastOf(samples: readonly Sample[]): Sample {
  const least = (name: keyof Sample): number => Math.min(...samples.map((one) => one[name]));
  return { memoryMB: least('memoryMB'), handles: least('handles'), threads: least('threads') };
}

/** The middle of some numbers; 0 of none. */
export function middleOf(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}
