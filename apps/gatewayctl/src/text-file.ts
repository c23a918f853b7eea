import { readFileSync } from 'node:fs';
import { CommandFailed } from './fault.ts';

/** The text of a file, without the mark that some editors put before it; `-` is standard input. */
export function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new CommandFailed(`${file === '-' ? 'Standard input' : file} cannot be read (${code}).`);
  }
}
