import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Command } from '@gateway/contract';
import { type CommandLimits, SANDBOX_SETTINGS, SANDBOX_SYSTEM } from '../../config/execution.ts';
import { MissingPart } from '../processes.ts';

/** Absolute paths of the programs a sandboxed command is started through. */
export interface Programs {
  readonly sh: string;
  readonly mkfifo: string;
  readonly prlimit: string;
  readonly setpriv: string;
  readonly bwrap: string;
  readonly chown: string;
}

const PACKAGES = {
  sh: 'dash',
  mkfifo: 'coreutils',
  prlimit: 'util-linux',
  setpriv: 'util-linux',
  bwrap: 'bubblewrap',
  chown: 'coreutils',
};

/** @param path directories as in the variable PATH; the standard ones are scanned besides. */
export function findPrograms(path: string): Programs {
  const directories = [...path.split(delimiter), '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'];
  const find = (name: keyof Programs): string => {
    const found = directories
      .filter((one) => one.startsWith('/'))
      .map((one) => join(one, name))
      .find(isProgram);
    if (found === undefined) {
      throw new MissingPart(`needs the program ${name}, which is not installed (package ${PACKAGES[name]})`);
    }
    return found;
  };
  return {
    sh: find('sh'),
    mkfifo: find('mkfifo'),
    prlimit: find('prlimit'),
    setpriv: find('setpriv'),
    bwrap: find('bwrap'),
    chown: find('chown'),
  };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const MASKED = ['/proc/cmdline', '/proc/keys', '/proc/kcore', '/proc/timer_list', '/proc/sched_debug'];
const exists = (path: string) => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** @param files directory for the few files the sandbox shows instead of the host's; made here. */
export function readHostView(files: string, readable: readonly string[]): HostView {
  // Not `recursive`: where the file system makes no directory (/proc), Node.js would try for ever.
  if (!exists(files)) mkdirSync(files, { mode: 0o755 });
  writeFileSync(join(files, 'passwd'), 'agent:x:1000:1000:agent:/workspace:/bin/sh\n', { mode: 0o644 });
  writeFileSync(join(files, 'group'), 'agent:x:1000:\n', { mode: 0o644 });
  writeFileSync(join(files, 'hosts'), '127.0.0.1 localhost sandbox\n::1 localhost\n', { mode: 0o644 });
  const system = SANDBOX_SYSTEM.flatMap((path) => {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    return entry === undefined ? [] : [{ path, link: entry.isSymbolicLink() ? readlinkSync(path) : null }];
  });
  return { system, settings: SANDBOX_SETTINGS.filter(exists), masked: MASKED.filter(exists), readable, files };
}

/**
 * Lets the sandboxes' users pass through the directory of all sessions, without listing it. Only the gateway's own
 * directory is changed; one above it that is closed is named instead.
 */
export function openPassage(workdir: string, { first, count }: UserIds): void {
  // A directory that belongs to the only user of all sandboxes is open to it.
  const isOpen = ({ mode, uid }: Stats) => (mode & 0o001) !== 0 || (count === 1 && uid === first);
  const entry = statSync(workdir);
  if (!isOpen(entry)) chmodSync(workdir, (entry.mode & 0o777) | 0o001);
  for (let above = dirname(workdir); ; above = dirname(above)) {
    if (!isOpen(statSync(above))) {
      throw new MissingPart(
        `cannot let the sandbox's user (uid ${first}) reach ${workdir}: ${above} may not be passed through by others (chmod o+x, or another GATEWAY_AGENT_WORKDIR)`,
      );
    }
    if (above === dirname(above)) return;
  }
}

/** Path of a session's directory inside the sandbox. */
const WORKSPACE = '/workspace';

/** What the sandbox takes from this host. Read once at start. */
export interface HostView {
  /** `/bin`, `/lib`, …: a link into `/usr` on most systems, a directory on others. */
  readonly system: readonly { readonly path: string; readonly link: string | null }[];
  /** Files and directories of `/etc` that programs need and that contain no secret. */
  readonly settings: readonly string[];
  /** Entries of `/proc` that describe the host and that nothing inside needs. */
  readonly masked: readonly string[];
  /** Further directories that the operator allows commands to read. */
  readonly readable: readonly string[];
  /** Made by the launcher: `passwd`, `group`, `hosts`. */
  readonly files: string;
}

/** Descriptors passed to the sandbox's programs (0 to 2 are the command's own). */
const FILTER_DESCRIPTOR = 3;
export const OPTIONS_DESCRIPTOR = 4;

const BASE_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: WORKSPACE,
  PWD: WORKSPACE,
  USER: 'agent',
  LOGNAME: 'agent',
  SHELL: '/bin/sh',
  LANG: 'C.UTF-8',
  TMPDIR: '/tmp',
};

