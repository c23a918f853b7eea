import { readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseKeySet, parseWorkloadRules, type WorkloadRule, type WorkloadSource } from '@gateway/access';
import {
  certificatesOf,
  codeOf,
  databaseReader,
  type Environment,
  Reading,
  type Variable,
} from '@gateway/configuration';
import type { DatabaseAddress } from '@gateway/database';
import { EXECUTION_VARIABLES, type ExecutionConfiguration, listAlwaysShown, readExecution } from './execution.ts';
import {
  LOG_EXPORT_VARIABLES,
  type LogExportConfiguration,
  readCollectorAddress,
  readCollectorHeaders,
  readLogExport,
} from './log-export.ts';
import { DIRECTORY_VARIABLES, type IdentityProviderOutcome, readIdentityProvider } from './oidc.ts';
import {
  DOCUMENTATION_VARIABLES,
  readDocumentationFolder,
  readService,
  SERVICE_VARIABLES,
  type ServiceConfiguration,
  SHARE_PORT,
} from './service.ts';
import { readUpstream, UPSTREAM_VARIABLES, type UpstreamConfiguration, type UpstreamTls } from './upstream.ts';

const workloadsFile: Variable = {
  name: 'GATEWAY_WORKLOADS_FILE',
  form: 'the path of a JSON file with rules for tokens of workloads',
  fallback: 'none: only account keys and tokens of people are accepted',
  effect:
    'Lets CI jobs and services call with the token of their platform (GitHub Actions, GitLab, Kubernetes, any OpenID provider). Read at start; see the manual, "Workloads".',
};

const WORKLOAD_VARIABLES: readonly Variable[] = [workloadsFile];

/**
 * The issuers of workloads' tokens, each with its rules; none where no file is named. Every fault names its entry.
 * @param directoryIssuer whose tokens are people's: it issues for no workload
 */
function readWorkloads(reading: Reading, directoryIssuer: string | null): readonly WorkloadSource[] {
  const content = reading.file(workloadsFile);
  const path = reading.text(workloadsFile);
  if (content === null || path === null) return [];
  const fault = (sentence: string) => reading.fault(workloadsFile, `${path}: ${sentence}.`);
  const parsed = parseWorkloadRules(content);
  if ('faults' in parsed) {
    for (const sentence of parsed.faults) fault(sentence);
    return [];
  }
  const folder = dirname(resolve(path));
  const issuers = Map.groupBy(parsed.rules, ({ issuer }) => issuer);
  return [...issuers].flatMap(([issuer, rules]): WorkloadSource[] => {
    const [first] = rules;
    if (first === undefined) return [];
    const entry = `entry ${parsed.rules.indexOf(first) + 1} (${first.name})`;
    if (issuer === directoryIssuer) {
      fault(`${entry}: issuer is that of OIDC_ISSUER, whose tokens are people's`);
      return [];
    }
    const keys = keysOf(first, folder, (sentence) => fault(`${entry}: ${sentence}`));
    return keys === null ? [] : [{ issuer, rules, keys }];
  });
}

/** The source of an issuer's keys. Paths are relative to the folder of the rules. */
function keysOf(
  { keysFile, caFile }: WorkloadRule,
  folder: string,
  fault: (sentence: string) => void,
): WorkloadSource['keys'] | null {
  if (keysFile !== undefined) {
    const path = resolve(folder, keysFile);
    const read = () => readFileSync(path, 'utf8');
    const text = readOr(read, `keysFile ${path}`, fault);
    if (text === null) return null;
    const parsed = parseKeySet(text);
    if ('set' in parsed) return { kind: 'file', first: parsed.set, read };
    fault(`keysFile ${path} ${parsed.fault}`);
    return null;
  }
  if (caFile === undefined) return { kind: 'fetched', ca: [] };
  const path = resolve(folder, caFile);
  const text = readOr(() => readFileSync(path, 'utf8'), `caFile ${path}`, fault);
  if (text === null) return null;
  const ca = certificatesOf(text) ?? [];
  if (ca.length > 0) return { kind: 'fetched', ca };
  fault(`caFile ${path} contains no PEM certificate that can be read`);
  return null;
}

function readOr(read: () => string, what: string, fault: (sentence: string) => void): string | null {
  try {
    return read();
  } catch (error) {
    fault(`${what} cannot be read (${codeOf(error)})`);
    return null;
  }
}

