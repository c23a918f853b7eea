import type { Environment } from '../../process/environment.ts';
import { findProgram } from '../../programs/on-path.ts';
import { commandLine, createLocalRunner } from './local-runner.ts';
import { reaperWords } from './reaper.ts';
import { findSandbox, type Sandbox } from './sandbox.ts';
import type { CommandRequest, CommandRunner, ExcludedPaths } from './types.ts';
import { findRemovedVariables, variablesOf } from './variables.ts';

export interface LocalCommands {
  readonly runner: CommandRunner;
  /** Whether plan mode can let commands run that are not known to only read. Probes the sandbox on first use. */
  readonly hasSandbox: () => Promise<boolean>;
  /** The program and words that run a command in the same way where somebody else starts the process. */
  readonly lineOf: (request: CommandRequest) => Promise<readonly [string, ...string[]]>;
}

/** @param keys values that no command gets: the keys of the gateway and of the models */
export function createLocalCommands(environment: Environment, keys: readonly string[]): LocalCommands {
  let found: Promise<Sandbox | null> | undefined;
  const sandbox = (): Promise<Sandbox | null> => {
    found ??= findProgram('bwrap', environment).then((program) => findSandbox(program, environment.homeDirectory));
    return found;
  };
  return {
    runner: createLocalRunner(sandbox, variablesOf(environment.variables, keys), async () =>
      reaperWords(await findProgram('perl', environment)),
    ),
    hasSandbox: async () => (await sandbox()) !== null,
    lineOf: async (request) => {
      const removed = findRemovedVariables(environment.variables, keys).flatMap((name) => ['-u', name]);
      const line = commandLine(await sandbox(), request);
      return removed.length === 0 ? line : ['env', ...removed, ...line];
    },
  };
}

/** Asks the rules before each command which paths its sandbox hides. */
export function withExclusions(
  runner: CommandRunner,
  rules: { excludedPaths(): Promise<ExcludedPaths> },
): CommandRunner {
  return {
    location: runner.location,
    start: async (request, output) => runner.start({ ...request, excluded: await rules.excludedPaths() }, output),
  };
}
