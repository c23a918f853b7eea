import { execFile } from 'node:child_process';
import type { Ran } from './world.ts';

/** Runs a program to its end, without input. */
export function askProgram(
  program: string,
  words: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(program, words, { ...options, maxBuffer: 16 * 2 ** 20 }, (_, out, err) =>
      resolve({ code: child.exitCode ?? 1, out, err }),
    );
    child.stdin?.end();
  });
}
