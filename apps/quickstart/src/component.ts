import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { withoutTime } from '@gateway/configuration';
import { isTaken, onFreePort } from '@gateway/database/embedded';
import { operatorLine } from '@gateway/secrets';
import { type Environment, StartFault } from './environment.ts';
import type { Options } from './options.ts';
import type { StateDirectory } from './state.ts';
import type { Watchdog } from './watchdog/watchdog.ts';

/** A program of ours that runs until it gets the signal to end. */
export interface ComponentPlan {
  readonly name: string;
  /** Words after `node`. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Its line once it serves; the first group is the address it listens on. */
  readonly ready: RegExp;
  /** All of its output goes here too. */
  readonly logFile: string;
  /** Its lines on standard error, unchanged. */
  readonly onLine: (line: string) => void;
}

export interface Component {
  readonly name: string;
  /** First group of `ready`. */
  readonly address: string;
  /** Resolves when it ended, for any cause, with a word on how. */
  readonly ended: Promise<string>;
  /** Ends it and everything it started: first asked, after `milliseconds` made to. */
  stop(milliseconds: number): Promise<void>;
}

function launch(plan: ComponentPlan, watchdog: Watchdog): ChildProcess {
  const child = spawn(process.execPath, plan.args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // Ctrl-C in a terminal goes to the whole group; the order of the end is ours
    env: plan.environment,
  });
  if (child.pid !== undefined) watchdog.send({ what: 'process', pid: child.pid });
  child.once('exit', () => {
    if (child.pid !== undefined) watchdog.send({ what: 'ended', pid: child.pid });
  });
  return child;
}

function linesOf(child: ChildProcess, plan: ComponentPlan): readonly Interface[] {
  const log = (line: string): void => {
    try {
      appendFileSync(plan.logFile, `${operatorLine(line)}\n`, { mode: 0o600 });
    } catch {
      // A full disk costs lines of a log, and not the service.
    }
  };
  const readers = [child.stdout, child.stderr].map((input) => {
    if (input === null) throw new Error('the output of a component is a pipe');
    return createInterface({ input });
  });
  for (const reader of readers) reader.on('line', log);
  readers[1]?.on('line', plan.onLine);
  return readers;
}

function howItEnded(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`could not be run: ${error.message}`));
    // 'close' and not 'exit': its last output has been read by then.
    child.once('close', (code, signal) => resolve(signal === null ? `ended with ${code}` : `was ended by ${signal}`));
  });
}

function stopper(child: ChildProcess, ended: Promise<string>): Component['stop'] {
  const signal = (name: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // The whole group has exited.
    }
  };
  return async (milliseconds) => {
    signal('SIGCONT');
    signal('SIGTERM');
    const patience = new AbortController();
    const late = pause(milliseconds, 'late', { signal: patience.signal }).catch(() => 'cancelled');
    if ((await Promise.race([ended, late])) === 'late') signal('SIGKILL');
    patience.abort();
    await ended;
    signal('SIGKILL'); // Processes that it left behind in its group.
  };
}

/**
 * Starts a component and waits until it serves.
 * @param signal ends the waiting, and the component with it
 * @throws StartFault if it ends before; its standard error has been shown by then
 */
export async function startComponent(plan: ComponentPlan, watchdog: Watchdog, signal: AbortSignal): Promise<Component> {
  signal.throwIfAborted();
  const child = launch(plan, watchdog);
  const ended = howItEnded(child);
  const address = new Promise<string>((resolve) => {
    for (const reader of linesOf(child, plan)) {
      reader.on('line', (line) => {
        const match = plan.ready.exec(line);
        if (match) resolve(match[1] ?? '');
      });
    }
  });
  const stop = stopper(child, ended);
  const aborted = once(signal, 'abort').then(() => ({ how: 'was stopped' }));
  const first = await Promise.race([address.then((address) => ({ address })), ended.then((how) => ({ how })), aborted]);
  if ('address' in first) return { name: plan.name, address: first.address, ended, stop };
  if (signal.aborted) await stop(0);
  signal.throwIfAborted();
  throw new StartFault(`The ${plan.name} ${first.how} before it was ready.`);
}

/** @throws StartFault naming the option when another program listens on the port that was asked for */
export async function refuseTaken(what: string, option: string, asked: number): Promise<void> {
  if (asked === 0 || !(await isTaken(asked))) return;
  throw new StartFault(
    `Port ${asked}, for the ${what}, is used by another program. End that program, or choose another port with ${option}.`,
  );
}

/** The port itself, or 0, for any, where another program listens on it. */
export async function unlessTaken(port: number): Promise<number> {
  return port !== 0 && (await isTaken(port)) ? 0 : port;
}

/** Starts a component on the requested port; for 0, on a free one that no other process takes meanwhile. */
export function onPort<Started>(asked: number, begin: (port: number) => Promise<Started>): Promise<Started> {
  return asked === 0 ? onFreePort(begin) : begin(asked);
}

/** Runs operator commands with the owner's address, as a person at a terminal does. */
export type Gatewayctl = (...args: readonly string[]) => Promise<string>;

/**
 * @param program the built `gatewayctl.js`
 * @param folder contains the operator's signing key
 * @returns a function that resolves with the command's output
 * @throws StartFault with the command's own message if it failed
 */
export function gatewayctl(
  program: string,
  ownerUrl: string,
  folder: string,
  machine: Readonly<Record<string, string>>,
): Gatewayctl {
  return (...args) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [program, ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...machine, DATABASE_URL: ownerUrl, GATEWAY_STATE_DIR: folder },
      });
      let printed = '';
      let trouble = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        trouble += text;
      });
      child.once('error', reject);
      child.once('close', (code) => {
        if (code === 0) resolve(printed);
        else reject(new StartFault(`gatewayctl ${args[0]} ended with ${code}: ${(trouble || printed).trim()}`));
      });
    });
}

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