/** Variables that name a file or a directory with a key, a license, a certificate or state. */
const KEEPS = /_(?:FILE|CERT_PATH|STATE_DIR)$/;

/** What sandboxes show, and why. */
interface ShownPath {
  readonly path: string;
  readonly why: string;
}

/**
 * Notes a fault for each path of keys, state, licenses, certificates or agents' work that overlaps what a sandbox shows (refusals-29): every
 * command could read it there. Links and bind mounts are followed.
 * @param variables all that this build reads
 */
export function refuseExposedPaths(
  reading: Reading,
  variables: readonly Variable[],
  execution: ExecutionConfiguration | null,
  stateDirectory: string,
): void {
  if (execution?.launcher !== 'bubblewrap') return;
  const always = listAlwaysShown().map((path) => ({ path, why: 'every sandbox' }));
  const readable = execution.readable.map((path) => ({ path, why: 'GATEWAY_AGENT_READABLE' }));
  for (const variable of variables) {
    if (variable.name === 'GATEWAY_AGENT_WORKDIR') refuse(reading, variable, execution.workdir, always);
    if (!KEEPS.test(variable.name)) continue;
    const path = reading.text(variable) ?? (variable.name === 'GATEWAY_STATE_DIR' ? stateDirectory : null);
    if (path !== null) refuse(reading, variable, resolve(path), [...always, ...readable]);
  }
}

function refuse(reading: Reading, variable: Variable, path: string, shown: readonly ShownPath[]): void {
  const met = shown.find((one) => overlap(path, one.path));
  if (met === undefined) return;
  const where = `${path} overlaps ${met.path}, which ${met.why} shows to agent commands`;
  reading.fault(variable, `${where}. Move one of them elsewhere.`);
}

/** Whether one of two paths equals or is inside the other. */
function overlap(one: string, other: string): boolean {
  return liesIn(one, other) || liesIn(other, one);
}

/** Resolved paths are compared: a directory may have several names. */
function liesIn(path: string, directory: string): boolean {
  const holder = statOf(directory);
  if (holder === undefined) return false;
  for (let at = existing(path); ; at = dirname(at)) {
    const { dev, ino } = statOf(at) ?? { dev: -1, ino: -1 };
    if (dev === holder.dev && ino === holder.ino) return true;
    if (at === dirname(at)) return false;
  }
}

/** The resolved path; for a missing one, that of its nearest existing directory. */
function existing(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : existing(above);
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // it cannot be reached: nothing is shown of it either
  }
}

const DATABASE = databaseReader('gateway', null);

/** What one build reads beyond what both do. */
export interface ProfileConfiguration<Own> {
  readonly variables: readonly Variable[];
  /** Null only after a fault. */
  readConfiguration(reading: Reading): Promise<Own | null>;
}

/** The configuration of the gateway, checked, and never changed afterwards. */
export interface Configuration<Own = unknown> {
  readonly service: ServiceConfiguration;
  readonly database: DatabaseAddress;
  readonly directory: IdentityProviderOutcome;
  /** Issuers of workloads' tokens; empty where none are configured. */
  readonly workloads: readonly WorkloadSource[];
  readonly upstream: UpstreamConfiguration;
  /** Null where no agent commands are run. */
  readonly execution: ExecutionConfiguration | null;
  /** Null where the logs are not exported. */
  readonly logExport: LogExportConfiguration | null;
  readonly telemetry: TelemetryConfiguration;
  readonly profile: Own;
}

/** Every variable of this build, in the order the reference documentation lists them. */
export function variablesOf(profile: ProfileConfiguration<unknown>): readonly Variable[] {
  return [
    ...DATABASE.variables,
    ...SERVICE_VARIABLES,
    ...DIRECTORY_VARIABLES,
    ...WORKLOAD_VARIABLES,
    ...UPSTREAM_VARIABLES,
    ...DOCUMENTATION_VARIABLES,
    ...EXECUTION_VARIABLES,
    ...LOG_EXPORT_VARIABLES,
    ...TELEMETRY_VARIABLES,
    ...profile.variables,
  ];
}

/** What could be read, and every fault. Without a fault, `configuration` is whole. */
export interface ConfigurationOutcome<Own> {
  readonly configuration: Configuration<Own> | null;
  readonly faults: readonly string[];
  /** The database, where at least its address is valid: its own checks can then be reported with the other faults. */
  readonly database: DatabaseAddress | null;
  /** Absolute path of the documentation's folder, likewise; null where none is served. */
  readonly documentation: string | null;
}

