import { reasonOf } from './fault.ts';

/** Ends the process where nobody reads any more, or nothing more can be written. */
export function watchStandardOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0); // The reader has read enough (`gw diagnose --output - | head`).
    process.stderr.write(`gw: standard output cannot be written: ${reasonOf(error)}\n`);
    process.exit(1);
  });
  process.stderr.on('error', () => undefined); // the exit code still says how it ended
}
