import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { migrate } from '@gateway/database';
import * as z from 'zod';
import {
  artifact,
  type Component,
  type Dependencies,
  type Gatewayctl,
  gatewayctl,
  onPort,
  ROOT,
  refuseTaken,
  start,
  unlessTaken,
} from './component.ts';
import { type ConsoleClient, consoleClient, DEMO_ACCOUNT, grantOnce, hostedAccount } from './console-client.ts';
import { type Database, type DatabaseAddresses, startDatabase } from './database.ts';
import { type Environment, StartFault } from './environment.ts';
import { onPremise } from './on-premise.ts';
import type { ProfileName } from './options.ts';
import type { ProfilePlan } from './profile-plan.ts';
import type { Ready } from './ready.ts';
import type { StateDirectory } from './state.ts';

const USER = 'admin';

/** The hosted profile: the console has a shared pair, the first start makes the account `admin`, accounts have plans. */
export function hosted(state: StateDirectory): ProfilePlan {
  const { adminKey, consolePassword } = state.kept;
  const basic = Buffer.from(`${USER}:${consolePassword}`).toString('base64');
  return {
    gateway: { ADMIN_API_KEY: adminKey },
    console: () => ({ ADMIN_USER: USER, ADMIN_PASS: consolePassword }),
    ready: {
      keys: { admin: adminKey },
      license: null,
      directory: null,
      consoleSignIn: { user: USER, password: consolePassword },
      auditorSignIn: null,
    },
    openConsole: async (address) => consoleClient(address, { authorization: `Basic ${basic}` }),
    account: (api) => hostedAccount(api, state),
  };
}

/** Builds the artifact of a profile where its sources changed. What the build says goes to standard error. */
async function build(profile: ProfileName, environment: Environment): Promise<void> {
  const child = spawn(process.execPath, ['toolchain/build.ts', '--when-changed'], {
    cwd: ROOT,
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...environment.machine, GATEWAY_DEPLOYMENT_PROFILE: profile },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new StartFault(`The ${profile} artifact could not be built.`);
}

const ID = z.object({ id: z.string() });
const PROVIDER = z.object({
  id: z.string(),
  slug: z.string(),
  baseUrl: z.string(),
  apiKeyEnv: z.string().nullable(),
});
const MODEL = z.object({ id: z.string(), slug: z.string(), provider: z.string() });
const ENDPOINT = z.object({ id: z.string(), name: z.string(), model: z.string() });

/** The endpoint that `npm start` declares. */
const ENDPOINT_NAME = 'demo';

export interface Engine {
  readonly name: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly keyEnv: string | null;
}

function freeSlug(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number += 1) if (!taken.has(`${wanted}-${number}`)) return `${wanted}-${number}`;
}

async function provider(api: ConsoleClient, engine: Engine): Promise<string> {
  const there = await api.list('/api/providers', 'providers', PROVIDER);
  const same = there.find(({ baseUrl, apiKeyEnv }) => baseUrl === engine.baseUrl && apiKeyEnv === engine.keyEnv);
  if (same) return same.id;
  const made = await api.send(
    'POST',
    '/api/providers',
    {
      slug: freeSlug('demo', new Set(there.map(({ slug }) => slug))),
      name: engine.name,
      baseUrl: engine.baseUrl,
      apiKeyEnv: engine.keyEnv,
      // A user who passed an http:// address to `npm start` chose it knowingly; the demo engine is on this machine.
      clearTextAcknowledged: engine.baseUrl.startsWith('http://'),
    },
    ID,
  );
  return made.id;
}

async function model(api: ConsoleClient, engine: Engine, providerId: string): Promise<string> {
  const there = await api.list('/api/models', 'models', MODEL);
  const same = there.find((one) => one.slug === engine.model && one.provider === providerId);
  if (same) return same.id;
  const body = { slug: engine.model, name: engine.model, provider: providerId, inputPrice: 0, outputPrice: 0 };
  return (await api.send('POST', '/api/models', body, ID)).id;
}

/**
 * Declares provider, model and endpoint through the console, as an operator would. Existing objects stay; an endpoint that
 * points to another engine is changed to this one.
 */