export async function readConfiguration<Own>(
  environment: Environment,
  profile: ProfileConfiguration<Own>,
): Promise<ConfigurationOutcome<Own>> {
  const reading = new Reading(environment);
  const database = DATABASE.read(reading);
  const directory = readIdentityProvider(reading);
  const logExport = readLogExport(reading);
  const parts = {
    service: readService(reading),
    directory,
    workloads: readWorkloads(reading, directory.directory?.issuer ?? null),
    upstream: readUpstream(reading),
    execution: readExecution(reading),
    logExport,
    telemetry: readTelemetry(reading, logExport),
  };
  refuseExposedPaths(reading, variablesOf(profile), parts.execution, parts.service.stateDirectory);
  // The commands of a session use one directory and share limits: they need one gateway.
  if (parts.service.sharePort && parts.execution !== null)
    reading.fault(
      SHARE_PORT,
      'cannot be true where GATEWAY_AGENT_LAUNCHER is set. Run agent commands in a gateway on another port, and send /_agent-execution/ there.',
    );
  const documentation = readDocumentationFolder(reading);
  const own = await profile.readConfiguration(reading);
  const { faults } = reading;
  const whole = database !== null && own !== null && faults.length === 0;
  const configuration = whole ? Object.freeze({ ...parts, database, profile: own }) : null;
  return { configuration, faults, database, documentation };
}

/** The value that names the collector of the log export. */
const SAME = 'log-export';

/** Data for a separate collector, besides the logs. */
interface Signal {
  readonly url: Variable;
  readonly headers: Variable;
  /** Where it is posted. */
  readonly path: string;
}

function signal(prefix: string, what: string, path: string, effect: string): Signal {
  return {
    path,
    url: {
      name: `${prefix}_URL`,
      form: `https://host:port/path (OTLP/HTTP; the default path is ${path}; http:// for a collector on this machine), or ${SAME} for the OTLP collector of GATEWAY_LOG_EXPORT_URL`,
      fallback: `no ${what} are sent`,
      effect: `${effect} Certificate authorities and client certificate of the log export apply to it too.`,
    },
    headers: {
      name: `${prefix}_HEADERS`,
      form: 'name=value pairs separated by commas, values percent-encoded, for example authorization=Bearer%20abc',
      fallback: `no further headers; with ${SAME}, those of GATEWAY_LOG_EXPORT_HEADERS`,
      effect: `Headers of every request with ${what}, if the collector needs credentials. A secret: never shown.`,
    },
  };
}

const METRICS = signal(
  'GATEWAY_METRICS',
  'metrics',
  '/v1/metrics',
  'The collector that gets metrics every 15 seconds.',
);
const TRACES = signal(
  'GATEWAY_TRACES',
  'spans',
  '/v1/traces',
  'The collector that gets the spans of calls with a sampled traceparent header.',
);

const TELEMETRY_VARIABLES: readonly Variable[] = [METRICS, TRACES].flatMap(({ url, headers }) => [url, headers]);

/** The target of a signal. */
export interface CollectorConfiguration {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: UpstreamTls;
  /** The variable that names the collector. */
  readonly variable: string;
}

/** Null where nothing of a kind is sent. */
interface TelemetryConfiguration {
  readonly metrics: CollectorConfiguration | null;
  readonly traces: CollectorConfiguration | null;
}

/** A null after a fault means nothing. */
export function readTelemetry(reading: Reading, logExport: LogExportConfiguration | null): TelemetryConfiguration {
  return { metrics: read(reading, METRICS, logExport), traces: read(reading, TRACES, logExport) };
}

function read(
  reading: Reading,
  { url, headers, path }: Signal,
  logExport: LogExportConfiguration | null,
): CollectorConfiguration | null {
  const named = readCollectorHeaders(reading, headers);
  const tls = logExport?.tls ?? { addedAuthorities: [], client: null };
  if (reading.text(url) !== SAME) {
    const collector = readCollectorAddress(reading, { url, headers, path, syslog: false });
    return collector && { address: collector.address, headers: named, tls, variable: url.name };
  }
  if (logExport?.protocol !== 'otlp') {
    reading.fault(url, `is ${SAME}, and GATEWAY_LOG_EXPORT_URL names no collector of OTLP (https://).`);
    return null;
  }
  const address = new URL(path, logExport.address).href;
  return { address, headers: { ...logExport.headers, ...named }, tls, variable: url.name };
}
