import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { operatorLine } from '@gateway/secrets';
import { StartFault } from './fault.ts';
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
