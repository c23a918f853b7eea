import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { assertSchemaIsKnown, connect, SchemaFault } from '@gateway/database';
import { serve } from '@hono/node-server';
import { readConfiguration } from './configuration/configuration.ts';
import { DATABASE_URL, DEVELOPMENT_DATABASE } from './configuration/database.ts';
import { codeOf } from './configuration/reading.ts';
import type { Environment } from './environment.ts';
import type { Profile } from './profile/profile.ts';
import { createApplication } from './server/application.ts';
import { readAssets } from './server/assets.ts';

/** Where the console speaks to whoever runs it. */
export interface Terminal {
  say(line: string): void;
  complain(line: string): void;
}

export interface Running {
  readonly port: number;
  /** Takes no new request, lets those in progress end, at most `milliseconds`. */
  stop(milliseconds: number): Promise<void>;
}

/** Why the console does not start: every cause at once, one line each. */
export class StartRefused extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/**
 * Reads the configuration, checks the database role and schema, then listens.
 * @throws StartRefused before any port is open
 */
export async function startConsole<Own>(
  profile: Profile<Own>,
  environment: Environment,
  terminal: Terminal,
  options: { readonly assetsFolder: string },
): Promise<Running> {
  const read = readConfiguration(environment, profile);
  if ('faults' in read) throw new StartRefused(read.faults);
  const { configuration } = read;
  if (configuration.databaseAssumed) {
    terminal.say(`DATABASE_URL is not set: the development database ${DEVELOPMENT_DATABASE} is used`);
  }
  const database = connect(configuration.database, { max: 10, applicationName: 'gateway-console' });
  try {
    await assertSchemaIsKnown(database);
  } catch (error) {
    await database.end({ timeout: 0 });
    const sentence = error instanceof SchemaFault ? error.message : `the database does not answer (${codeOf(error)}).`;
    throw new StartRefused([`${DATABASE_URL.name}: ${sentence}`]);
  }
  const application = createApplication({
    routes: profile.routes,
    signIn: profile.createSignIn(configuration.profile, { database, announce: (line) => terminal.say(line) }),
    services: { database, administration: { append: async () => {} }, assets: readAssets(options.assetsFolder) },
    onFault: (error) => terminal.complain(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  });
  const server = serve({ fetch: (request) => application.fetch(request), port: configuration.port }) as Server;
  try {
    await once(server, 'listening');
  } catch (error) {
    await database.end({ timeout: 0 });
    throw new StartRefused([`PORT: ${configuration.port} cannot be listened on (${codeOf(error)}).`]);
  }
  const { port } = server.address() as AddressInfo;
  terminal.say(`console listens on http://localhost:${port}`);
  return {
    port,
    async stop(milliseconds) {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const cut = setTimeout(() => server.closeAllConnections(), milliseconds);
      await closed;
      clearTimeout(cut);
      await database.end({ timeout: 1 });
    },
  };
}
