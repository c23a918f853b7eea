import type { ProfileConfiguration } from '../configuration/configuration.ts';
import type { RelayPorts } from '../relay/relay.ts';

/** What one build does differently (specification, Build profiles). The other profile's modules are not in the artifact. */
export interface Profile<Own = unknown> extends ProfileConfiguration<Own> {
  readonly name: 'on-premise' | 'serverless';
  /** Whether plans and consumption are read with the facts of a call. */
  readonly readsBilling: boolean;
  /** The checks of the relay that only this profile has. */
  relayChecks(configuration: Own): Pick<RelayPorts, 'license' | 'plan' | 'hold'>;
}
