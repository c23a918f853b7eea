import { hostname } from 'node:os';
import type { Environment } from '@gateway/configuration';
import { isOwnVariable, sentenceOf } from '@gateway/contract';
import { createLogTrees, readChainPositions } from '@gateway/database/audit-log/log-reader';
import { createLink, type Link } from '@gateway/database/client/link';
import { type Expiry, keepExpiries } from '@gateway/domain/organization/gateway';
import {
  finishProviderTest,
  type KeyVariables,
  keepKeyVariables,
  type ProviderTest,
  type ProviderTestResult,
  readKeyVariables,
  takeProviderTest,
} from '@gateway/domain/provider/gateway';
import type { Signer } from '@gateway/ledger';
import type { Configuration } from '../config/configuration.ts';
import type { LogExportConfiguration } from '../config/log-export.ts';
import type { Exporter } from '../export/exporter.ts';
import { startExportThread } from '../export/thread.ts';
import { checkpointEvent, createTreeNotes, publishCheckpoints, startTreeBuilding } from '../export/tree-notes.ts';
import { endOfTerm } from '../http/create-server.ts';
import type { Report } from '../process/report.ts';
import type { ProfileServices } from '../profile/profile.ts';
import { type ProviderKeys, providerKeyHeader } from '../relay/request/provider-key.ts';
import { keyMaskOf } from '../relay/response/mask-scanner.ts';
import { DATABASE_BUDGET } from '../store/database.ts';
import { failureSentence } from '../upstream/failure.ts';
import type { Upstreams } from '../upstream/upstreams.ts';

export interface BackgroundParts {
  readonly configuration: Configuration;
  readonly environment: Environment;
  readonly signer: Signer;
  readonly link: Link;
  readonly upstreams: Upstreams;
  readonly services: Pick<ProfileServices, 'licenseEndsAt'>;
  readonly report: Report;
}

/** Background work of the gateway, which runs in one of its processes. */
export interface Background {
  /** The term of another certificate is reported. */
  certificateRenewed(): void;
  stop(): Promise<void>;
}

/** Starts the log export, the trees over the logs, the checkpoints, the tests of providers, and the reports of terms and key variables. */
export function startBackground(parts: BackgroundParts): Background {
  const { configuration, environment, signer, link, upstreams, services, report } = parts;
  const { service, upstream } = configuration;
  const within = (): number => performance.now() + DATABASE_BUDGET;
  const treeLink = createLink({
    address: configuration.database,
    applicationName: 'gateway log tree',
    budgetMs: DATABASE_BUDGET,
  });
  const trees = createLogTrees(treeLink, DATABASE_BUDGET);
  const treeBuilding = startTreeBuilding({ trees, report });
  const exporter = configuration.logExport && exportLogs(configuration, configuration.logExport, report);
  const checkpoints =
    service.checkpointInterval &&
    publishCheckpoints({
      intervalMs: service.checkpointInterval,
      file: service.checkpointFile,
      readPositions: () => readChainPositions(link, signer, within()),
      signer,
      treeNotes: createTreeNotes({
        trees,
        signer: { signer, component: 'gateway', origin: service.logOrigin },
        file: service.checkpointFile,
        witnesses: service.witnesses,
        upstreams,
        report,
      }),
      onPublished: (checkpoint) => exporter?.publish(checkpointEvent(checkpoint)),
      report,
    });
  const providerKeys = providerKeysOf(environment, upstream.keyPattern);
  const providerTests = startProviderTests({
    take: () => takeProviderTest(link, within()),
    finish: (id, result) => finishProviderTest(link, id, result, within()),
    upstreams,
    providerKeys,
    clientCertificate: upstream.tls.client !== null,
  });
  const keyVariables = reportKeyVariables({
    gateway: `${hostname()}:${service.port}`,
    names: () => readKeyVariables(link, within()),
    isSet: (name) => providerKeys(name) !== null,
    keep: (variables) => keepKeyVariables(link, variables, within()),
  });
  let certificateEnds = service.tls && endOfTerm(service.tls.certificateFile);
  const expiries = reportExpiries(
    () => [
      ...(services.licenseEndsAt ? [{ kind: 'license' as const, at: services.licenseEndsAt }] : []),
      ...(certificateEnds ? [{ kind: 'certificate' as const, at: certificateEnds }] : []),
    ],
    (found) => keepExpiries(link, found, within()),
  );
  return {
    certificateRenewed() {
      certificateEnds = service.tls && endOfTerm(service.tls.certificateFile);
      expiries.now();
    },
    async stop() {
      if (checkpoints) await checkpoints.stop();
      await treeBuilding.stop();
      trees.close();
      await exporter?.stop();
      expiries.close();
      await keyVariables.close();
      await providerTests.close();
    },
  };
}

/** The export of the logs, which shares only the database with the relay. */
function exportLogs({ database, upstream }: Configuration, to: LogExportConfiguration, report: Report): Exporter {
  if (!to.secure) report(`GATEWAY_LOG_EXPORT_URL: the logs are sent to ${to.host} unencrypted.`);
  const { httpsProxy, noProxy, tls } = upstream;
  const shared = { httpsProxy: httpsProxy?.href ?? null, noProxy, addedAuthorities: tls.addedAuthorities };
  return startExportThread({ configuration: to, database, budgetMs: DATABASE_BUDGET, upstream: shared }, report);
}

/**
 * A provider names a variable of this environment. The programs' own variables are excluded: a provider declared with one could
 * receive the database's password.
 * @param pattern what the names must match, where an operator restricts them
 */
export function providerKeysOf(environment: Environment, pattern: RegExp | null): ProviderKeys {
  return (variable) => {
    if (isOwnVariable(variable) || pattern?.test(variable) === false) return null;
    // Mounted secrets often end in a line break, and no header's value begins or ends with a blank.
    return environment[variable]?.trim() || null;
  };
}