export async function declareEndpoint(api: ConsoleClient, engine: Engine): Promise<void> {
  const modelId = await model(api, engine, await provider(api, engine));
  const there = await api.list('/api/endpoints', 'endpoints', ENDPOINT);
  const endpoint = there.find(({ name }) => name === ENDPOINT_NAME);
  if (!endpoint) await api.send('POST', '/api/endpoints', { name: ENDPOINT_NAME, model: modelId }, ID);
  else if (endpoint.model !== modelId) await api.send('PATCH', `/api/endpoints/${endpoint.id}`, { model: modelId }, ID);
}

/** How long a service may take to end in order before it is made to. */
const END_MILLISECONDS = 5000;
/** A service that ends again this soon after it was started again has a fault that a new start does not fix. */
const SETTLED_MILLISECONDS = 10_000;

/** A service that is started again when it ends by itself. */
interface Service {
  /** Where it listens. */
  readonly address: string;
  /** Rejects when it ended by itself and does not stay up. Never resolves. */
  readonly broken: Promise<never>;
  stop(): Promise<void>;
}

/**
 * Starts a service and supervises it: when it is ended from outside, this is logged and it is restarted.
 * @param begin starts it; the caller handles a failed first start
 * @param signal once aborted, an ended service is not restarted
 */
export async function keepUp(
  begin: () => Promise<Component>,
  signal: AbortSignal,
  print: (line: string) => void,
  settledMilliseconds = SETTLED_MILLISECONDS,
): Promise<Service> {
  let current = await begin();
  let stopping = false;
  /** The last start, also while it runs: what is stopped meanwhile must not serve afterwards. */
  let started: Promise<unknown> = Promise.resolve();
  const watch = async (): Promise<never> => {
    for (;;) {
      const began = Date.now();
      const how = await current.ended;
      if (signal.aborted || stopping) return new Promise<never>(() => undefined);
      if (Date.now() - began < settledMilliseconds) throw new StartFault(`The ${current.name} ${how}.`);
      print(`The ${current.name} ${how}; it is started again.`);
      await pause(200);
      if (signal.aborted || stopping) return new Promise<never>(() => undefined);
      const next = begin();
      started = next.catch(() => undefined);
      current = await next;
    }
  };
  const broken = watch();
  broken.catch(() => undefined); // nobody waits for it while everything is being started or ended
  return {
    address: current.address,
    broken,
    stop: async () => {
      stopping = true; // also where a fault elsewhere, and not the signal, ends everything
      await started;
      await current.stop(END_MILLISECONDS);
    },
  };
}

/** Where `site/build/main.ts` leaves the manual as an unpacked documentation archive. */
const MANUAL = join(ROOT, 'dist', 'manual');

/**
 * The folder of the documentation that the gateway is to serve: the one that was named, none with `--bare`, else the
 * product's own manual, built where its pages changed (client-31). A manual that cannot be built stops no start.
 */
