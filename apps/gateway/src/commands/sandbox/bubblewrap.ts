import { execFile, spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { chmod, chown, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import type { Command } from '@gateway/contract';
import type { CommandLimits } from '../../config/execution.ts';
import type { LaunchedCommand, Launcher } from '../launcher.ts';
import { type Piped, PipeSupply, startPiped } from '../pipes.ts';
import {
  childrenSeen,
  closeInherited,
  descendantsThisTurn,
  endAll,
  leftovers,
  MARK,
  MissingPart,
  markOf,
  orphanAnnouncements,
  readInheritedDescriptors,
  readMarkedNow,
  signalAll,
} from '../processes.ts';
import { type CommandGroups, ControlGroups, findHierarchies, type Hierarchy, RESOURCES } from './control-groups.ts';
import {
  areTakeable,
  findPrograms,
  formatIds,
  type HostView,
  OPTIONS_DESCRIPTOR,
  openPassage,
  type Programs,
  readHostView,
  readUserMap,
  sandboxOptions,
  type UserIds,
  userIdsOf,
} from './host.ts';
import { ARCHITECTURES, systemCallFilter } from './system-call-filter.ts';

const run = promisify(execFile);

/** Milliseconds until a signal that found no process is sent again. */
const AGAIN = 25;
/** Milliseconds that outputs may stay open after the sandbox's end. */
const LINGER = 200;

/** Enters the control groups named before `--`, becomes the first to go when memory runs out, then the rest of the line. */
const ENTER =
  'echo 1000 >/proc/self/oom_score_adj; while [ "$1" != -- ]; do echo 0 >"$1" || exit 125; shift; done; shift; exec "$@"';

export interface BubblewrapSettings {
  readonly workdir: string;
  readonly limits: CommandLimits;
  /** Concurrent commands, for the limit over all of them. */
  readonly commands: number;
  /** First user id that sandboxes have outside, where the gateway runs as root and can give them one, and how many there are. */
  readonly user: number;
  readonly users: number;
  readonly readable: readonly string[];
  /** The variable PATH, to find the programs in. */
  readonly path: string;
}

/**
 * A sandbox per command: `setpriv` to an unprivileged user, then bubblewrap.
 * @param hierarchies control groups of this host
 * @throws MissingPart naming what this host lacks
 */
export async function bubblewrapLauncher(
  settings: BubblewrapSettings,
  hierarchies: readonly Hierarchy[] = findHierarchies(),
): Promise<Launcher> {
  await endAll(leftovers);
  const launcher = new BubblewrapLauncher(settings, ControlGroups.among(hierarchies));
  try {
    await launcher.prove();
  } catch (error) {
    await launcher.close();
    throw error;
  }
  return launcher;
}

class BubblewrapLauncher implements Launcher {
  readonly #settings: BubblewrapSettings;
  readonly #programs: Programs;
  readonly #host: HostView;
  readonly #filter: string;
  readonly #groups: ControlGroups;
  readonly #pipes: PipeSupply;
  readonly #inherited = readInheritedDescriptors();
  /** Null where the gateway is not root: the sandboxes then have the gateway's own user outside. */
  readonly #users: UserIds | null;

  constructor(settings: BubblewrapSettings, groups: ControlGroups) {
    const architecture = ARCHITECTURES[process.arch];
    if (process.platform !== 'linux') throw new MissingPart('needs Linux');
    if (architecture === undefined)
      throw new MissingPart(`has no system call filter for the processor ${process.arch}`);
    this.#settings = settings;
    this.#programs = findPrograms(settings.path);
    this.#users = process.getuid?.() === 0 ? userIdsOf(settings.user, settings.users, readUserMap()) : null;
    if (this.#users !== null) openPassage(settings.workdir, this.#users);
    const files = join(settings.workdir, '.sandbox');
    this.#host = readHostView(files, settings.readable);
    this.#filter = join(files, 'system-call-filter');
    writeFileSync(this.#filter, systemCallFilter(architecture), { mode: 0o644 });
    this.#groups = groups;
    this.#pipes = new PipeSupply(settings.workdir, this.#programs.mkfifo);
  }

  get announcements(): readonly string[] {
    const missing = RESOURCES.filter((resource) => !this.#groups.resources.includes(resource));
    return [
      ...orphanAnnouncements(),
      `Agent commands run in bubblewrap sandboxes${this.#users === null ? '' : ` as ${formatIds(this.#users)}`}.`,
      ...(this.#users === null
        ? [
            'The gateway is not root, so the sandboxes run with its own user id: a way out of one would have the rights of the gateway.',
          ]
        : []),
      ...(missing.length === 0
        ? []
        : [
            `No control group can be made for ${missing.join(', ')}: these limits hold for each process of a command, not for all together.`,
          ]),
    ];
  }

  /** Runs a command that does nothing, so that a missing requirement shows at the start and not at the first call. */
  async prove(): Promise<void> {
    const nothing: Command = {
      session: '',
      parentSession: null,
      interpreter: 'true',
      arguments: [],
      variables: new Map(),
      silent: false,
    };
    const proof = await this.launch(
      'proof',
      nothing,
      join(this.#settings.workdir, '.sandbox'),
      this.#settings.limits.disk,
    );
    const output: Buffer[] = [];
    const ignore = () => {};
    proof.stderr.read((piece) => output.push(Buffer.from(piece)), ignore);
    proof.stdout.read(ignore, ignore);
    const { code, fault } = await proof.ended;
    if (code === 0) return;
    const reason = fault ?? Buffer.concat(output).toString('utf8').trim().split('\n').at(-1);
    throw new MissingPart(`cannot make a sandbox on this host: ${reason === '' ? `exit code ${code}` : reason}`);
  }

  async prepareDirectory(directory: string, slot: number): Promise<void> {
    await chmod(directory, 0o700);
    if (this.#users === null) return;
    const user = this.#users.first + (slot % this.#users.count);
    const { uid } = await stat(directory);
    if (uid === user) return;
    // A new one is empty; any other changes owner with all its contents, including links themselves.
    if (uid === process.getuid?.()) await chown(directory, user, user);
    else await run(this.#programs.chown, ['-hR', `${user}:${user}`, directory]);
  }

  /** The user that a directory was prepared for. */
  async #userOf(directory: string): Promise<number | null> {
    if (this.#users === null) return null;
    const { first, count } = this.#users;
    const { uid } = await stat(directory);
    return uid >= first && uid < first + count ? uid : first;
  }

  async launch(identifier: string, command: Command, directory: string, room: number): Promise<LaunchedCommand> {
    const made = sandboxOptions(this.#host, this.#settings.limits, directory, command);
    if (!areTakeable(made, command))
      throw Object.assign(new Error('too many arguments and variables, or too long'), { code: 'E2BIG' });
    const sandbox = { user: await this.#userOf(directory), room };
    const groups = await this.#groups.create(identifier, this.#settings.limits);
    try {
      return toLaunchedCommand(
        await this.#start(identifier, command, made, groups, sandbox),
        markOf(identifier),
        groups,
      );
    } catch (error) {
      await groups.remove();
      throw error;
    }
  }

  /** @param options of `bwrap` @throws where the system does not start it, such as for arguments that are too long */
  async #start(
    identifier: string,
    command: Command,
    options: readonly string[],
    groups: CommandGroups,
    sandbox: SandboxBounds,
  ): Promise<Piped> {
    const filter = openSync(this.#filter, 'r');
    try {
      const started = await startPiped(this.#pipes, sandbox.user, (stdout, stderr) =>
        spawn(this.#programs.sh, this.#args(groups, command, sandbox), {
          cwd: '/',
          // Of the programs that make the sandbox; the command's own is made again (--clearenv).
          env: { [MARK]: markOf(identifier) },
          // A process group of its own: a Ctrl-C in the gateway's terminal is the gateway's to pass on.
          detached: true,
          stdio: closeInherited(['ignore', stdout, stderr, filter, 'pipe'], this.#inherited),
        }),
      );
      const reader = started.child.stdio[OPTIONS_DESCRIPTOR] as Writable;
      reader.on('error', () => {}); // It ended before it read them; its exit has the cause.
      reader.end(options.join('\0').concat('\0'));
      return started;
    } finally {
      closeSync(filter);
    }
  }

  close(): Promise<void> {
    return this.#pipes.close();
  }

  #args(groups: CommandGroups, command: Command, sandbox: SandboxBounds): string[] {
    const { prlimit, setpriv, bwrap } = this.#programs;
    return [
      ['-c', ENTER, 'enter', ...groups.entrances, '--'],
      [prlimit, ...this.#resourceLimits(sandbox), '--'],
      [setpriv, ...privilegesOf(sandbox.user), '--'],
      [bwrap, '--args', String(OPTIONS_DESCRIPTOR), '--'],
      [command.interpreter, ...command.arguments],
    ].flat();
  }

  /** Limits of each process; where a control group is missing, they replace it as far as they can. */
  #resourceLimits({ user, room }: SandboxBounds): string[] {
    const { limits, commands } = this.#settings;
    const { resources } = this.#groups;
    const args = ['--core=0', `--nofile=${limits.descriptors}`, `--fsize=${Math.min(limits.disk, room)}`];
    if (!resources.includes('memory')) args.push(`--data=${limits.memory}`);
    if (!resources.includes('cpu')) args.push(`--cpu=${Math.ceil((limits.duration / 1000) * limits.processors)}`);
    // The kernel counts processes per user of the host, so this one bounds all commands together.
    if (!resources.includes('pids')) args.push(`--nproc=${limits.processes}`);
    else if (user !== null) args.push(`--nproc=${limits.processes * commands}`);
    return args;
  }
}

/** What differs from one sandbox to the next. */
interface SandboxBounds {
  /** Outside; null where it is the gateway's own. */
  readonly user: number | null;
  /** Maximum size of a file in bytes. */
  readonly room: number;
}

function privilegesOf(user: number | null): string[] {
  if (user === null) return ['--pdeathsig=KILL', '--no-new-privs'];
  const own = ['--pdeathsig=KILL', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
  return [...own, '--inh-caps=-all', '--bounding-set=-all', '--no-new-privs'];
}

function toLaunchedCommand(
  { child, stdout, stderr, ended: over }: Piped,
  mark: string,
  groups: CommandGroups,
): LaunchedCommand {
  const { pid } = child;
  let closed = false;
  let killed = false;
  // Once it has been waited for, its number may be another program's.
  const first = () => (child.exitCode === null && child.signalCode === null ? (pid ?? null) : null);
  /**
   * Repeats until the outputs are closed: a namespace's first process is in no list while it is being created. If bwrap ends at
   * that moment, only its mark identifies it.
   */
  const kill = () => {
    killed = true;
    if (closed) return;
    const root = first();
    signalAll([...(root === null ? [] : [root, ...descendantsThisTurn(root)]), ...readMarkedNow(mark)], 'SIGKILL');
    setTimeout(kill, AGAIN);
  };
  const terminate = () => {
    const root = first();
    if (root === null || killed) return;
    // bwrap and the namespace's first process must survive the signal: their end ends all processes at once.
    const inside = descendantsThisTurn(root).slice(1);
    if (inside.length > 0) signalAll(inside, 'SIGTERM');
    else setTimeout(terminate, AGAIN);
  };
  // Its end ends all processes. If one still has the outputs open, they are looked for once.
  child.once('exit', () => {
    setTimeout(() => {
      if (!closed) signalAll(readMarkedNow(mark), 'SIGKILL');
    }, LINGER);
  });
  const ended = over.then(async ({ code, signal, failure }) => {
    closed = true;
    const memory = (await groups.outOfMemory()) ? 'The command met its limit of memory.' : null;
    await groups.remove();
    return { code, signal, fault: failure === null ? memory : `The sandbox could not be started: ${failure.message}.` };
  });
  const processes = async () => {
    const root = first();
    return root === null ? [] : childrenSeen(root);
  };
  return { stdout, stderr, ended, processes, terminate, kill };
}
