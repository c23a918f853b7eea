import type { WorkloadSource } from '@gateway/access';
import { databaseReader, type Environment, Reading, type Variable } from '@gateway/configuration';
import type { DatabaseAddress } from '@gateway/database';
import { DOCUMENTATION_VARIABLES, readDocumentationFolder } from './documentation.ts';
import { EXECUTION_VARIABLES, type ExecutionConfiguration, readExecution } from './execution.ts';
import { refuseExposedPaths } from './exposed-paths.ts';
import { LOG_EXPORT_VARIABLES, type LogExportConfiguration, readLogExport } from './log-export.ts';
import { DIRECTORY_VARIABLES, type IdentityProviderOutcome, readIdentityProvider } from './oidc.ts';
import { readService, SERVICE_VARIABLES, type ServiceConfiguration } from './service.ts';
import { readTelemetry, TELEMETRY_VARIABLES, type TelemetryConfiguration } from './telemetry.ts';
import { readUpstream, UPSTREAM_VARIABLES, type UpstreamConfiguration } from './upstream.ts';
import { readWorkloads, WORKLOAD_VARIABLES } from './workloads.ts';

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
  const documentation = readDocumentationFolder(reading);
  const own = await profile.readConfiguration(reading);
  const { faults } = reading;
  const whole = database !== null && own !== null && faults.length === 0;
  const configuration = whole ? Object.freeze({ ...parts, database, profile: own }) : null;
  return { configuration, faults, database, documentation };
}
