import type { Component } from './component.ts';
import type { DatabaseAddresses } from './database.ts';
import { artifact, type Dependencies, start } from './dependencies.ts';
import { StartFault } from './fault.ts';
import type { ProfilePlan } from './profile-plan.ts';

/** Everything listens on this machine alone. */
const HOST = '127.0.0.1';
/** Ctrl-C is to end everything soon, running streams included. */
const DRAIN_SECONDS = '3';

/**
 * Under load V8 lets the young generation of its heap grow to more than all the rest of the gateway takes: capped at 16 MB,
 * the same load was measured with some 80 MB less resident memory; at 8 MB it takes no less, and a tenth more processor time.
 * With a heap of 1,000 MB at most, V8 collects the old generation at twice what is live rather than at four times: another
 * 50 MB less at 256 callers. Bodies lie outside this heap.
 */
const HEAP = ['--max-semi-space-size=16', '--max-old-space-size=1000'];
/**
 * What lies outside that heap comes from the C library's allocator, which otherwise keeps freed memory in an arena a
 * thread, and more and more of it at the end of the heap: with two arenas the gateway was measured at 5 to 10 MB less under
 * load, and with the end given back from its first number on, rather than from one that grows, at 10 to 18 MB less, at the
 * same processor time. Other C libraries pass over both.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

/**
 * The variable that holds the engine's key; none where the engine needs none, or `--env` sets it.
 * @throws StartFault where it is not set
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

/** Starts the built gateway. What the caller of `npm start` set with `--env` replaces what is set here. */
export function startGateway(
  dependencies: Dependencies,
  plan: ProfilePlan,
  database: DatabaseAddresses,
  port: number,
): Promise<Component> {
  const { options, environment, state } = dependencies;
  return start(dependencies, {
    name: 'gateway',
    words: [...HEAP, artifact(options, 'gateway')],
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
    words: [artifact(options, 'console')],
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
