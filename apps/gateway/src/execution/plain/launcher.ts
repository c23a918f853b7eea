import { spawn } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Command } from '@gateway/contract';
import { endLeftovers, MARK, markOf, relativesOf, signalAll } from '../descendants.ts';
import { closedDescriptors, inheritedDescriptors } from '../inherited-descriptors.ts';
import type { LaunchedCommand, Launcher, ProcessEnd } from '../launcher.ts';

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** Milliseconds of silence after the end; only a process that hid itself keeps the outputs open longer. */
const LINGER = 2000;

const inherited = inheritedDescriptors();

/** Plain child processes, for hosts that sandbox elsewhere. */
export function processLauncher(): Launcher {
  endLeftovers();
  return LAUNCHER;
}

const LAUNCHER: Launcher = {
  announcements: [
    'Agent commands run as plain processes with the rights of the gateway: nothing sandboxes them (GATEWAY_AGENT_LAUNCHER=process).',
  ],
  prepareDirectory: (directory) => chmod(directory, 0o700),
  async launch(identifier, command, directory) {
    const mark = markOf(identifier);
    const child = spawn(command.interpreter, [...command.arguments], {
      cwd: directory,
      env: environmentOf(command, directory, mark),
      detached: true,
      stdio: closedDescriptors(['ignore', 'pipe', 'pipe'], inherited),
    });
    return launched(child, mark);
  },
};

/** Nothing of the gateway's own environment: it holds the database's address and the providers' keys. */
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

function launched(child: ReturnType<typeof spawn>, mark: string): LaunchedCommand {
  const { pid, stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('the command was started without its outputs');
  let exited = false;
  const signal = (name: NodeJS.Signals) => {
    // Once it has been waited for, its number may be another program's.
    if (pid !== undefined && !exited) signalAll(relativesOf(pid, mark), name);
  };
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once('error', (error) => {
      if (pid === undefined)
        resolve({ code: null, signal: null, fault: `The command could not be started: ${error.message}.` });
    });
    child.once('exit', () => {
      // As in a sandbox, nothing of a command outlives its first process.
      signal('SIGKILL');
      exited = true;
      closeWhenSilent([stdout, stderr]);
    });
    child.once('close', (code, name) => resolve({ code, signal: name, fault: null }));
  });
  return { stdout, stderr, ended, terminate: () => signal('SIGTERM'), kill: () => signal('SIGKILL') };
}

/** Closes outputs that nothing is read from any more although their reader would take it. */
function closeWhenSilent(outputs: readonly Readable[]): void {
  let heard = true;
  for (const output of outputs) {
    output.on('data', () => {
      heard = true;
    });
  }
  const timer = setInterval(() => {
    if (!heard && !outputs.some((output) => output.isPaused())) {
      for (const output of outputs) output.destroy();
    }
    if (outputs.every((output) => output.closed)) clearInterval(timer);
    heard = false;
  }, LINGER);
}
