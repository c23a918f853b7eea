import type { DatabaseAddress } from '@gateway/database';
import type { Link } from '@gateway/database/client/link';
import type { ExecutionPorts } from '../commands/ports.ts';
import type { ProfileConfiguration } from '../config/configuration.ts';
import type { WorkstationPorts } from '../http/workstation.ts';
import type { Clock, Report } from '../process/report.ts';
import type { RelayPorts } from '../relay/ports.ts';
import type { CostMeter } from '../telemetry/cost.ts';

/** Dependencies of a profile's checks. */
export interface ProfileDependencies {
  /** For the rare statement of a check, beside the two that every call makes. */
  readonly link: Link;
  readonly clock: Clock;
  readonly report: Report;
}

/** What one profile adds to a running gateway. */
export interface ProfileServices {
  readonly relay: Pick<RelayPorts, 'license' | 'plan' | 'seat' | 'hold'>;
  /** Whether the license covers a subject's agent commands, and its seat; nulls where the profile has no license. */
  readonly commands: Pick<ExecutionPorts, 'license' | 'seat'>;
  /** Whether what a workstation presents is this deployment's license. */
  readonly workstation: WorkstationPorts['license'];
  /** What calls cost; null where models have no prices. */
  readonly cost: CostMeter | null;
  /** When the license of this profile ends; null where it has none. */
  readonly licenseEndsAt: Date | null;
  close(): void;
}

/** What one build does differently (roles-23). The other profile's modules are not in the artifact. */
export interface Profile<Own = unknown> extends ProfileConfiguration<Own> {
  readonly name: 'on-premise' | 'serverless';
  /** Whether plans and consumption are read with the facts of a call. */
  readonly readsBilling: boolean;
  /** Makes what the first start of this build makes in the database. @returns a line for the operator, or null. */
  firstStart(configuration: Own, database: DatabaseAddress): Promise<string | null>;
  /** Starts the parts that only this profile has, and logs what the operator must know. */
  open(configuration: Own, dependencies: ProfileDependencies): ProfileServices;
}
