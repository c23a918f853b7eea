import { execFile } from 'node:child_process';
import { closeSync, constants, fchownSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MissingPart } from './descendants.ts';

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
