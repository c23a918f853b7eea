import { existsSync } from 'node:fs';
import { connect } from 'node:net';
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
import { createAgentCommands, createLink } from '@gateway/database/gateway';
import type { Signer } from '@gateway/ledger';
import { profile } from '#profile';
import { Execution, type ExecutionOptions } from '../commands/execution.ts';
import type { Launcher } from '../commands/launcher.ts';
import { processLauncher } from '../commands/plain/launcher.ts';
import { MissingPart } from '../commands/processes/missing-part.ts';
import { bubblewrapLauncher } from '../commands/sandbox/bubblewrap.ts';
import { type Configuration, readConfiguration, variablesOf } from '../config/configuration.ts';
import { openConfigured } from '../config/documentation.ts';
import type { ExecutionConfiguration } from '../config/execution.ts';
import { listen } from '../http/listen.ts';
import type { Report } from '../process/report.ts';
import { StartupFault } from '../process/start-fault.ts';
import type { Profile } from '../profile/profile.ts';
import { DATABASE_BUDGET, DECISION_CAPACITY } from '../store/budget.ts';
import { openDecisionLog, openRecords } from '../store/records.ts';
import { START_CONNECTION } from '../store/start-connection.ts';
import {
  openStateDirectory,
  type Spools,
  stateDirectoryFault,
  takeOverWorkers,
  workerDirectory,
} from '../store/state-directory.ts';
import { createDatabaseWatch } from '../store/watch.ts';
import { createUpstreams } from '../upstream/upstreams.ts';
import { Acceptor } from '../workers/acceptor.ts';
import { createRemoteCommands } from '../workers/commands/client.ts';
import type { CommandRequest } from '../workers/commands/messages.ts';
import { CommandServer } from '../workers/commands/server.ts';
import { createRemoteDecisions } from '../workers/decisions/client.ts';
import { createDecisionServer } from '../workers/decisions/server.ts';
import { openHub } from '../workers/hub.ts';
import { writeJsonLine } from '../workers/json-lines.ts';
import { createKeeper } from '../workers/keeper.ts';
import type { WorkerArgument } from '../workers/orders.ts';
import { createSharedReport } from '../workers/shared-lines.ts';
import { takeConnections } from '../workers/worker.ts';
import { startBackground } from './background.ts';
import { openInspectors, type RunningGateway, type Shared, startGateway } from './gateway.ts';

/** Milliseconds the database may take of one look at what was revoked. */
const STANDINGS_BUDGET = 2000;

/** Opens the execution of agent commands in this process; null where it is disabled. Closing it also closes the launcher. */
async function openExecution(
  { database: address, execution: configured }: Configuration,
  launcher: Launcher | null,
  detections: ExecutionOptions['detections'],
  report: Report,
): Promise<Execution | null> {
  if (launcher === null || configured === null) return null;
  const record = createAgentCommands({ address, budgetMs: DATABASE_BUDGET, standingsBudgetMs: STANDINGS_BUDGET });
  const onClosed = async (): Promise<void> => {
    await launcher.close();
    record.close();
  };
  return Execution.open({ ...configured, launcher, record, detections, report, onClosed });
}

/** Milliseconds until a statement gives up on a lock. */
const LOCK_TIMEOUT = 1000;

interface MainParts<Own> {
  readonly profile: Profile<Own>;
  readonly configuration: Configuration<Own>;
  readonly environment: Environment;
  readonly signer: Signer;
  readonly spools: Spools;
  readonly launcher: Launcher | null;
  readonly report: Report;
  /** The gateway cannot continue: it must be stopped, and has failed. */
  readonly onHopeless: () => void;
}

/** Number of this process among the sources of lines; workers count from 1. */
const MAIN = 0;

