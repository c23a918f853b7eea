import type { Command } from '@gateway/contract';
import type { CommandLimits } from '../../config/command-limits.ts';

/** Path of a session's directory inside the sandbox. */
export const WORKSPACE = '/workspace';

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
