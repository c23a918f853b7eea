import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  addressOf,
  type Environment,
  listeningFault,
  openSigningKey,
  rememberPeer,
  signingKeyFault,
} from '@gateway/configuration';
import {
  ACTIONS,
  announceSigningKey,
  assertSchemaIsKnown,
  checkLeastPrivilege,
  connect,
  type DatabaseAddress,
  DECISIONS,
  SchemaFault,
  type Sql,
  whyUnanswered,
  withPool,
} from '@gateway/database';
import { createDecisionLog } from '@gateway/database/audit-log/decision-log';
import { isUnavailability } from '@gateway/database/client/unavailable';
import { type HttpBindings, serve } from '@hono/node-server';
import { DATABASE, DEVELOPMENT_DATABASE, readConfiguration } from './profile/configuration.ts';
import type { Profile } from './profile/profile.ts';
import { createApplication } from './server/application.ts';
import { readAssets } from './server/http/assets.ts';
import { startBackgroundJobs } from './server/http/background-jobs.ts';
import { createPolicyRevisions, GuessLog } from './server/http/services.ts';

/** Milliseconds during which a caller may still send the rest of its body before the answer. */
const LINGER = 2000;

/** Requests whose body was not asked for. */
const unasked = new WeakSet<IncomingMessage>();

/**
 * Reads and discards the rest of a body before an answer leaves early (a refusal of a body too large, for example). If the
 * connection closed while the caller still writes, the caller would read a reset instead of the answer.
 */
async function bodyArrived(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed || unasked.has(request)) return;
  const arrived = Promise.withResolvers<void>();
  const timer = setTimeout(arrived.resolve, LINGER);
  for (const event of ['end', 'close']) request.once(event, arrived.resolve);
  request.removeAllListeners('data'); // the former reader would pause at each part
  request.resume();
  await arrived.promise;
  clearTimeout(timer);
}

/**
 * Sends `100 Continue` when the body is first read, which is after authentication and authorization; Node.js sends it at once.
 * If it was not sent, a body may still follow, so no other request can use this connection.
 */
function askForBodiesWhenRead(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
    unasked.add(request);
    request.once('resume', () => {
      unasked.delete(request);
      if (!response.headersSent) response.writeContinue();
    });
    server.emit('request', request, response);
  });
}

/**
 * Closes a connection whose reader stalls, such as a paused download: a file is read from the database while it is sent, and
 * would keep a database connection from others. An answer that has not begun is not affected. Because Node.js checks only once
 * per period, it may take up to twice this time.
 */
export function cutStalledReaders(server: Server, milliseconds: number): void {
  server.prependListener('request', (_, response) => {
    response.setTimeout(milliseconds, () => {
      if (response.socket !== null && response.socket.writableLength > 0) response.socket.destroy();
    });
  });
}

export interface Listening {
  /** As a person can open it. */
  readonly address: string;
  readonly port: number;
  /** Accepts no new connection, waits for the answers in progress and closes the rest after this time. */
  close(milliseconds: number): Promise<void>;
}

/** How long a caller may take nothing of an answer that waits for it. */
const STALLED_MILLISECONDS = 60_000;

/** Opens the port, or says in one line why it cannot be opened. */
export async function listen(
  {
    host,
    port,
    stalledMilliseconds = STALLED_MILLISECONDS,
  }: { readonly host: string | null; readonly port: number; readonly stalledMilliseconds?: number },
  answer: (request: Request, bindings: HttpBindings) => Promise<Response>,
): Promise<Listening | { readonly fault: string }> {
  const server = serve({
    fetch: async (request, bindings) => {
      const { incoming, outgoing } = bindings as HttpBindings;
      const response = await answer(request, { incoming, outgoing });
      await bodyArrived(incoming);
      return response;
    },
    port,
    ...(host === null ? {} : { hostname: host }),
  }) as Server;
  server.on('connection', rememberPeer);
  askForBodiesWhenRead(server);
  cutStalledReaders(server, stalledMilliseconds);
  try {
    await once(server, 'listening');
  } catch (error) {
    return { fault: listeningFault(error, host, port) };
  }
  const bound = server.address() as AddressInfo;
  return {
    address: addressOf('http', host, bound.port),
    port: bound.port,
    async close(milliseconds) {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const cut = setTimeout(() => server.closeAllConnections(), milliseconds);
      await closed;
      clearTimeout(cut);
    },
  };
}

/** Where the console writes for its operator. */
export interface Terminal {
  print(line: string): void;
  report(line: string): void;
}

export interface Running {
  readonly port: number;
  /** Takes no new request, lets those in progress end, at most `milliseconds`. */
  stop(milliseconds: number): Promise<void>;
}

/** Why the console does not start: every cause at once, one line each. */
export class StartRefused extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/** How long an approval may wait for its record. */
const RECORD_MILLISECONDS = 5_000;

/** A filter decides how a list is read best: a plan made once for all values would read a million rows to find a rare one. */
const PLANNING = { plan_cache_mode: 'force_custom_plan' };

/** A statement ends before its caller stops waiting. A longer one would keep a connection, and nobody would read its result. */
const DATABASE_SETTINGS = {
  ...PLANNING,
  lock_timeout: 5_000,
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 60_000,
};

