import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { Environment } from '../../process/environment.ts';
import { findProgram } from '../../programs/on-path.ts';
import { reaperWords } from './reaper.ts';
import { findSandbox, type Sandbox } from './sandbox.ts';
import type { CommandEnd, CommandRequest, CommandRunner, ExcludedPaths, RunningCommand } from './types.ts';
import { findRemovedVariables, variablesOf } from './variables.ts';

/** Milliseconds between the request to end and the end by force. */
const GRACE_MS = 1000;
/** The same where a reaper ends by force after `GRACE_MS` what the command started: it needs time to do so. */
const REAPER_GRACE_MS = 4000;
/** Milliseconds that output may still come after the shell ended, from what it left running. */
const LATE_MS = 200;

/**
 * Runs commands on this machine: without a terminal, in a process group of their own, in the sandbox where there is one. Without
 * one a reaper ends what they leave behind; without both, what leaves the group outlives them.
 * @param variables the whole environment of the commands
 */
export function createLocalRunner(
  sandbox: () => Promise<Sandbox | null>,
  variables: Readonly<Record<string, string>>,
  findReaper: () => Promise<readonly [string, ...string[]] | null> = async () => null,
): CommandRunner {
  return {
    location: null,
    async start(request, output): Promise<RunningCommand> {
      const found = await sandbox();
      const reaper = found === null ? await findReaper() : null;
      const line = commandLine(found, request);
      const [program, ...args] = reaper === null ? line : [...reaper, ...line];
      const child = spawn(program, args, {
        cwd: request.directory,
        env: reaper === null ? variables : { ...variables, PERL_BADLANG: '0' }, // no warning of a missing locale
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const signal = (name: NodeJS.Signals): void => {
        try {
          if (child.pid !== undefined) process.kill(-child.pid, name);
        } catch {
          // has exited already
        }
      };
      for (const stream of [child.stdout, child.stderr]) {
        const decoder = new StringDecoder('utf8');
        const isError = stream === child.stderr;
        stream.on('data', (chunk: Buffer) => output(decoder.write(chunk), isError));
        stream.on('end', () => {
          const rest = decoder.end(); // of a character that is not whole
          if (rest !== '') output(rest, isError);
        });
        stream.on('error', () => undefined);
      }
      const ended = new Promise<CommandEnd>((resolve) => {
        child.once('error', (error) =>
          resolve({ code: null, signal: null, fault: `The command cannot be started: ${error.message}` }),
        );
        child.once('exit', (code, name) => {
          const settle = (): void => {
            signal('SIGKILL'); // what it left in its group does not outlive it
            child.stdout.destroy();
            child.stderr.destroy();
            resolve({ code, signal: name });
          };
          const timer = setTimeout(settle, LATE_MS);
          child.once('close', () => {
            clearTimeout(timer);
            settle();
          });
        });
      });
      return {
        ended,
        async stop() {
          signal('SIGTERM');
          const timer = setTimeout(() => signal('SIGKILL'), reaper === null ? GRACE_MS : REAPER_GRACE_MS);
          await ended;
          clearTimeout(timer);
        },
      };
    },
  };
}

/** The program and words that run a command in a shell, in the sandbox where there is one. */
export function commandLine(
  sandbox: Sandbox | null,
  { command, directory, readOnly, excluded }: CommandRequest,
): readonly [string, ...string[]] {
  const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
  const inShell = [shell, '-c', command] as const;
  if (sandbox === null) return inShell;
  const [program, ...args] = sandbox.wrap({ directory, readOnly, ...(excluded === undefined ? {} : { excluded }) });
  return [program, ...args, ...inShell];
}

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