/**
 * Options of `bwrap` for one command: its own view of the root, no network, its own process, user, mount, host name and
 * IPC namespaces, no capability, an environment of its own (commands-8).
 * They are read from a descriptor, so that no command line shows the host's paths or a variable's value.
 */
export function sandboxOptions(host: HostView, limits: CommandLimits, directory: string, command: Command): string[] {
  const bounded = ['--size', String(limits.temporary), '--perms', '1777', '--tmpfs'];
  const variables = new Map([...Object.entries(BASE_ENVIRONMENT), ...command.variables]);
  return [
    ['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup'],
    ['--uid', '1000', '--gid', '1000', '--hostname', 'sandbox', '--cap-drop', 'ALL'],
    ['--die-with-parent', '--new-session', '--seccomp', String(FILTER_DESCRIPTOR)],
    ['--clearenv'],
    ...[...variables].map(([name, value]) => ['--setenv', name, value]),
    ['--ro-bind', '/usr', '/usr'],
    ...host.system.map(({ path, link }) => (link === null ? ['--ro-bind', path, path] : ['--symlink', link, path])),
    ...[...host.settings, ...host.readable].map((path) => ['--ro-bind', path, path]),
    ...['passwd', 'group', 'hosts'].map((name) => ['--ro-bind', `${host.files}/${name}`, `/etc/${name}`]),
    ['--proc', '/proc'],
    ...host.masked.map((path) => ['--ro-bind', '/dev/null', path]),
    ['--dev', '/dev', ...bounded, '/dev/shm', '--remount-ro', '/dev'],
    [...bounded, '/tmp', '--symlink', '/tmp', '/var/tmp'],
    ['--bind', directory, WORKSPACE, '--chdir', WORKSPACE],
    // Last, for everything above makes its mount points in it. What is left to write is bounded.
    ['--remount-ro', '/'],
  ].flat();
}

/** Words that `bwrap` takes (its MAX_ARGS): its options, where they are read from, and the command's own. */
const MOST_WORDS = 9000;
const FURTHER_WORDS = ['--args', '4', '--', 'program'].length;
/** Bytes of one variable that Linux takes (MAX_ARG_STRLEN), its NUL included. */
const MOST_BYTES = 2 ** 17;

/** Whether the system accepts all of it: `bwrap` would fail like a command, with the message in the command's output. */
export function areTakeable(options: readonly string[], { arguments: args, variables }: Command): boolean {
  if (options.length + args.length + FURTHER_WORDS > MOST_WORDS) return false;
  return [...variables].every(([name, value]) => Buffer.byteLength(name) + Buffer.byteLength(value) + 2 <= MOST_BYTES);
}

/** User ids that sandboxes have outside of them, one for each subject. */
export interface UserIds {
  readonly first: number;
  readonly count: number;
}

/**
 * The ids of a range that this process can use: in a user namespace, as in most containers without privileges, unmapped ids do
 * not exist. At least one is tried, so that the start reports why it is unavailable.
 * @param map text of `/proc/self/uid_map`: first id inside, first id outside, count
 */
export function userIdsOf(first: number, count: number, map: string): UserIds {
  for (const line of map.split('\n')) {
    const [from = Number.NaN, , length = 0] = line.trim().split(/\s+/).map(Number);
    if (first >= from && first < from + length) return { first, count: Math.min(count, from + length - first) };
  }
  return { first, count: 1 };
}

export function readUserMap(): string {
  try {
    return readFileSync('/proc/self/uid_map', 'utf8');
  } catch {
    return '';
  }
}

export function formatIds({ first, count }: UserIds): string {
  return count === 1
    ? `user id ${first}, which all of them share`
    : `user ids ${first} to ${first + count - 1}, one for each subject`;
}
