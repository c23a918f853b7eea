import { codeOf, logFormatOf, notifyReady } from '@gateway/configuration';
import { errorMessage } from '@gateway/contract/error-code';
import { tuneCompilation } from './main/compilation.ts';
import type { RunningGateway } from './main/gateway.ts';
import { start } from './main/start.ts';
import { readEnvironment } from './process/environment.ts';
import { createReport, StartupFault } from './process/report.ts';

tuneCompilation();

const CHECK = '--check-configuration';
const WORDS = process.argv.slice(2);
const environment = readEnvironment();
const report = createReport(logFormatOf(environment, process.stderr.isTTY), (line) => {
  process.stderr.write(`${line}\n`);
});

/** The reader of the output may close it, or its disk may be full: no call ends because of that. */
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
/** An uncaught error is logged in one line like any other: a stack trace may quote a peer's data. */
process.on('uncaughtException', (error: unknown) => {
  report(`The gateway failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`, 'error');
  process.exit(1);
});

/** A renewed certificate is loaded without closing a connection. The service continues whatever the files contain. */
function reload(running: RunningGateway | null): void {
  try {
    const read = running?.reloadCertificate() ?? false;
    report(
      read
        ? 'SIGHUP: TLS_CERT_FILE and TLS_KEY_FILE were reloaded.'
        : 'SIGHUP: nothing was reloaded: TLS_CERT_FILE and TLS_KEY_FILE are not set. Other settings need a restart.',
      'info',
    );
  } catch (error) {
    report(
      `SIGHUP: TLS_CERT_FILE and TLS_KEY_FILE cannot be used, the current certificate stays in use (${codeOf(error)}).`,
      'error',
    );
  }
}

/**
 * Shuts down in order at the first signal, immediately at the second. A signal during the start counts, too; otherwise one at the
 * opening of the port would cut the first calls.
 */
function prepareEnd(starting: Promise<RunningGateway | null>): void {
  let signals = 0;
  const end = async (running: RunningGateway | null): Promise<void> => {
    try {
      await running?.stop();
    } catch (error) {
      report(`The gateway did not shut down cleanly: ${String(error)}`, 'error');
      process.exit(1);
    }
    process.exit(0);
  };
  const onSignal = (): void => {
    signals += 1;
    if (signals > 1) process.exit(1);
    starting.then(end, () => undefined); // a refused start is reported where it is awaited
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

async function main(): Promise<void> {
  const unknown = WORDS.filter((word) => word !== CHECK);
  if (unknown.length > 0) {
    report(`Unknown argument ${unknown.join(' ')}. Usage: gateway [${CHECK}]`, 'error');
    process.exitCode = 2;
    return;
  }
  try {
    const starting = start({ environment, report }, WORDS.includes(CHECK));
    prepareEnd(starting);
    const reloadOnceStarted = (): void => {
      starting.then(reload, () => undefined); // a refused start is reported where it is awaited
    };
    process.on('SIGHUP', reloadOnceStarted);
    const running = await starting;
    if (running === null) {
      process.stdout.write('The configuration is valid.\n');
      return;
    }
    process.stdout.write(`gateway listens on ${running.address}\n`);
    const unheard = await notifyReady(environment);
    if (unheard !== null) report(unheard, 'error');
  } catch (error) {
    if (error instanceof StartupFault && error.message !== '') report(error.message, 'error');
    else if (!(error instanceof StartupFault)) report(`The gateway could not start: ${errorMessage(error)}`, 'error');
    process.exit(1);
  }
}

await main();
