import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { codeOf, printable, type Reading, type Variable, wholeNumber } from '@gateway/configuration';

const MEBIBYTE = 2 ** 20;
const MOST_MEBIBYTES = 2 ** 20;

const launcher: Variable = {
  name: 'GATEWAY_AGENT_LAUNCHER',
  form: 'bubblewrap or process',
  fallback: 'no agent commands are run (501)',
  effect:
    'How agent commands run: each in a bubblewrap sandbox, or as plain processes on a host that sandboxes the gateway itself.',
};
const workdir: Variable = {
  name: 'GATEWAY_AGENT_WORKDIR',
  form: 'the path of a directory that exists and that the gateway may write',
  fallback: 'required with GATEWAY_AGENT_LAUNCHER',
  effect: 'Holds one folder for each subject and session, deleted when the session or the subject is revoked.',
};
const commands = wholeNumber({
  name: 'GATEWAY_AGENT_MAX_COMMANDS',
  least: 1,
  most: 10_000,
  fallback: 16,
  effect: 'Concurrent agent commands of this gateway; a subject runs at most 4. One more gets 429.',
});
const seconds = wholeNumber({
  name: 'GATEWAY_AGENT_TIMEOUT_SECONDS',
  of: 'seconds',
  least: 1,
  most: 86_400,
  fallback: 1800,
  effect: 'Longest duration of an agent command.',
});
const output = wholeNumber({
  name: 'GATEWAY_AGENT_OUTPUT_MIB',
  of: 'MiB',
  least: 1,
  most: 65_536,
  fallback: 128,
  effect: 'Maximum output of an agent command, standard output and standard error together.',
});
const disk = wholeNumber({
  name: 'GATEWAY_AGENT_DISK_MIB',
  of: 'MiB',
  least: 1,
  most: 2 ** 20,
  fallback: 2048,
  effect: "Maximum size of a session's folder. A command that writes more is ended.",
});
const subjectDisk: Variable = {
  name: 'GATEWAY_AGENT_SUBJECT_DISK_MIB',
  form: 'whole number of MiB, at least GATEWAY_AGENT_DISK_MIB, at most 1048576',
  fallback: 'four times GATEWAY_AGENT_DISK_MIB',
  effect:
    'Maximum size of all session folders of a subject. Above it, commands can only remove files; one that writes more is ended.',
};
const memory = wholeNumber({
  name: 'GATEWAY_AGENT_MEMORY_MIB',
  of: 'MiB',
  least: 16,
  most: 2 ** 20,
  fallback: 2048,
  effect: 'Maximum memory of a sandboxed command, all its processes and temporary files together.',
});
const processes = wholeNumber({
  name: 'GATEWAY_AGENT_PROCESSES',
  least: 8,
  most: 32_768,
  fallback: 256,
  effect: 'Maximum number of processes and threads of a sandboxed command.',
});
const processors = wholeNumber({
  name: 'GATEWAY_AGENT_PROCESSORS',
  least: 1,
  most: 1024,
  fallback: 2,
  effect: 'Maximum number of processors of a sandboxed command.',
});
const user = wholeNumber({
  name: 'GATEWAY_AGENT_USER_ID',
  least: 1,
  most: 2 ** 31 - 1,
  fallback: 60_999,
  effect:
    'First user id of the sandboxes on the host, if the gateway runs as root. Nothing else on the host may use it.',
});
const users = wholeNumber({
  name: 'GATEWAY_AGENT_USER_IDS',
  least: 1,
  most: 65_536,
  fallback: 185,
  effect:
    'Number of user ids for sandboxes from GATEWAY_AGENT_USER_ID. Each subject gets its own as long as there are enough. The default ends before the ids of systemd.',
});
const readable: Variable = {
  name: 'GATEWAY_AGENT_READABLE',
  form: 'absolute paths separated by colons, for example /opt/toolchain:/opt/jdk',
  fallback: 'nothing but /usr and a few files of /etc',
  effect:
    'More folders of the host that sandboxed commands may read, at the same path. A folder that contains GATEWAY_AGENT_WORKDIR, or is in it, is refused.',
};

export const EXECUTION_VARIABLES: readonly Variable[] = [
  launcher,
  workdir,
  commands,
  seconds,
  output,
  disk,
  subjectDisk,
  memory,
  processes,
  processors,
  user,
  users,
  readable,
];

const LAUNCHERS = ['bubblewrap', 'process'] as const;

/** How agent commands are run (commands-8). */
export interface ExecutionConfiguration {
  readonly launcher: (typeof LAUNCHERS)[number];
  readonly workdir: string;
  /** Maximum number of concurrent commands. */
  readonly commands: number;
  readonly limits: CommandLimits;
  /** First user id of sandboxes, and how many there are. */
  readonly user: number;
  readonly users: number;
  readonly readable: readonly string[];
}

