import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { profile } from '#profile';
import { readEnvironment } from './environment.ts';
import { StartRefused, startConsole } from './start.ts';

/** How long requests in progress may take after SIGTERM. */
const DRAIN_MILLISECONDS = 10_000;

/** The built pages lie beside the artifact; a console that runs from its sources takes those of the last build. */
const beside = join(import.meta.dirname, 'console-web');
const built = join(import.meta.dirname, '../../../dist', profile.name, 'console-web');

try {
  const running = await startConsole(
    profile,
    readEnvironment(),
    { say: (line) => console.log(line), complain: (line) => console.error(line) },
    { assetsFolder: existsSync(beside) ? beside : built },
  );
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      running.stop(DRAIN_MILLISECONDS).then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
} catch (error) {
  if (!(error instanceof StartRefused)) throw error;
  for (const fault of error.faults) console.error(fault);
  process.exitCode = 1;
}
