import { dirname } from 'node:path';
import { codeOf, logFormatOf, misspelt, signingKeyFault } from '@gateway/configuration';
import { profile } from '#profile';
import type { Launcher } from './commands/launcher.ts';
import { readConfiguration, variablesOf } from './config/configuration.ts';
import { openConfigured } from './config/documentation.ts';
import { databaseFaults } from './main/checks.ts';
import { compileSooner } from './main/compilation.ts';
import { type RunningGateway, startGateway } from './main/gateway.ts';
import { openLauncher } from './main/launcher.ts';
import { signingKeyOf } from './main/signing-key.ts';
import { readEnvironment } from './process/environment.ts';
import { createReport, reasonOf } from './process/report.ts';
import { StartupFault } from './process/start-fault.ts';
import { openStateDirectory, stateDirectoryFault } from './store/state-directory.ts';

compileSooner();

const CHECK = '--check-configuration';

const environment = readEnvironment();
const report = createReport(logFormatOf(environment, process.stderr.isTTY), (line) => {
  process.stderr.write(`${line}\n`);
});

/** Anybody who reads what is said may leave, or their disk be full: no call ends for that. */
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

/** What nobody caught is logged in a line like any other: a stack trace may quote what a peer sent. */
process.on('uncaughtException', (error: unknown) => {
  report(`The gateway failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`, 'error');
  process.exit(1);
});

/** Every fault at once, one line each; no port is open by then (refusals-20). */
async function start(checkOnly: boolean): Promise<RunningGateway | null> {
  for (const line of misspelt(environment, variablesOf(profile))) report(line);
  const { configuration, faults, database, documentation: folder } = await readConfiguration(environment, profile);
  const found = [...faults];
  if (database !== null) found.push(...(await databaseFaults(database, configuration?.service.organization ?? null)));
  const documentation = await openConfigured(folder, report);
  if ('fault' in documentation) found.push(documentation.fault);
  let launcher: Launcher | null = null;
  if (configuration !== null) {
    const { signingKeyFile, stateDirectory } = configuration.service;
    found.push(...diskFaults(signingKeyFile, stateDirectory));
    launcher = await openLauncher(configuration.execution, environment).catch((error: unknown) => {
      if (!(error instanceof StartupFault)) throw error;
      found.push(error.message);
      return null;
    });
  }
  for (const fault of new Set(found)) report(fault, 'error');
  if (found.length > 0 || configuration === null || 'fault' in documentation) throw new StartupFault('');
  if (configuration.directory.notice !== null) report(configuration.directory.notice);
  if (checkOnly) return null;
  const spools = openStateDirectory(configuration.service.stateDirectory, report);
  const { signer, notice } = signingKeyOf(configuration.service.signingKeyFile);
  const made = await profile.firstStart(configuration.profile, configuration.database);
  if (made !== null) report(made, 'info');
  const parts = { profile, configuration, environment, documentation, signer, spools, launcher, report };
  const running = await startGateway(parts);
  if (notice !== null) report(notice, 'info');
  for (const announcement of launcher?.announcements ?? []) report(announcement, 'info');
  if (configuration.service.tls === null) report('Serving plain HTTP: TLS_CERT_FILE and TLS_KEY_FILE are not set.');
  return running;
}

/** A key that is to lie in a directory that cannot be used is no fault of its own. */
function diskFaults(signingKeyFile: string, stateDirectory: string): readonly string[] {
  const directory = stateDirectoryFault(stateDirectory);
  const key = directory !== null && dirname(signingKeyFile) === stateDirectory ? null : signingKeyFault(signingKeyFile);
  return [key, directory].filter((fault) => fault !== null);
}

/** SIGHUP: a renewed certificate is shown without dropping a connection. It never ends the service, whatever there is to read. */
function reloadOnSignal(starting: Promise<RunningGateway | null>): void {
  const reload = (running: RunningGateway | null): void => {
    try {
      const read = running?.reloadCertificate() ?? false;
      report(
        read
          ? 'SIGHUP: TLS_CERT_FILE and TLS_KEY_FILE were read again.'
          : 'SIGHUP: nothing was read again: TLS_CERT_FILE and TLS_KEY_FILE are not set. Every other setting takes a restart.',
        'info',
      );
    } catch (error) {
      report(
        `SIGHUP: TLS_CERT_FILE and TLS_KEY_FILE cannot be used, the former certificate stays (${codeOf(error)}).`,
        'error',
      );
    }
  };
  process.on('SIGHUP', () => {
    starting.then(reload, () => undefined); // a refused start is reported where it is awaited
  });
}

/**
 * Ends in order at the first signal, at once at the second. A signal that comes while the gateway still starts is heard too, or
 * one that meets the port's opening would cut the first calls.
 */
function stopOnSignals(starting: Promise<RunningGateway | null>): void {
  let ending = false;
  const end = async (running: RunningGateway | null): Promise<void> => {
    try {
      await running?.stop();
    } catch (error) {
      report(`The gateway did not end in order: ${String(error)}`, 'error');
      process.exit(1);
    }
    process.exit(0);
  };
  const stop = (): void => {
    if (ending) process.exit(1);
    ending = true;
    starting.then(end, () => undefined); // a refused start is reported where it is awaited
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

async function main(words: readonly string[]): Promise<void> {
  const unknown = words.filter((word) => word !== CHECK);
  if (unknown.length > 0) {
    report(`Unknown argument ${unknown.join(' ')}. Usage: gateway [${CHECK}]`, 'error');
    process.exitCode = 2;
    return;
  }
  try {
    const starting = start(words.includes(CHECK));
    stopOnSignals(starting);
    reloadOnSignal(starting);
    const running = await starting;
    if (running === null) {
      process.stdout.write('The configuration is sound.\n');
      return;
    }
    process.stdout.write(`gateway listens on ${running.address}\n`);
  } catch (error) {
    if (error instanceof StartupFault && error.message !== '') report(error.message, 'error');
    else if (!(error instanceof StartupFault)) report(`The gateway could not start: ${reasonOf(error)}`, 'error');
    process.exit(1);
  }
}

await main(process.argv.slice(2));
