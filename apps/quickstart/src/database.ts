import { openSigningKey } from '@gateway/configuration';
import { listSigningKeys, parseDatabaseAddress, registerSigningKey, withPool } from '@gateway/database';
import { startEmbeddedPostgres } from '@gateway/database/embedded';
import { StartFault } from './environment.ts';
import type { StateDirectory } from './state.ts';
import type { Watchdog } from './watchdog/watchdog.ts';

/** For root: PostgreSQL runs as this user. */
const SERVER_USER = 'gateway-postgresql';

/** Addresses for the owner and the two service roles, each with its password. */
export interface DatabaseAddresses {
  readonly owner: string;
  readonly gateway: string;
  readonly console: string;
}

export interface Database {
  readonly addresses: DatabaseAddresses;
  /** Once the schema is there: gives the two service roles their passwords, as an operator does after `migrate`. */
  openServiceRoles(): Promise<void>;
  /**
   * Registers the signing keys of services as the owner, which endorses the new ones.
   * @param files the key file of each component. @returns fingerprints of earlier keys that are not endorsed
   */
  registerKeys(files: Readonly<Record<string, string>>): Promise<readonly string[]>;
  stop(): Promise<void>;
}

function serviceAddress(ownerUrl: string, user: string, password: string): string {
  const url = new URL(ownerUrl);
  url.username = user;
  url.password = password;
  return url.href;
}

/** Starts the PostgreSQL that comes with the packages, with its data below the state directory. */
export async function startDatabase(state: StateDirectory, port: number, watchdog: Watchdog): Promise<Database> {
  const { gatewayRolePassword, consoleRolePassword } = state.kept;
  const directory = `${state.path}/postgresql`;
  const server = await startEmbeddedPostgres({ directory, port, user: SERVER_USER }).catch((error: Error) => {
    throw new StartFault(error.message);
  });
  watchdog.send({ what: 'database', pid: server.pid });
  server.ended.then(
    () => watchdog.send({ what: 'ended', pid: server.pid }),
    () => undefined,
  );
  const addresses = {
    owner: server.ownerUrl,
    gateway: serviceAddress(server.ownerUrl, 'gateway_service', gatewayRolePassword),
    console: serviceAddress(server.ownerUrl, 'console_service', consoleRolePassword),
  };
  return {
    addresses,
    openServiceRoles: async () => {
      const owner = parseDatabaseAddress(server.ownerUrl);
      await withPool(owner, { max: 1, applicationName: 'npm start' }, async (sql) => {
        // No parameters in this statement; the passwords are hexadecimal digits of our own making.
        await sql.unsafe(`alter role gateway_service password '${gatewayRolePassword}'`);
        await sql.unsafe(`alter role console_service password '${consoleRolePassword}'`);
      });
    },
    registerKeys: (files) =>
      withPool(parseDatabaseAddress(server.ownerUrl), { max: 1, applicationName: 'npm start' }, async (sql) => {
        const own = new Set<string>();
        for (const [component, file] of Object.entries(files)) {
          const key = openSigningKey(file);
          if ('fault' in key) throw new StartFault(key.fault);
          await registerSigningKey(sql, key.signer, component);
          own.add(key.signer.keyId);
        }
        const all = await listSigningKeys(sql);
        return all.flatMap((key) => (own.has(key.fingerprint) && key.endorsedAt === null ? key.fingerprint : []));
      }),
    stop: () => server.stop(),
  };
}