async function documentationFolder({ options, environment, print, signal }: Dependencies): Promise<string | null> {
  if (options.docs !== null) return options.docs;
  if (options.bare) return null;
  const child = spawn(process.execPath, ['site/build/main.ts', '--when-changed'], {
    cwd: ROOT,
    // The generator logs every page; one line that the manual is being built is enough.
    stdio: ['ignore', 'ignore', 'pipe'],
    env: environment.machine,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (text.startsWith('Building ')) print(text.slice(0, text.indexOf('\n')));
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return MANUAL;
  if (signal.aborted) return null; // Ctrl-C cut it short
  print(`The manual could not be built, so no documentation is served: ${said.trim().split('\n').at(-1) ?? ''}`);
  return null;
}

const PROGRAM = fileURLToPath(new URL('engine/main.ts', import.meta.url));
const PORT = 6003;

/** The engine behind the first endpoint: the one asked for, or the demo engine, which is started. */
export async function openEngine(dependencies: Dependencies, ending: AsyncDisposableStack): Promise<Engine> {
  const { options, environment, state } = dependencies;
  if (options.engine) {
    const { baseUrl, model, keyEnv } = options.engine;
    return { name: new URL(baseUrl).host, baseUrl, model, keyEnv };
  }
  // The port stays the same because the provider's address is declared once.
  const asked = await unlessTaken(state.kept.enginePort ?? (options.ephemeral ? 0 : PORT));
  const component = await onPort(asked, async (port) => {
    const started = await start(dependencies, {
      name: 'demo engine',
      args: [PROGRAM, String(port)],
      environment: environment.machine,
      ready: /^demo engine listens on (https?:\/\/\S+)/,
    });
    state.keep({ enginePort: port });
    return started;
  });
  ending.defer(() => component.stop(1000));
  return { name: 'Demo engine', baseUrl: component.address, model: 'demo-model', keyEnv: null };
}

/** Makes the organization that the gateway is to serve, where it is absent: a gateway refuses to serve an unknown one. */
export async function ensureOrganization(run: Gatewayctl, slug: string): Promise<void> {
  const known = JSON.parse(await run('organization', 'list', '--json')) as readonly { readonly slug: string }[];
  if (!known.some((one) => one.slug === slug)) await run('organization', 'create', slug, slug);
}

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

/** Everything listens on this machine alone. */
const HOST = '127.0.0.1';
/** Ctrl-C is to end everything soon, running streams included. */
const DRAIN_SECONDS = '3';

/**
 * V8 flags. Young generation capped at 16 MB: 80 MB less resident memory under load; 8 MB saves no more and costs a tenth more
 * CPU time. Old generation capped at 1,000 MB: it is collected at twice the live size rather than four times, 50 MB less at 256
 * callers. Bodies are outside this heap.
 */
const HEAP = ['--max-semi-space-size=16', '--max-old-space-size=1000'];
/**
 * glibc keeps freed memory in an arena for each thread and at the end of the heap. Two arenas: 5 to 10 MB less under load; a
 * fixed trim threshold too: 10 to 18 MB less, at the same CPU time. Other C libraries ignore both.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

/**
 * The variable with the engine's key; none if the engine needs none, or `--env` sets it.
 * @throws StartFault if it is not set
 */
export function engineKey({
  options,
  environment,
}: Pick<Dependencies, 'options' | 'environment'>): Record<string, string> {
  const name = options.engine?.keyEnv ?? null;
  if (name === null || options.gatewayEnvironment[name] !== undefined) return {};
  const key = environment.named(name);
  if (key !== undefined) return { [name]: key };
  throw new StartFault(`The variable ${name}, which --engine-key-env names, is not set. Set it to the engine's key.`);
}

/** Starts the built gateway. Variables from `--env` replace those set here. */
function startGateway(
  dependencies: Dependencies,
  plan: ProfilePlan,
  database: DatabaseAddresses,
  port: number,
): Promise<Component> {
  const { options, environment, state } = dependencies;
  return start(dependencies, {
    name: 'gateway',
    args: [...HEAP, artifact(options, 'gateway')],
    environment: {
      ...ALLOCATOR,
      ...environment.machine,
      ...environment.gateway,
      HOST,
      PORT: String(port),
      DATABASE_URL: database.gateway,
      GATEWAY_STATE_DIR: state.folder('gateway'),
      GATEWAY_DRAIN_SECONDS: DRAIN_SECONDS,
      ...(options.docs === null ? {} : { GATEWAY_DOCS_DIR: options.docs }),
      ...engineKey(dependencies),
      ...plan.gateway,
      ...options.gatewayEnvironment,
    },
    ready: /^gateway listens on (https?:\/\/\S+)/,
  });
}

/** Starts the built console. @param gateway where callers reach the gateway, which its ready-made calls name */
function startConsole(
  dependencies: Dependencies,
  plan: ProfilePlan,
  database: DatabaseAddresses,
  gateway: string,
  port: number,
): Promise<Component> {
  const { options, environment, state } = dependencies;
  return start(dependencies, {
    name: 'console',
    args: [artifact(options, 'console')],
    environment: {
      ...environment.machine,
      HOST,
      PORT: String(port),
      DATABASE_URL: database.console,
      GATEWAY_STATE_DIR: state.folder('console'),
      GATEWAY_PUBLIC_URL: gateway,
      ...plan.console(port),
    },
    ready: /^console listens on (https?:\/\/\S+)/,
  });
}