/** Faults of the database for this console; empty if it can be used. */
async function faultsOfDatabase(database: Sql): Promise<string[]> {
  try {
    const powers = await checkLeastPrivilege(database, 'console');
    if (powers.length > 0) return powers.map((sentence) => `${DATABASE.url.name}: ${sentence}`);
    await assertSchemaIsKnown(database);
    return [];
  } catch (error) {
    if (error instanceof SchemaFault) return [`${DATABASE.url.name}: ${error.message}`];
    const why = whyUnanswered(error);
    return [`${DATABASE.url.name}: the database could not be queried at start: ${why}.`];
  }
}

/**
 * The log line for a failed request: the cause if the database gave no answer; the source position too for a bug in the
 * program.
 */
function faultLine(error: unknown): string {
  if (isUnavailability(error)) return `${DATABASE.url.name}: the database gave no answer: ${whyUnanswered(error)}.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The same beside other faults, where a database was named: all of them are reported at once. */
async function faultsAt(address: DatabaseAddress | null): Promise<string[]> {
  if (address === null) return [];
  const options = { max: 1, applicationName: 'gateway-console', settings: DATABASE_SETTINGS };
  return withPool(address, options, faultsOfDatabase);
}

/**
 * Why the console would not start, every cause at once; empty where the configuration is sound. Makes nothing and opens no port.
 */
export async function faultsOfStart<Own>(profile: Profile<Own>, environment: Environment): Promise<readonly string[]> {
  const read = readConfiguration(environment, profile);
  if ('faults' in read) return [...read.faults, ...(await faultsAt(read.database))];
  const key = signingKeyFault(read.configuration.signingKeyFile);
  return [...(await faultsAt(read.configuration.database)), ...(key === null ? [] : [key])];
}

/**
 * Reads the configuration, checks the database, then listens.
 * @throws StartRefused before any port is open
 */
export async function startConsole<Own>(
  profile: Profile<Own>,
  environment: Environment,
  terminal: Terminal,
  options: { readonly assetsFolder: string },
): Promise<Running> {
  const read = readConfiguration(environment, profile);
  if ('faults' in read) throw new StartRefused([...read.faults, ...(await faultsAt(read.database))]);
  const { configuration } = read;
  if (configuration.databaseAssumed) {
    terminal.print(`DATABASE_URL is not set: the development database ${DEVELOPMENT_DATABASE} is used`);
  }
  const database = connect(configuration.database, {
    max: 10,
    applicationName: 'gateway-console',
    settings: DATABASE_SETTINGS,
  });
  const exports = connect(configuration.database, {
    max: 3,
    applicationName: 'gateway-console-export',
    settings: PLANNING,
  });
  const close = () => Promise.all([database.end({ timeout: 1 }), exports.end({ timeout: 0 })]);
  const faults = await faultsOfDatabase(database);
  const key = faults.length === 0 ? openSigningKey(configuration.signingKeyFile) : { fault: '' };
  if ('fault' in key) {
    await close();
    throw new StartRefused([...faults, key.fault].filter((line) => line !== ''));
  }
  const { signer, notice } = key;
  const unendorsed = await announceSigningKey(database, signer, 'console', [DECISIONS, ACTIONS]);
  const decisions = createDecisionLog({
    address: configuration.database,
    signer,
    budgetMs: RECORD_MILLISECONDS,
    onRefusedEntry: ({ id }, error) =>
      terminal.report(`The database refused the decision entry ${id}: ${String(error)}`),
    onForeignEnd: (sentence) => terminal.report(`${DATABASE.url.name}: ${sentence}`),
  });
  const guesses = new GuessLog((decision) => decisions.appendLater(decision));
  const application = createApplication({
    routes: profile.routes,
    signIn: profile.createSignIn(configuration.profile, {
      database,
      publicOrigin: configuration.publicOrigin,
      announce: (line) => terminal.print(line),
      complain: (line) => terminal.report(line),
    }),
    scim:
      configuration.scim === null ? null : { ...configuration.scim, localAccounts: profile.provisionsLocalAccounts },
    services: {
      database,
      exports,
      decisions,
      guesses,
      signer,
      logOrigin: configuration.logOrigin,
      assets: readAssets(options.assetsFolder),
      policies: createPolicyRevisions(),
      gatewayUrl: configuration.gatewayUrl,
      contact: configuration.contact,
    },
    trustedProxies: configuration.trustedProxies,
    publicOrigin: configuration.publicOrigin,
    onFault: (error) => terminal.report(faultLine(error)),
  });
  const stopBackgroundJobs = startBackgroundJobs(profile.backgroundJobs, { database: exports, signer }, (line) =>
    terminal.report(line),
  );
  const closeAll = async () => {
    await stopBackgroundJobs();
    guesses.close();
    const lost = await decisions.drain(RECORD_MILLISECONDS);
    if (lost > 0) terminal.report(`${lost} refusals could not be written to the decision log`);
    decisions.close();
    await close();
  };
  const listening = await listen(configuration, (request, bindings) => application.fetch(request, bindings));
  if ('fault' in listening) {
    await closeAll();
    throw new StartRefused([listening.fault]);
  }
  if (notice !== null) terminal.print(notice);
  if (unendorsed !== null) terminal.report(unendorsed);
  terminal.print(`console listens on ${listening.address}`);
  return {
    port: listening.port,
    async stop(milliseconds) {
      await listening.close(milliseconds);
      await closeAll();
    },
  };
}
