import { type Environment, listeningReader, Reading, type Variable } from '@gateway/configuration';
import type { DatabaseAddress } from '@gateway/database';
import { DATABASE } from './database.ts';
import { readSigningKeyFile, SIGNING_VARIABLES } from './signing-key.ts';

const LISTENING = listeningReader('console', 6002);

/** What one build reads beyond what both do. */
export interface ProfileConfiguration<Own> {
  readonly variables: readonly Variable[];
  readConfiguration(reading: Reading): Own;
}

/** Everything the console was told, checked, and never changed afterwards. */
export interface Configuration<Own> {
  readonly port: number;
  readonly host: string | null;
  readonly database: DatabaseAddress;
  /** Nobody named the database: the development one is assumed, which is announced. */
  readonly databaseAssumed: boolean;
  readonly signingKeyFile: string;
  readonly profile: Own;
}

/** Every variable of one build, in the order of the reference. */
export function variablesOf(profile: ProfileConfiguration<unknown>): readonly Variable[] {
  return [...profile.variables, ...DATABASE.variables, ...LISTENING.variables, ...SIGNING_VARIABLES];
}

/** The whole configuration, or every fault of it, one line each, with the database where somebody named one that can be asked. */
export function readConfiguration<Own>(
  environment: Environment,
  profile: ProfileConfiguration<Own>,
):
  | { readonly configuration: Configuration<Own> }
  | { readonly faults: readonly string[]; readonly database: DatabaseAddress | null } {
  const reading = new Reading(environment);
  const own = profile.readConfiguration(reading);
  const address = DATABASE.read(reading);
  const assumed = reading.text(DATABASE.url) === null;
  const listening = LISTENING.read(reading);
  if (address === null || reading.faults.length > 0) {
    return { faults: reading.faults, database: assumed ? null : address };
  }
  return {
    configuration: Object.freeze({
      ...listening,
      database: address,
      databaseAssumed: assumed,
      signingKeyFile: readSigningKeyFile(reading),
      profile: own,
    }),
  };
}
