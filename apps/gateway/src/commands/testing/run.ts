import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Command, CommandEvent } from '@gateway/contract';
import { type CommandLimits, FIXED_LIMITS } from '../../config/execution.ts';
import { inspectorUnder } from '../../testing/inspector.ts';
import type { Launcher } from '../launcher.ts';
import { type CommandEnd, RunningCommand } from '../running-command.ts';
import { eventsOf, outputOf } from './events.ts';

/** Small, so that a test reaches its limit soon and does not disturb other tests. */
export const SMALL: CommandLimits = {
  ...FIXED_LIMITS,
  memory: 96 * 2 ** 20,
  processes: 40,
  processors: 1,
  temporary: 8 * 2 ** 20,
  disk: 16 * 2 ** 20,
  subjectDisk: 64 * 2 ** 20,
  files: 500,
  duration: 60_000,
  output: 16 * 2 ** 20,
};

/**
 * User id of sandboxes, where the tests run as root. The kernel counts processes per user, so each process of the tests has
 * one of its own: what another one runs at the same time takes nothing from its limits.
 */
export const SANDBOX_USER = 20_000 + (process.pid % 40_000);

export const shell = (script: string, more: Partial<Command> = {}): Command => ({
  session: 'test',
  parentSession: null,
  interpreter: 'sh',
  arguments: ['-c', script],
  variables: new Map(),
  silent: false,
  ...more,
});

/** A directory with access for all users, as an operator makes one. */
export async function makeWorkdir(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'gateway-work-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

export interface Finished {
  readonly events: readonly CommandEvent[];
  readonly stdout: string;
  readonly stderr: string;
  readonly end: CommandEnd;
}

let count = 0;

/** Starts a command and returns the run while it continues. */
export async function begin(launcher: Launcher, workdir: string, command: Command, limits: CommandLimits = SMALL) {
  count += 1;
  const identifier = `test-${process.pid}-${count}`;
  const directory = join(workdir, command.session);
  await mkdir(directory, { recursive: true });
  await launcher.prepareDirectory(directory, 0);
  const launched = await launcher.launch(identifier, command, directory, limits.subjectDisk);
  const caller = new PassThrough({ highWaterMark: 2 ** 16 });
  const run = new RunningCommand(launched, caller, {
    identifier,
    session: command.session,
    directory,
    startedAt: new Date(),
    silent: command.silent,
    limits,
    together: { most: limits.subjectDisk, before: 0, others: () => 0, measured() {} },
    inspector: inspectorUnder(null),
    found: () => {},
  });
  return { run, caller, launched, directory };
}

/** Everything that a caller received, once the stream has ended. */
export async function collect({ run, caller }: { run: RunningCommand; caller: PassThrough }): Promise<Finished> {
  const events = await eventsOf(caller);
  const output = (flux: string) => outputOf(events, flux).toString('latin1');
  return { events, stdout: output('stdout'), stderr: output('stderr'), end: await run.ended };
}

export const runToEnd = async (...words: Parameters<typeof begin>): Promise<Finished> => collect(await begin(...words));
