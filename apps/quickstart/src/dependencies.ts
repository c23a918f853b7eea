import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutTime } from '@gateway/configuration';
import { type Component, type ComponentPlan, startComponent } from './component.ts';
import type { Environment } from './environment.ts';
import type { Options } from './options.ts';
import type { StateDirectory } from './state.ts';
import type { Watchdog } from './watchdog/watchdog.ts';

/** The checkout. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** What every step of a start can use. */
export interface Dependencies {
  readonly options: Options;
  readonly environment: Environment;
  readonly state: StateDirectory;
  readonly watchdog: Watchdog;
  /** Aborted when everything is to end. */
  readonly signal: AbortSignal;
  /** One line for the person at the terminal, on standard error. */
  readonly print: (line: string) => void;
}

/** The built program of the chosen profile. */
export function artifact(options: Options, name: string): string {
  return join(ROOT, 'dist', options.profile, `${name}.js`);
}

/** Starts a component with its output written to the logs of the state directory. */
export function start(
  dependencies: Dependencies,
  plan: Pick<ComponentPlan, 'name' | 'args' | 'environment' | 'ready'>,
): Promise<Component> {
  const { state, watchdog, signal, print } = dependencies;
  const logFile = join(state.folder('logs'), `${plan.name.replaceAll(' ', '-')}.log`);
  return startComponent({ ...plan, logFile, onLine: (line) => print(withoutTime(line)) }, watchdog, signal);
}
