import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { codeOf } from '@gateway/configuration';
import { CommandFailed } from './fault.ts';

/** The text of a file, without the mark that some editors put before it; `-` is standard input. */
export function readText(file: string): string {
  const name = file === '-' ? 'Standard input' : file;
  let bytes: Buffer;
  try {
    bytes = readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    throw new CommandFailed(`${name} cannot be read (${codeOf(error)}).`);
  }
  // Invalid UTF-8 would be decoded to other names than were written.
  if (!isUtf8(bytes)) throw new CommandFailed(`${name} is not UTF-8: save it as plain text in UTF-8.`);
  return bytes.toString('utf8').replace(/^\ufeff/, '');
}
