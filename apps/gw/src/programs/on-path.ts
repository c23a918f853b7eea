import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Environment } from '../process/environment.ts';

/** Endings under which Windows finds a program by its bare name. Scripts are left out: they would need a shell. */
const ENDINGS: readonly string[] = process.platform === 'win32' ? ['.exe', '.com'] : [''];

/** The directories of PATH, and whether it contains relative ones, through which a project could supply its own programs. */
export function searchPath(environment: Environment): {
  readonly directories: readonly string[];
  readonly relative: boolean;
} {
  const all = (environment.variables.get('PATH') ?? environment.variables.get('Path') ?? '').split(delimiter);
  const set = all.length === 1 && all[0] === '' ? [] : all;
  return { directories: set.filter((each) => isAbsolute(each)), relative: set.some((each) => !isAbsolute(each)) };
}

/** PATH without relative directories. */
export function absolutePath(environment: Environment): string {
  return searchPath(environment).directories.join(delimiter);
}

/** The file that a program's name means, or null. Relative directories of PATH are passed over. */
export async function findProgram(name: string, environment: Environment): Promise<string | null> {
  for (const directory of searchPath(environment).directories) {
    for (const ending of ENDINGS) {
      const file = join(directory, name + ending);
      if (await runs(file)) return file;
    }
  }
  return null;
}

async function runs(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
