import { artifact, type Component, type Dependencies, start } from './component.ts';
import type { DatabaseAddresses } from './database.ts';
import { StartFault } from './environment.ts';
import type { ProfilePlan } from './profile-plan.ts';

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
export function startGateway(
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
export function startConsole(
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
