import { arch, release, version } from 'node:os';
import { reasonOf } from './fault.ts';

/** The machine and the runtime of the program, without the name of the machine or its owner. */
export interface Machine {
  /** `linux`, `darwin`, `win32`, … */
  readonly platform: NodeJS.Platform;
  readonly release: string;
  readonly build: string;
  readonly architecture: string;
  readonly node: string;
  /** Name of the time zone, `Europe/Paris` for instance. */
  readonly timeZone: string;
}

export function readMachine(): Machine {
  return {
    platform: process.platform,
    release: release(),
    build: version(),
    architecture: arch(),
    node: process.versions.node,
    // Asking costs 15 ms at each start, and one command alone shows it.
    get timeZone() {
      return Intl.DateTimeFormat().resolvedOptions().timeZone;
    },
  };
}

/** Ends the process where nobody reads any more, or nothing more can be written. */
export function watchStandardOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0); // The reader has read enough (`gw diagnose --output - | head`).
    process.stderr.write(`gw: standard output cannot be written: ${reasonOf(error)}\n`);
    process.exit(1);
  });
  process.stderr.on('error', () => undefined); // the exit code still says how it ended
}
