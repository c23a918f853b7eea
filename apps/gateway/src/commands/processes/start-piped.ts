import type { ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import { type CommandOutput, pipeOutput } from './command-output.ts';
import type { Pipe, PipeSupply } from './pipe-supply.ts';

/** A program whose two outputs are pipes of the gateway's. */
export interface Piped {
  readonly child: ChildProcess;
  readonly stdout: CommandOutput;
  readonly stderr: CommandOutput;
  /** Settles once it has ended and both outputs are closed. Never rejects. */
  readonly ended: Promise<PipedEnd>;
}

export interface PipedEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it never ran. */
  readonly failure: Error | null;
}

/**
 * Starting a program blocks the event loop for milliseconds, tens of them on a busy machine. With one start a turn, other work
 * waits for one start, not for every command of a burst.
 */
let lastStart: Promise<void> = Promise.resolve();
function turnToStart(): Promise<void> {
  const turn = lastStart;
  lastStart = turn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return turn;
}

/**
 * @param user the user who opens the outputs by name, if not the gateway's own
 * @param start starts the program with these descriptors as its outputs @throws what it throws, and where no pipe can be made
 */
export async function startPiped(
  supply: PipeSupply,
  user: number | null,
  start: (stdout: number, stderr: number) => ChildProcess,
): Promise<Piped> {
  const out = await supply.take(user);
  let errors: Pipe | null = null;
  try {
    errors = await supply.take(user);
    await turnToStart();
    const child = start(out.entrance, errors.entrance);
    return pipe(child, pipeOutput(out.exit), pipeOutput(errors.exit));
  } catch (error) {
    closeSync(out.exit);
    if (errors !== null) closeSync(errors.exit);
    throw error;
  } finally {
    // The program has its own copies. An output ends only once the gateway has closed its copy.
    closeSync(out.entrance);
    if (errors !== null) closeSync(errors.entrance);
  }
}

function pipe(child: ChildProcess, stdout: CommandOutput, stderr: CommandOutput): Piped {
  const over = new Promise<PipedEnd>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal, failure: null }));
    child.on('error', (failure) => {
      // Node.js reports no end of a process that never was.
      if (child.pid === undefined) resolve({ code: null, signal: null, failure });
    });
  });
  const ended = Promise.all([over, stdout.closed, stderr.closed]).then(([end]) => end);
  return { child, stdout, stderr, ended };
}
