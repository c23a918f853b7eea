import { isIP } from 'node:net';
import { type Environment, Reading, type Variable } from '@gateway/configuration';
import type { DatabaseAddress } from '@gateway/database';
import { DATABASE } from './database.ts';
import { readSigningKeyFile, SIGNING_VARIABLES } from './signing-key.ts';

const port: Variable = {
  name: 'PORT',
  profile: 'both',
  form: 'a whole number, 0 to 65535; 0 takes any free port',
  fallback: '6002',
  effect: 'The port the console listens on.',
};
const host: Variable = {
  name: 'HOST',
  profile: 'both',
  form: 'an IP address of this machine',
  fallback: 'every address',
  effect: 'The address the console listens on.',
};

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
  return [...profile.variables, ...DATABASE.variables, port, host, ...SIGNING_VARIABLES];
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
  const listenPort = reading.integer(port, { least: 0, most: 65_535, fallback: 6002 });
  const listenHost = reading.text(host);
  if (listenHost !== null && isIP(listenHost) === 0) reading.fault(host, 'must be an IP address of this machine.');
  if (address === null || reading.faults.length > 0) {
    return { faults: reading.faults, database: assumed ? null : address };
  }
  return {
    configuration: Object.freeze({
      port: listenPort,
      host: listenHost,
      database: address,
      databaseAssumed: assumed,
      signingKeyFile: readSigningKeyFile(reading),
      profile: own,
    }),
  };
}
