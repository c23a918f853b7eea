import { join } from 'node:path';
import { migrate } from '@gateway/database';
import { build } from './build.ts';
import type { Component } from './component.ts';
import { type Database, startDatabase } from './database.ts';
import { declareEndpoint, ENDPOINT_NAME, type Engine } from './declare.ts';
import { DEMO_ACCOUNT, grantOnce } from './demo-account.ts';
import { artifact, type Dependencies } from './dependencies.ts';
import { type Gatewayctl, gatewayctl } from './gatewayctl.ts';
import { hosted } from './hosted.ts';
import { documentationFolder } from './manual.ts';
import { onPremise } from './on-premise.ts';
import { openEngine } from './open-engine.ts';
import { ensureOrganization } from './organization.ts';
import { onPort, refuseTaken } from './ports.ts';
import type { ProfilePlan } from './profile-plan.ts';
import { engineKey, startConsole, startGateway } from './programs.ts';
import type { Ready } from './ready.ts';
import { keepUp, type Service } from './services.ts';

/** Everything that serves, until it is disposed of. */
export interface Everything {
  readonly ready: Ready;
  /** Address of the documentation that the gateway serves; null where it serves none. */
  readonly documentation: string | null;
  /** Rejects when a service does not stay up. */
  readonly broken: Promise<never>;
}

async function openDatabase(dependencies: Dependencies, port: number, ending: AsyncDisposableStack): Promise<Database> {
  const database = await startDatabase(dependencies.state, port, dependencies.watchdog);
  ending.defer(() => database.stop());
  dependencies.signal.throwIfAborted();
  await migrate(database.addresses.owner);
  await database.openServiceRoles();
  return database;
}

/** Operator commands on this stack's database. */
function operator({ options, environment, state }: Dependencies, ownerUrl: string): Gatewayctl {
  return gatewayctl(artifact(options, 'gatewayctl'), ownerUrl, state.folder('operator'), environment.machine);
}

/** The key files of the services, by component. */
function signingKeyFiles({ options, state }: Dependencies): Readonly<Record<string, string>> {
  const { GATEWAY_SIGNING_KEY_FILE: file, GATEWAY_STATE_DIR: folder } = options.gatewayEnvironment;
  return {
    gateway: file ?? join(folder ?? state.folder('gateway'), 'signing-key.pem'),
    console: join(state.folder('console'), 'console-signing-key.pem'),
  };
}

/** Declares and grants what lets one account call one engine; returns that account's key. */
async function declare(
  dependencies: Dependencies,
  plan: ProfilePlan,
  engine: Engine,
  { console, owner }: { readonly console: string; readonly owner: string },
): Promise<string> {
  const run = operator(dependencies, owner);
  const api = await plan.openConsole(console, run);
  await declareEndpoint(api, engine);
  const key = await plan.account(api, run);
  await grantOnce(run, DEMO_ACCOUNT, 'utilisateur-standard');
  return key;
}

/** Starts everything in order. `ending` stops the started parts in the opposite order. */
export async function startEverything(given: Dependencies, ending: AsyncDisposableStack): Promise<Everything> {
  const { options, environment, state, signal, print } = given;
  engineKey(given); // Faults in the arguments are reported before anything is built.
  const { ports } = options;
  await refuseTaken('gateway', '--port', ports.gateway);
  await refuseTaken('console', '--console-port', ports.console);
  await refuseTaken('database', '--database-port', ports.database);
  const [docs] = await Promise.all([documentationFolder(given), build(options.profile, environment)]);
  signal.throwIfAborted();
  const dependencies: Dependencies = { ...given, options: { ...options, docs } };

  print(`Starting everything (data in ${state.path}) …`);
  const database = await openDatabase(dependencies, ports.database, ending);
  const { addresses } = database;
  const plan = options.profile === 'serverless' ? hosted(state) : await onPremise(dependencies, ending);
  const engine = await openEngine(dependencies, ending);
  const organization = options.gatewayEnvironment['GATEWAY_ORGANIZATION'];
  if (organization && !options.bare) {
    await ensureOrganization(operator(dependencies, addresses.owner), organization);
  }

  for (const fingerprint of await database.registerKeys(signingKeyFiles(dependencies))) {
    print(`Endorsing an earlier signing key: gatewayctl journal keys endorse ${fingerprint} --author "npm start"`);
    await operator(dependencies, addresses.owner)('journal', 'keys', 'endorse', fingerprint, '--author', 'npm start');
  }

  const services: Service[] = [];
  ending.defer(async () => {
    await Promise.all(services.map((service) => service.stop()));
  });
  const kept = async (asked: number, begin: (port: number) => Promise<Component>): Promise<Service> => {
    const service = await onPort(asked, (port) => keepUp(() => begin(port), signal, print));
    services.push(service);
    return service;
  };
  // The console names the gateway's address, which is known once that listens.
  const gateway = await kept(ports.gateway, (port) => startGateway(dependencies, plan, addresses, port));
  const console = await kept(ports.console, (port) =>
    startConsole(dependencies, plan, addresses, gateway.address, port),
  );
  const demo = options.bare
    ? null
    : await declare(dependencies, plan, engine, { console: console.address, owner: addresses.owner });
  const broken = Promise.race(services.map((service) => service.broken));
  broken.catch(() => undefined); // it is waited for once everything was said
  return {
    ready: {
      profile: options.profile,
      gateway: gateway.address,
      console: console.address,
      engine: engine.baseUrl,
      database: addresses,
      ...plan.ready,
      keys: { ...plan.ready.keys, ...(demo === null ? {} : { demo }) },
      endpoint: demo === null ? null : ENDPOINT_NAME,
      stateDirectory: state.path,
    },
    documentation: docs === null ? null : `${gateway.address}/v`,
    broken,
  };
}