/** Null where no launcher is named, and after a fault (refusals-27). */
export function readExecution(reading: Reading): ExecutionConfiguration | null {
  const name = reading.text(launcher);
  const offered = LAUNCHERS.find((one) => one === name);
  if (name !== null && offered === undefined) {
    reading.fault(launcher, `must be ${launcher.form}, not ${printable(name)}.`);
  }
  const perSession = reading.wholeNumber(disk);
  const limits: CommandLimits = {
    ...FIXED_LIMITS,
    duration: 1000 * reading.wholeNumber(seconds),
    output: MEBIBYTE * reading.wholeNumber(output),
    disk: MEBIBYTE * perSession,
    subjectDisk: MEBIBYTE * readSubjectDisk(reading, perSession),
    memory: MEBIBYTE * reading.wholeNumber(memory),
    processes: reading.wholeNumber(processes),
    processors: reading.wholeNumber(processors),
  };
  const most = reading.wholeNumber(commands);
  const ids = { user: reading.wholeNumber(user), users: reading.wholeNumber(users) };
  const directory = name === null ? null : readWorkdir(reading);
  const paths = readReadable(reading, directory);
  if (offered === undefined || directory === null) return null;
  return { launcher: offered, workdir: directory, commands: most, limits, ...ids, readable: paths };
}

/** @param perSession the limit of one session, in MiB as the result */
function readSubjectDisk(reading: Reading, perSession: number): number {
  const text = reading.text(subjectDisk);
  if (text === null) return 4 * perSession;
  const value = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= perSession && value <= MOST_MEBIBYTES) return value;
  reading.fault(subjectDisk, `must be a ${subjectDisk.form} (${perSession}), not ${printable(text)}.`);
  return perSession;
}

function readWorkdir(reading: Reading): string | null {
  const text = reading.text(workdir);
  if (text === null) {
    reading.fault(workdir, `is not set although GATEWAY_AGENT_LAUNCHER is. Set it to ${workdir.form}.`);
    return null;
  }
  const path = resolve(text);
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    if (statSync(path).isDirectory()) return path;
    reading.fault(workdir, `is not a directory: ${printable(text)}.`);
  } catch (error) {
    reading.fault(workdir, `names a directory that cannot be used (${codeOf(error)}): ${printable(text)}.`);
  }
  return null;
}

/** Sessions share a user id outside of their sandboxes: what shows their directories would show each of them all the others. */
function readReadable(reading: Reading, directory: string | null): readonly string[] {
  const paths = (reading.text(readable) ?? '').split(':').filter((path) => path !== '');
  for (const path of paths) {
    if (!path.startsWith('/')) reading.fault(readable, `must contain ${readable.form}, not ${printable(path)}.`);
    else if (statSync(path, { throwIfNoEntry: false }) === undefined) {
      reading.fault(readable, `names what does not exist: ${printable(path)}.`);
    } else if (directory !== null && overlap(realpathSync(path), realpathSync(directory))) {
      reading.fault(
        readable,
        `would show the sessions' directories (GATEWAY_AGENT_WORKDIR) to every command: ${printable(path)}.`,
      );
    }
  }
  return paths;
}

/** Whether one of two directories equals or contains the other. */
function overlap(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => (path.endsWith('/') ? path : `${path}/`)) as [string, string];
  return a.startsWith(b) || b.startsWith(a);
}

/** Directories and links of the system that every sandbox shows, where this host has them. */
export const SANDBOX_SYSTEM = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
/** Settings of the host that every sandbox shows, where it has them. */
export const SANDBOX_SETTINGS = [
  '/etc/ld.so.cache',
  '/etc/alternatives',
  '/etc/ssl/certs',
  '/etc/localtime',
  '/etc/nsswitch.conf',
];

/** The paths of this host that every sandbox shows, besides the operator's. */
export function listAlwaysShown(): readonly string[] {
  return ['/usr', ...SANDBOX_SYSTEM, ...SANDBOX_SETTINGS].filter(
    (path) => statSync(path, { throwIfNoEntry: false }) !== undefined,
  );
}

/** What one command may take (commands-8). The launcher enforces the first group, the run the second. */
export interface CommandLimits {
  /** Bytes of memory of all its processes together, its temporary files included. */
  readonly memory: number;
  /** Maximum number of processes and threads. */
  readonly processes: number;
  /** Processors' worth of time. */
  readonly processors: number;
  /** Open descriptors of one process. */
  readonly descriptors: number;
  /** Bytes of `/tmp`, and of `/dev/shm`. */
  readonly temporary: number;
  /** Bytes in the session's directory, all its commands together. */
  readonly disk: number;
  /** Bytes in all directories of a subject's sessions together. */
  readonly subjectDisk: number;
  /** Files and directories in the session's directory. */
  readonly files: number;

  /** Milliseconds from start to end. */
  readonly duration: number;
  /** Bytes of both outputs together. */
  readonly output: number;
}

/** Those that no variable sets. */
export const FIXED_LIMITS = { descriptors: 1024, temporary: 256 * MEBIBYTE, files: 500_000 };
