import { readFileSync } from 'node:fs';

/**
 * Reads a file of the data that a measurement is made on, which is no part of the repository. Ends the program with one line where it
 * is not there.
 * @param option what names another place
 */
export function readData(file: string, option: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    const mend = `The data are no part of this repository: name where they are with ${option}.`;
    process.stderr.write(`${file} cannot be read (${code}). ${mend}\n`);
    return process.exit(1);
  }
}