/** How often the ends are reported: the overview takes what was not repeated for half an hour for renewed. */
const EVERY_MS = 600_000;

interface ExpiryReports {
  /** At once: after a certificate was renewed. */
  now(): void;
  close(): void;
}

/**
 * Reports when license and certificate end, for the overview of the console. A failed report waits for the next one: an
 * unavailable database is reported where calls need it.
 */
export function reportExpiries(
  read: () => readonly Expiry[],
  keep: (expiries: readonly Expiry[]) => Promise<void>,
): ExpiryReports {
  const now = (): void => {
    const expiries = read();
    if (expiries.length > 0) keep(expiries).catch(() => undefined);
  };
  const timer = setInterval(now, EVERY_MS);
  timer.unref();
  now();
  return { now, close: () => clearInterval(timer) };
}

/** How often the names are read, and how often an unchanged report is repeated. The console calls one of 5 minutes old. */
const LOOK_MS = 10_000;
const REPEAT_MS = 60_000;

interface KeyVariablePorts {
  /** Host name and port of this gateway. */
  readonly gateway: string;
  /** The names that providers refer to. */
  readonly names: () => Promise<readonly string[]>;
  readonly isSet: (name: string) => boolean;
  readonly keep: (variables: KeyVariables) => Promise<void>;
}

/** Reports which key variables are set here, so that the console can name a gateway that lacks one. */
export function reportKeyVariables({ gateway, names, isSet, keep }: KeyVariablePorts): { close(): Promise<void> } {
  let closed = false;
  let kept = { text: '', at: Number.NEGATIVE_INFINITY };
  const look = async (): Promise<void> => {
    try {
      const { present = [], absent = [] } = Object.groupBy(await names(), (name) =>
        isSet(name) ? 'present' : 'absent',
      );
      const text = JSON.stringify([present, absent]);
      if (text !== kept.text || performance.now() - kept.at >= REPEAT_MS) {
        await keep({ gateway, present, absent });
        kept = { text, at: performance.now() };
      }
    } catch {
      // The database watch reports it.
    }
    if (!closed) timer = setTimeout(next, LOOK_MS).unref();
  };
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const next = (): void => {
    running = look();
  };
  next();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Milliseconds between two looks for a request, and for one test. */
const LOOK = 2000;
const BUDGET = 10_000;
/** Bounds of a result: bytes of an answer, models, and characters of a model's name. */
const MOST_BYTES = 1_000_000;
const MOST_MODELS = 200;
const MOST_CHARACTERS = 200;

interface ProviderTestPorts {
  readonly take: () => Promise<ProviderTest | null>;
  readonly finish: (id: string, result: ProviderTestResult) => Promise<void>;
  readonly upstreams: Upstreams;
  readonly providerKeys: ProviderKeys;
  readonly clientCertificate: boolean;
}

/** The models that an engine lists in the form of the models API; empty for any other form. */
function modelsIn(text: string): string[] {
  try {
    const { data } = JSON.parse(text) as { data?: unknown };
    if (!Array.isArray(data)) return [];
    const ids = data.map((model: unknown) => (model as { id?: unknown } | null)?.id);
    return ids
      .filter((id): id is string => typeof id === 'string' && id.length <= MOST_CHARACTERS && id.isWellFormed())
      .filter((id) => !id.includes('\0'))
      .slice(0, MOST_MODELS);
  } catch {
    return [];
  }
}

/** Requests a provider's models, with its key and over the same connection as calls. */
async function test({ provider }: ProviderTest, ports: ProviderTestPorts): Promise<ProviderTestResult> {
  const refused = (fault: string): ProviderTestResult => ({ status: null, fault, models: [] });
  const { upstreams, providerKeys, clientCertificate } = ports;
  const key = providerKeyHeader(provider, providerKeys);
  if (key !== null && 'code' in key) return refused(sentenceOf(key));
  const upstream = upstreams.of(provider.baseUrl);
  if (upstream === null) return refused('The Base URL cannot be used: correct it.');
  const mask = keyMaskOf(provider.apiKeyEnv === null ? null : providerKeys(provider.apiKeyEnv));
  const masked = (text: string): string => mask?.text(text) ?? text;
  // A Base URL may end in the version, or leave it to callers.
  const path = /\/v\d+\/?$/.test(provider.baseUrl) ? '/models' : '/v1/models';
  try {
    const { statusCode, body } = await upstream.dispatcher.request({
      path: upstream.target(path),
      method: 'GET',
      headers: ['accept', 'application/json', ...(key ?? []), ...upstream.headers],
      signal: AbortSignal.timeout(BUDGET),
    });
    let text = '';
    for await (const chunk of body.setEncoding('utf8')) {
      text += String(chunk);
      if (text.length > MOST_BYTES) break;
    }
    return { status: statusCode, fault: null, models: modelsIn(masked(text)) };
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      return refused(`The provider did not answer within ${BUDGET / 1000} seconds.`);
    const failure = error instanceof Error ? error : new Error(String(error));
    return refused(masked(failureSentence(failure, upstream, clientCertificate)).slice(0, 1000));
  }
}

/** Runs the tests that administrators request through the database. An unavailable database is polled again later. */
export function startProviderTests(ports: ProviderTestPorts): { close(): Promise<void> } {
  let closed = false;
  let running: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    try {
      for (let one = await ports.take(); one !== null; one = closed ? null : await ports.take())
        await ports.finish(one.id, await test(one, ports));
    } catch {
      // The database watch reports it.
    }
    if (!closed) timer = setTimeout(next, LOOK).unref();
  };
  const next = (): void => {
    running = look();
  };
  let timer = setTimeout(next, LOOK).unref();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
