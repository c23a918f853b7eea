import { dirname } from 'node:path';
import {
  codeOf,
  type Environment,
  misspelt,
  type OpenedSigningKey,
  openSigningKey,
  signingKeyFault,
} from '@gateway/configuration';
import {
  announceSigningKey,
  assertSchemaIsKnown,
  checkLeastPrivilege,
  type DatabaseAddress,
  DECISIONS,
  type Queryable,
  SchemaFault,
  whyUnanswered,
  withPool,
} from '@gateway/database';
import type { Signer } from '@gateway/ledger';
import { profile } from '#profile';
import { type Launcher, processLauncher } from '../commands/launcher.ts';
import { MissingPart } from '../commands/processes.ts';
import { bubblewrapLauncher } from '../commands/sandbox/bubblewrap.ts';
import { readConfiguration, variablesOf } from '../config/configuration.ts';
import type { ExecutionConfiguration } from '../config/execution.ts';
import { openConfigured } from '../config/service.ts';
import { type Report, StartupFault } from '../process/report.ts';
import { START_CONNECTION } from '../store/database.ts';
import { openStateDirectory, stateDirectoryFault } from '../store/state-directory.ts';
import { type RunningGateway, startGateway } from './gateway.ts';

/** The role may not even read (PostgreSQL's insufficient_privilege): the check of its rights reports what it lacks. */
const NOT_ALLOWED = '42501';

/** The faults of the database itself that prevent a start; one line each (refusals-24, refusals-28). */
async function databaseFaults(address: DatabaseAddress, organization: string | null): Promise<readonly string[]> {
  return withPool(address, START_CONNECTION, async (sql) => {
    const schema = await schemaFaults(sql);
    if (schema.length > 0) return schema; // without the tables there are no rights on them to be checked
    const faults = (await checkLeastPrivilege(sql, 'gateway')).map((fault) => `DATABASE_URL: ${fault}`);
    if (organization === null) return faults;
    return [...faults, ...(await organizationFaults(sql, organization))];
  }).catch((error: unknown) => [`DATABASE_URL: the database could not be queried at start: ${whyUnanswered(error)}.`]);
}

async function schemaFaults(sql: Queryable): Promise<readonly string[]> {
  try {
    await assertSchemaIsKnown(sql);
    return [];
  } catch (error) {
    if (error instanceof SchemaFault) return [`DATABASE_URL: ${error.message}`];
    if (codeOf(error) === NOT_ALLOWED) return [];
    throw error;
  }
}

async function organizationFaults(sql: Queryable, slug: string): Promise<readonly string[]> {
  const [found] = await sql`select from organizations where slug = ${slug}`;
  if (found !== undefined) return [];
  return [
    `GATEWAY_ORGANIZATION: the organization "${slug}" is not known. Create it in the console, or correct the slug.`,
  ];
}

/**
 * The launcher that was named, tried out on this host.
 * @throws StartupFault naming what the host lacks: never a weaker sandbox in silence (refusals-27)
 */
export async function openLauncher(
  configuration: ExecutionConfiguration | null,
  environment: Environment,
): Promise<Launcher | null> {
  if (configuration === null) return null;
  try {
    if (configuration.launcher === 'process') return await processLauncher(configuration.workdir);
    return await bubblewrapLauncher({ ...configuration, path: environment['PATH'] ?? '' });
  } catch (error) {
    if (!(error instanceof MissingPart)) throw error;
    throw new StartupFault(`GATEWAY_AGENT_LAUNCHER: ${configuration.launcher} ${error.message}.`);
  }
}

/** The key that signs the decision log. */
function signingKeyOf(file: string): OpenedSigningKey {
  const opened = openSigningKey(file);
  if ('fault' in opened) throw new StartupFault(opened.fault);
  return opened;
}

/** Registers the key before its first entry. @returns the line for the operator where the owner must endorse it, or null */
function announceKey(address: DatabaseAddress, signer: Signer): Promise<string | null> {
  const work = withPool(address, START_CONNECTION, (sql) => announceSigningKey(sql, signer, 'gateway', [DECISIONS]));
  return work.catch((error: unknown) => {
    throw new StartupFault(`DATABASE_URL: the signing key could not be registered: ${whyUnanswered(error)}.`);
  });
}

export interface Start {
  readonly environment: Environment;
  readonly report: Report;
}

/**
 * Throws all faults at once, one line each, before a port is open (refusals-20).
 * @param checkOnly changes nothing. @returns null where only the configuration was checked @throws StartupFault
 */
export async function start({ environment, report }: Start, checkOnly: boolean): Promise<RunningGateway | null> {
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
  const { signer, notice } = signingKeyOf(service.signingKeyFile);
  const made = await profile.firstStart(configuration.profile, configuration.database);
  if (made !== null) report(made, 'info');
  const unendorsed = await announceKey(configuration.database, signer);
  const running = await startGateway({
    profile,
    configuration,
    environment,
    documentation,
    signer,
    spools,
    launcher,
    report,
  });
  if (notice !== null) report(notice, 'info');
  if (unendorsed !== null) report(unendorsed);
  for (const announcement of launcher?.announcements ?? []) report(announcement, 'info');
  if (service.tls === null) report('Serving plain HTTP: TLS_CERT_FILE and TLS_KEY_FILE are not set.');
  return running;
}

/** A key in an unusable directory is not a separate fault. */
function diskFaults(signingKeyFile: string, stateDirectory: string): readonly string[] {
  const directory = stateDirectoryFault(stateDirectory);
  const key = directory !== null && dirname(signingKeyFile) === stateDirectory ? null : signingKeyFault(signingKeyFile);
  return [key, directory].filter((fault) => fault !== null);
}
