import type { DatabaseAddress } from '@gateway/database';
import type { Environment } from '../environment.ts';
import { readDatabase } from './database.ts';
import { Reading } from './reading.ts';
import type { Variable } from './variable.ts';

const PORT: Variable = {
  name: 'PORT',
  profile: 'both',
  form: 'a whole number, 0 to 65535; 0 takes any free port',
  fallback: '6002',
  effect: 'The port the console listens on.',
};

/** What one build reads beyond what both do. */
export interface ProfileConfiguration<Own> {
  readonly variables: readonly Variable[];
  readConfiguration(reading: Reading): Own;
}

/** Everything the console was told, checked, and never changed afterwards. */
export interface Configuration<Own> {
  readonly port: number;
  readonly database: DatabaseAddress;
  /** Nobody named the database: the development one is assumed, which is announced. */
  readonly databaseAssumed: boolean;
  readonly profile: Own;
}

/** The whole configuration, or every fault of it: one line each. */
export function readConfiguration<Own>(
  environment: Environment,
  profile: ProfileConfiguration<Own>,
): { readonly configuration: Configuration<Own> } | { readonly faults: readonly string[] } {
  const reading = new Reading(environment);
  const own = profile.readConfiguration(reading);
  const { address, assumed } = readDatabase(reading);
  const port = reading.integer(PORT, { least: 0, most: 65_535, fallback: 6002 });
  if (address === null || reading.faults.length > 0) return { faults: reading.faults };
  return { configuration: Object.freeze({ port, database: address, databaseAssumed: assumed, profile: own }) };
}
