import type { ProfileConfiguration } from '../configuration/configuration.ts';
import type { ExecutionPorts } from '../execution/ports.ts';
import type { RelayPorts } from '../relay/relay.ts';
import type { WorkstationPorts } from '../workstation/handler.ts';

/** What one build does differently (specification, Build profiles). The other profile's modules are not in the artifact. */
export interface Profile<Own = unknown> extends ProfileConfiguration<Own> {
  readonly name: 'on-premise' | 'serverless';
  /** Whether plans and consumption are read with the facts of a call. */
  readonly readsBilling: boolean;
  /** The checks of the relay that only this profile has. */
  relayChecks(configuration: Own): Pick<RelayPorts, 'license' | 'plan' | 'hold'>;
  /** Whether the licence covers a subject's agent commands; null where the profile has no licence. */
  commandLicense(configuration: Own): ExecutionPorts['license'];
  /** Whether what a workstation presents is this deployment's licence. */
  workstationLicense(configuration: Own): WorkstationPorts['license'];
}
