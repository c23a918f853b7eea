import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Environment, misspelt, signingKeyFault } from '@gateway/configuration';
import { profile } from '#profile';
import type { Launcher } from '../commands/launcher.ts';
import { readConfiguration, variablesOf } from '../config/configuration.ts';
import { openConfigured } from '../config/documentation.ts';
import type { Report } from '../process/report.ts';
import { StartupFault } from '../process/start-fault.ts';
import { openStateDirectory, stateDirectoryFault, takeOverWorkers, workerDirectory } from '../store/state-directory.ts';
import type { WorkerArgument } from '../workers/orders.ts';
import { alone } from './alone.ts';
import { databaseFaults } from './checks.ts';
import { type RunningGateway, startGateway } from './gateway.ts';
import { openLauncher } from './launcher.ts';
import { startMain } from './main-process.ts';
import { announceKey, signingKeyOf } from './signing-key.ts';
import { asWorker } from './worker.ts';

export interface Start {
  readonly environment: Environment;
  readonly report: Report;
  /** The gateway cannot continue after its start: it must be stopped, and has failed. */
  readonly onHopeless: () => void;
}

/**
 * Throws all faults at once, one line each, before a port is open (refusals-20).
 * @param checkOnly changes nothing. @returns null where only the configuration was checked @throws StartupFault
 */
export async function start(
  { environment, report, onHopeless }: Start,
  checkOnly: boolean,
): Promise<RunningGateway | null> {
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
  const { service } = configuration;
  const spools = openStateDirectory(service.stateDirectory, report);
  takeOverWorkers(service.stateDirectory);
  const { signer, notice } = signingKeyOf(service.signingKeyFile);
  const made = await profile.firstStart(configuration.profile, configuration.database);
  if (made !== null) report(made, 'info');
  const unendorsed = await announceKey(configuration.database, signer);
  const parts = { profile, configuration, environment, signer, spools, launcher, report };
  let running: RunningGateway;
  if (service.threads === 1) running = await startGateway({ ...parts, documentation, shared: alone(parts) });
  else {
    documentation.close(); // it was checked here; the workers serve it
    running = await startMain({ ...parts, onHopeless });
  }
  if (notice !== null) report(notice, 'info');
  if (unendorsed !== null) report(unendorsed);
  for (const announcement of launcher?.announcements ?? []) report(announcement, 'info');
  if (service.tls === null) report('Serving plain HTTP: TLS_CERT_FILE and TLS_KEY_FILE are not set.');
  return running;
}

/** The start of one of several processes; the one that started it has checked what they share. */
export async function startWorker({ environment, report }: Start, worker: WorkerArgument): Promise<RunningGateway> {
  const { configuration, faults, documentation: folder } = await readConfiguration(environment, profile);
  for (const fault of faults) report(fault, 'error');
  if (configuration === null) throw new StartupFault('');
  const documentation = await openConfigured(folder, report);
  if ('fault' in documentation) throw new StartupFault(documentation.fault);
  const { service } = configuration;
  // The main process created it. A second one would differ, and no other process would have its digests.
  if (!existsSync(service.signingKeyFile))
    throw new StartupFault(`GATEWAY_SIGNING_KEY_FILE: ${service.signingKeyFile} is gone. Restore it.`);
  const spools = openStateDirectory(workerDirectory(service.stateDirectory, worker.number), report);
  const { signer } = signingKeyOf(service.signingKeyFile);
  const shared = asWorker(worker, configuration);
  return startGateway({ profile, configuration, environment, documentation, signer, spools, shared, report });
}

/** A key in an unusable directory is not a separate fault. */
function diskFaults(signingKeyFile: string, stateDirectory: string): readonly string[] {
  const directory = stateDirectoryFault(stateDirectory);
  const key = directory !== null && dirname(signingKeyFile) === stateDirectory ? null : signingKeyFault(signingKeyFile);
  return [key, directory].filter((fault) => fault !== null);
}
