import type { Writable } from 'node:stream';
import { errorCode } from '@gateway/contract/error-code';
import { CommandFailed, OutputClosed } from './fault.ts';

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
