import { spawn } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import type { Command } from '@gateway/contract';
import { type CommandOutput, type Piped, PipeSupply, startPiped } from './pipes.ts';
import {
  childrenSeen,
  closeInherited,
  endAll,
  leftovers,
  MARK,
  markOf,
  orphanAnnouncements,
  readInheritedDescriptors,
  readMarked,
  readMarkedNow,
  relativesOf,
  signalAll,
} from './processes.ts';

/** How a command's processes ended. */
export interface ProcessEnd {
  /** Exit code; null where a signal ended it or it never ran. */
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it never ran, or which limit of the launcher ended it: one sentence for its caller. */
  readonly fault: string | null;
}

/** A command whose processes run. */
export interface LaunchedCommand {
  readonly stdout: CommandOutput;
  readonly stderr: CommandOutput;
  /** Settles once no process of the command is left and both outputs are read to their end. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Ids of its processes, as far as they can be read without blocking anything else. */
  processes(): Promise<readonly number[]>;
  /** SIGTERM to the whole descendance. */
  terminate(): void;
  /** SIGKILL to the whole descendance. */
  kill(): void;
}

/** Starts commands: in a sandbox, or as plain processes (commands-8). */
export interface Launcher {
  /** What an operator reads at start: how commands run, and what is not limited on this host. */
  readonly announcements: readonly string[];
  /**
   * Makes a session's directory usable by its commands.
   * @param slot number of its subject among those of this host, from 0 on: a sandbox gives each a user id of its own
   */
  prepareDirectory(directory: string, slot: number): Promise<void>;
  /**
   * @param identifier of the command, unique on this host. A failure to start is an end with a fault, not a rejection.
   * @param directory of the session, prepared
   * @param room bytes that a file of the command may have, within its disk limit
   */
  launch(identifier: string, command: Command, directory: string, room: number): Promise<LaunchedCommand>;
  /** Releases prepared resources. Called once no command runs; none can be launched afterwards. */
  close(): Promise<void>;
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** Milliseconds of silence after the end; only a process that hid itself keeps the outputs open longer. */
const LINGER = 2000;

const inherited = readInheritedDescriptors();

/**
 * Plain child processes, for hosts with a sandbox of their own.
 * @param workdir where pipes for their outputs may be made @throws where none can be made
 */
export async function processLauncher(workdir: string): Promise<Launcher> {
  await endAll(leftovers);
  const pipes = new PipeSupply(workdir, 'mkfifo');
  await pipes.fill();
  return {
    announcements: [
      ...orphanAnnouncements(),
      'Agent commands run as plain processes with the rights of the gateway: nothing sandboxes them (GATEWAY_AGENT_LAUNCHER=process).',
    ],
    prepareDirectory: (directory) => chmod(directory, 0o700),
    async launch(identifier, command, directory) {
      const mark = markOf(identifier);
      const started = await startPiped(pipes, null, (stdout, stderr) =>
        spawn(command.interpreter, [...command.arguments], {
          cwd: directory,
          env: environmentOf(command, directory, mark),
          detached: true,
          stdio: closeInherited(['ignore', stdout, stderr], inherited),
        }),
      );
      return toLaunchedCommand(started, mark);
    },
    close: () => pipes.close(),
  };
}

/** Nothing of the gateway's own environment: it has the database's address and the providers' keys. */
function environmentOf(command: Command, directory: string, mark: string): NodeJS.ProcessEnv {
  return {
    PATH,
    HOME: directory,
    PWD: directory,
    LANG: 'C.UTF-8',
    ...Object.fromEntries(command.variables),
    [MARK]: mark,
  };
}

function toLaunchedCommand({ child, stdout, stderr, ended }: Piped, mark: string): LaunchedCommand {
  const { pid } = child;
  let exited = false;
  // Once it has been waited for, its number may be another program's.
  const relatives = () => (pid === undefined || exited ? [] : relativesOf(pid, mark));
  const signal = (name: NodeJS.Signals) => signalAll(relatives(), name);
  let remainder = Promise.resolve();
  child.once('exit', () => {
    // As in a sandbox, nothing of a command outlives its first process.
    const left = relatives();
    signalAll(left, 'SIGKILL');
    if (left.length > 0) remainder = endAll(() => readMarkedNow(mark));
    exited = true;
    closeWhenSilent([stdout, stderr]);
  });
  return {
    stdout,
    stderr,
    ended: ended.then(async ({ code, signal: name, failure }) => {
      await remainder;
      const fault = failure === null ? null : `The command could not be started: ${failure.message}.`;
      return { code, signal: name, fault };
    }),
    processes: async () =>
      pid === undefined || exited ? [] : [...new Set([pid, ...(await childrenSeen(pid)), ...(await readMarked(mark))])],
    terminate: () => signal('SIGTERM'),
    kill: () => signal('SIGKILL'),
  };
}

/** Closes outputs that nothing is read from any more although their reader would take it. */
function closeWhenSilent(outputs: readonly CommandOutput[]): void {
  let previous = outputs.map(({ bytes }) => bytes);
  const timer = setInterval(() => {
    const now = outputs.map(({ bytes }) => bytes);
    const silent = now.every((bytes, index) => bytes === previous[index]);
    if (silent && !outputs.some(({ isPaused }) => isPaused)) for (const output of outputs) output.destroy();
    previous = now;
  }, LINGER);
  Promise.all(outputs.map(({ closed }) => closed)).then(
    () => clearInterval(timer),
    () => {},
  );
}
