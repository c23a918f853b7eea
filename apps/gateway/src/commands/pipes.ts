import { type ChildProcess, execFile } from 'node:child_process';
import { closeSync, constants, fchownSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TURNS } from '../process/turns.ts';
import { MissingPart } from './processes.ts';

/** Most bytes of a piece: what one output of a command has under way at a time. */
export const PIECE = 16 * 1024;

/** What every output is read into. A piece is used or copied before the next one is read, of any command. */
const SHARED = Buffer.allocUnsafeSlow(PIECE);

/** One of a command's two outputs. While it is paused nothing is read from it, so the command waits. */
export interface CommandOutput {
  readonly isPaused: boolean;
  /** How many were read so far. */
  readonly bytes: number;
  /** Settles once it has ended or was abandoned. */
  readonly closed: Promise<void>;
  /**
   * Starts to read; called once.
   * @param take receives each piece, which is valid only during that call
   * @param over called once when the output ends
   */
  read(take: (piece: Buffer) => void, over: () => void): void;
  pause(): void;
  resume(): void;
  /** Gives up what was not read. */
  destroy(): void;
}

/** An output that comes through a pipe. @param exit descriptor of the pipe; this object closes it */
export function pipeOutput(exit: number, turns = TURNS): CommandOutput {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  let socket: Socket | null = null;
  let paused = false;
  /** A piece waits for its turn; nothing is read meanwhile, so neither is the end. */
  let waiting = false;
  let destroyed = false;
  let read = 0;
  const wait = (take: (piece: Buffer) => void, piece: Buffer) => {
    waiting = true;
    socket?.pause();
    turns.later(() => {
      waiting = false;
      if (destroyed) return;
      take(piece);
      if (!paused) socket?.resume();
    });
  };
  return {
    closed,
    get isPaused() {
      return paused || waiting;
    },
    get bytes() {
      return read;
    },
    read(take, over) {
      const callback = (bytes: number) => {
        read += bytes;
        const piece = SHARED.subarray(0, bytes);
        if (!turns.now(() => take(piece))) wait(take, Buffer.from(piece));
        return !paused && !waiting;
      };
      socket = new Socket({ fd: exit, readable: true, writable: false, onread: { buffer: SHARED, callback } });
      socket.once('end', over);
      socket.on('error', () => {}); // `close` follows
      socket.once('close', () => resolve());
    },
    pause() {
      paused = true;
      socket?.pause();
    },
    resume() {
      paused = false;
      if (!waiting) socket?.resume();
    },
    destroy() {
      destroyed = true;
      if (socket !== null) socket.destroy();
      else closeSync(exit);
      resolve();
    },
  };
}

/** A program whose two outputs are pipes of the gateway's. */
export interface Piped {
  readonly child: ChildProcess;
  readonly stdout: CommandOutput;
  readonly stderr: CommandOutput;
  /** Settles once it has ended and both outputs are closed. Never rejects. */
  readonly ended: Promise<PipedEnd>;
}

interface PipedEnd {
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

/** A pipe as two descriptors of this process. No program inherits either of them unasked. */
export interface Pipe {
  /** What a command writes to. */
  readonly entrance: number;
  /** What the gateway reads from, without waiting. */
  readonly exit: number;
}

/** Pipes made per program start, because a start blocks the event loop. More are made where more are awaited. */
const BATCH = 8;
const LARGE_BATCH = 64;

const run = promisify(execFile);

/**
 * Pipes for the outputs of commands, some made ahead. Node.js would give a command sockets: programs that open `/dev/stderr` by
 * name fail on those (`echo x >/dev/stderr`), and each read allocates memory. The file system keeps nothing of a pipe once both
 * ends are open.
 */
export class PipeSupply {
  readonly #folder: string;
  readonly #program: string;
  readonly #made: Pipe[] = [];
  #making: Promise<void> | null = null;
  /** Number of waiting callers. */
  #waiting = 0;
  #closed = false;

  /**
   * @param folder where pipes may be made
   * @param program that makes pipes: mkfifo
   */
  constructor(folder: string, program: string) {
    this.#folder = folder;
    this.#program = program;
  }

  /**
   * A pipe of the caller's own, to close.
   * @param user of the command, where it is not the gateway's own: a command opens its outputs by name
   */
  async take(user: number | null = null): Promise<Pipe> {
    const pipe = await this.#next();
    if (user !== null) fchownSync(pipe.entrance, user, user);
    return pipe;
  }

  async #next(): Promise<Pipe> {
    for (;;) {
      const pipe = this.#made.pop();
      const making = this.#made.length < BATCH / 2 ? this.fill() : null;
      if (pipe === undefined) {
        this.#waiting += 1;
        try {
          await making;
        } finally {
          this.#waiting -= 1;
        }
      } else {
        making?.catch(() => {}); // a caller that finds none left receives the failure
        return pipe;
      }
    }
  }

  /** Makes a few more. @throws MissingPart where this host makes none */
  async fill(): Promise<void> {
    if (this.#closed) throw new Error('no pipe is made any more: the gateway is stopping');
    this.#making ??= this.#make().finally(() => {
      this.#making = null;
    });
    await this.#making;
  }

  /** Resolves once no pipe is being made and those made ahead are closed. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#making?.catch(() => {}); // a caller that waits for a pipe receives the failure
    for (const { entrance, exit } of this.#made.splice(0)) {
      closeSync(entrance);
      closeSync(exit);
    }
  }

  async #make(): Promise<void> {
    const folder = await mkdtemp(join(this.#folder, '.pipes-'));
    // Counted after the folder exists: by then all concurrent requests are waiting.
    const batch = Math.min(Math.max(this.#waiting, BATCH), LARGE_BATCH);
    try {
      const names = Array.from({ length: batch }, (_, index) => join(folder, String(index)));
      await run(this.#program, ['-m', '600', ...names]).catch((error: Error) => {
        throw new MissingPart(`cannot make pipes in ${this.#folder} with mkfifo: ${error.message.trim()}`);
      });
      for (const name of names) this.#made.push(openBoth(name));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

function openBoth(name: string): Pipe {
  const exit = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const entrance = openSync(name, constants.O_WRONLY);
    return { entrance, exit };
  } catch (error) {
    closeSync(exit);
    throw error;
  }
}
