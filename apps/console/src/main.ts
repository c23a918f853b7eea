import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Level, logFormatOf, logLine, misspelt, notifyReady } from '@gateway/configuration';
import { operatorLine } from '@gateway/secrets';
import { profile } from '#profile';
import { readEnvironment } from './environment.ts';
import { variablesOf } from './profile/configuration.ts';
import { faultsOfStart, StartRefused, startConsole } from './start.ts';

const CHECK = '--check-configuration';

/** How long requests in progress may take after SIGTERM. */
const DRAIN_MILLISECONDS = 10_000;

/** The built pages are beside the artifact; a console that runs from its sources uses those of the last build. */
const beside = join(import.meta.dirname, 'console-web');
const built = join(import.meta.dirname, '../../../dist', profile.name, 'console-web');

const environment = readEnvironment();
const format = logFormatOf(environment, process.stderr.isTTY);

/** The only writer of lines for the operator. */
function report(line: string, level: Level = 'error'): void {
  const message = operatorLine(line);
  process.stderr.write(`${logLine(format, { time: new Date(), level, program: 'console', message })}\n`);
}

/** The reader of the output may exit, or the disk be full: no call fails for that. */
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

/** What nobody caught is logged in a line like any other: a stack trace may quote what a peer sent. */
process.on('uncaughtException', (error: unknown) => {
  report(`it failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  process.exit(1);
});

/** Says whether a start would be refused, and why. */
async function check(): Promise<void> {
  const faults = await faultsOfStart(profile, environment);
  for (const fault of faults) report(fault);
  if (faults.length === 0) process.stdout.write('The configuration is valid.\n');
  else process.exitCode = 1;
}

async function serve(): Promise<void> {
  const starting = startConsole(
    profile,
    environment,
    { print: (line) => process.stdout.write(`${operatorLine(line)}\n`), report },
    { assetsFolder: existsSync(beside) ? beside : built },
  );
  process.on('SIGHUP', () => report('SIGHUP: nothing was reloaded: every setting needs a restart.', 'info'));
  // A signal that comes while the console still starts is heard too: it ends in order then.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      starting
        .then((running) => running.stop(DRAIN_MILLISECONDS))
        .then(
          () => process.exit(0),
          (error: unknown) => {
            if (!(error instanceof StartRefused)) report(`it did not shut down cleanly: ${String(error)}`);
            process.exit(1);
          },
        );
    });
  }
  try {
    await starting;
  } catch (error) {
    if (!(error instanceof StartRefused)) throw error;
    for (const fault of error.faults) report(fault);
    process.exitCode = 1;
    return;
  }
  const unheard = await notifyReady(environment);
  if (unheard !== null) report(unheard);
}

const args = process.argv.slice(2);
const unknown = args.filter((word) => word !== CHECK);
if (unknown.length > 0) {
  report(`Unknown argument ${unknown.join(' ')}. Usage: gateway-console [${CHECK}]`);
  process.exitCode = 2;
} else {
  for (const line of misspelt(environment, variablesOf(profile))) report(line, 'warning');
  await (args.length > 0 ? check() : serve());
}