/** Starts the workers and runs their shared parts: the decision log, agent commands, the port, and background work. */
async function startMain<Own>(parts: MainParts<Own>): Promise<RunningGateway> {
  const { profile, configuration, signer, spools, launcher, onHopeless } = parts;
  const { service, database: address } = configuration;
  const reportOf = createSharedReport(parts.report, () => performance.now());
  const report: Report = (line, level) => reportOf(MAIN, line, level);
  const watch = createDatabaseWatch(report, Date.now);
  const link = createLink({
    address,
    applicationName: 'gateway checks',
    budgetMs: DATABASE_BUDGET,
    settings: { lock_timeout: LOCK_TIMEOUT },
    isRepeatable: true,
  });
  const log = openDecisionLog({
    address,
    signer,
    watch,
    report,
    stateDirectory: service.stateDirectory,
    capacity: 2 * DECISION_CAPACITY, // each worker keeps to its share of half of it
    onBatch: (size) => decisions.batch(size),
  });
  const decisions = createDecisionServer(log);
  const records = openRecords({ address, decisions: log, spools, watch, report, onBatch: () => {} });
  const execution = await openExecution(configuration, launcher, records.detections, report);
  const commands = execution && new CommandServer(execution, openInspectors(link, signer, service.organization));
  const hub = await openHub(service.stateDirectory, (socket, first) => {
    const request = first as CommandRequest | { readonly ask: 'decisions' };
    if (request.ask === 'decisions') return decisions.serve(socket);
    if (commands !== null) return commands.serve(socket, request);
    socket.destroy();
    return () => {};
  });
  const acceptor = new Acceptor();
  const keeper = createKeeper({
    count: service.threads,
    program: process.argv[1] as string,
    path: hub.path,
    acceptor,
    report,
    onLine: reportOf,
    onHopeless,
  });
  const upstreams = createUpstreams(configuration.upstream);
  const services = profile.open(configuration.profile, { link, clock: Date.now, report });

  async function end(): Promise<void> {
    acceptor.close();
    const inOrder = await keeper.stop();
    await execution?.close();
    await records.settle();
    await background?.stop();
    await upstreams.close();
    services.close();
    hub.close();
    link.cut();
    if (!inOrder) throw new Error('a worker did not shut down cleanly');
  }

  let background: ReturnType<typeof startBackground> | null = null;
  try {
    if (!(await keeper.start())) throw new StartupFault(''); // the worker has reported why
    background = startBackground({ ...parts, link, upstreams, services, report });
    const scheme = service.tls === null ? 'http' : 'https';
    const opened = await listen(acceptor.server, service.port, service.host, scheme);
    return {
      address: opened,
      reloadCertificate() {
        keeper.reload();
        if (service.tls !== null) background?.certificateRenewed();
        return 'by workers';
      },
      stop: end,
    };
  } catch (error) {
    await end().catch(() => {}); // what ended the start is reported
    throw error;
  }
}

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

interface AloneParts {
  readonly configuration: Configuration;
  readonly environment: Environment;
  readonly signer: Signer;
  /** Null where no agent commands are run. */
  readonly launcher: Launcher | null;
  readonly report: Report;
}

/** A gateway of one process, which does everything itself. */
export function alone({ launcher, ...parts }: AloneParts): Shared {
  const { configuration, signer, report } = parts;
  const { database: address, service } = configuration;
  return {
    openDecisions: (watch, onBatch) =>
      openDecisionLog({ address, signer, watch, report, onBatch, stateDirectory: service.stateDirectory }),
    openCommands: (detections) => openExecution(configuration, launcher, detections, report),
    startBackground: (own) => startBackground({ ...parts, ...own }),
    listen: (server, scheme) => listen(server, service.port, service.host, scheme),
  };
}

/** One of several processes that serve requests: what they share is done by the process that started them. */
function asWorker({ path }: WorkerArgument, { service, execution }: Configuration): Shared {
  return {
    openDecisions(_watch, onBatch) {
      const socket = connect(path);
      writeJsonLine(socket, { ask: 'decisions' });
      return createRemoteDecisions({ socket, capacity: Math.floor(DECISION_CAPACITY / service.threads), onBatch });
    },
    openCommands: async () => (execution === null ? null : createRemoteCommands(path)),
    startBackground: () => null,
    listen: async (server) => {
      takeConnections(server);
      return '';
    },
  };
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
