import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Ready } from '../../apps/quickstart/src/ready.ts';

export type { Ready } from '../../apps/quickstart/src/ready.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** `npm start` as a person or a program runs it: a process group of its own, which a terminal's signal reaches whole. */
export interface Started {
  readonly child: ChildProcess;
  /** Lines of standard output so far. */
  readonly output: readonly string[];
  /** What standard error got so far. */
  readonly log: () => string;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  /** A signal to the whole group, as Ctrl-C sends it. */
  readonly signal: (name: NodeJS.Signals) => void;
  /** Ctrl-C, then the exit code. */
  readonly stop: () => Promise<number | null>;
}

export function npmStart(...words: readonly string[]): Started {
  const child = spawn('npm', ['start', '--silent', '--', ...words], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  let log = '';
  createInterface({ input: child.stdout }).on('line', (line) => output.push(line));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const signal = (name: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // the group has exited
    }
  };
  return {
    child,
    output,
    log: () => log,
    ended,
    signal,
    stop: () => {
      signal('SIGINT');
      return ended;
    },
  };
}

/** Starts a stack that leaves nothing behind, and waits until it serves. */
export async function startStack(
  ...words: readonly string[]
): Promise<Ready & Pick<Started, 'stop' | 'log' | 'signal'>> {
  const started = npmStart('--ephemeral', '--json', ...words);
  if (started.child.stdout === null) throw new Error('standard output is a pipe');
  const first = once(createInterface({ input: started.child.stdout }), 'line').then(([line]) => String(line));
  const line = await Promise.race([first, started.ended]);
  if (typeof line !== 'string') throw new Error(`npm start ended with ${line}: ${started.log()}`);
  return { ...(JSON.parse(line) as Ready), stop: started.stop, log: started.log, signal: started.signal };
}
