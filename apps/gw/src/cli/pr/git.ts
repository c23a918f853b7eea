import { execFile } from 'node:child_process';
import { CommandFailed } from '../../process/fault.ts';

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Output of a program that ended with 0. */
export interface Git {
  (...args: readonly string[]): Promise<string>;
  /** The same with other variables, for an index of its own. */
  with(variables: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<string>;
  /** Null instead of a fault. */
  try(...args: readonly string[]): Promise<string | null>;
}

/**
 * The user's own git, with their hooks, signing and credentials, as they would run it. It never asks on the terminal.
 * Throws `CommandFailed` with what git said.
 */
export function createGit(program: string, directory: string, variables: Readonly<Record<string, string>>): Git {
  const run = (more: Readonly<Record<string, string>>, args: readonly string[]): Promise<string> =>
    runProgram(program, args, directory, { ...variables, GIT_TERMINAL_PROMPT: '0', ...more });
  return Object.assign((...args: readonly string[]) => run({}, args), {
    with: (more: Readonly<Record<string, string>>, ...args: readonly string[]) => run(more, args),
    try: (...args: readonly string[]) => run({}, args).catch(() => null),
  });
}

/** Runs a program without a shell and without a terminal. Throws `CommandFailed` with its last line of error output. */
export function runProgram(
  program: string,
  args: readonly string[],
  directory: string,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: directory, env: variables, maxBuffer: MAX_OUTPUT_BYTES };
    const child = execFile(program, args, options, (error, output, errorOutput) => {
      if (error === null) {
        resolve(output);
        return;
      }
      const name = program.split('/').at(-1) ?? program;
      const reason = errorOutput.trim().split('\n').slice(-3).join(' ') || error.message.split('\n')[0];
      reject(new CommandFailed(`${name} ${args[0]} failed: ${reason}`));
    });
    child.stdin?.end();
  });
}
