import { readFileSync } from 'node:fs';

/**
 * Reads a data file of a measurement, which is not part of the repository. Exits with one line if it is missing.
 * @param option names another path
 */
export function readData(file: string, option: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    const fix = `The data are no part of this repository: name where they are with ${option}.`;
    process.stderr.write(`${file} cannot be read (${code}). ${fix}\n`);
    return process.exit(1);
  }
}
