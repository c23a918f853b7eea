import type { Writable } from 'node:stream';
import { errorCode } from '@gateway/contract/error-code';
import { CommandFailed, OutputClosed, type Terminal } from './context.ts';

/** Progress of a long command, on one line that is overwritten, for a terminal. */
export interface Progress {
  at(done: bigint): void;
  /** Removes the line. */
  end(): void;
}

/** Not more often than a person can read. */
const EVERY_MS = 100;

/** @param total 0 where it is not known. */
export function showProgress(terminal: Terminal, what: string, total: bigint): Progress {
  if (!terminal.watched) return { at: () => {}, end: () => {} };
  let last = 0;
  return {
    at(done) {
      const now = performance.now();
      if (now - last < EVERY_MS) return;
      last = now;
      const part = total > 0n ? ` of ${total.toLocaleString('en')} (${(done * 100n) / total} %)` : '';
      terminal.report(`\r\u001b[K${what}: ${done.toLocaleString('en')}${part}`);
    },
    end() {
      if (last > 0) terminal.report('\r\u001b[K');
    },
  };
}

/** Writes a text, and waits until it is written. @throws OutputClosed, CommandFailed as `Terminal.write` says */
export function writeTo(output: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error) => {
      if (!error) resolve();
      else if (errorCode(error) === 'EPIPE') reject(new OutputClosed());
      else reject(new CommandFailed(`Standard output cannot be written: ${error.message}.`));
    });
  });
}
