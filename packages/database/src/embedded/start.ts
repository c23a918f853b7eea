import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCode, errorMessage } from '@gateway/contract/error-code';
import { parseDatabaseAddress, withPool } from '../client/connect.ts';
import { postgresBinaries, SYSTEM_FOLDER } from './binaries.ts';
import { onFreePort, type ServiceUser, serviceUser } from './service-user.ts';

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** The output of `ps` for a process; empty without such a process, or without `ps` (a slim container has only /proc). */
function readProcessColumn(column: string, pid: number): string {
  try {
    return execFileSync('ps', ['-ww', '-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

/** The fields of /proc/PID/stat after the command, which may contain anything: state first. Null without /proc. */
function stat(pid: number): readonly string[] | null {
  const text = contentOf(`/proc/${pid}/stat`);
  return text === null ? null : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Whether a process runs. One that has ended, but is not reaped yet, does not. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return false;
  }
  return !['Z', 'X'].includes(stat(pid)?.[0] ?? '');
}

/** The command line of a process; empty without such a process. */
export function commandOf(pid: number): string {
  return contentOf(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? readProcessColumn('command', pid);
}

/** What PostgreSQL writes about itself into postmaster.pid (src/include/utils/pidfile.h). */
interface Postmaster {
  readonly pid: number;
  readonly ready: boolean;
}

function pidFile(data: string): string {
  return join(data, 'postmaster.pid');
}

export function readPostmaster(data: string): Postmaster | null {
  let lines: string[];
  try {
    lines = readFileSync(pidFile(data), 'utf8').split('\n');
  } catch {
    return null;
  }
  const pid = Number(lines[0]);
  return pid > 0 ? { pid, ready: lines[7]?.trim() === 'ready' } : null;
}

/** Waits for the end of a process; false when it takes longer. */
export async function goneWithin(pid: number, milliseconds: number): Promise<boolean> {
  const end = Date.now() + milliseconds;
  for (;;) {
    if (!runs(pid)) return true;
    if (Date.now() > end) return false;
    await pause(20);
  }
}

/**
 * Prepares a start. A server left by an earlier run (which was killed) is stopped in order. A pid file without its server (which
 * was killed) is removed: PostgreSQL would not start if another process has that number.
 */
export async function clearLeftover(data: string): Promise<void> {
  const left = readPostmaster(data);
  if (!left) return;
  if (left.pid !== process.pid && commandOf(left.pid).includes(data)) {
    process.kill(left.pid, 'SIGCONT');
    process.kill(left.pid, 'SIGINT');
    if (!(await goneWithin(left.pid, 15_000))) {
      process.kill(left.pid, 'SIGQUIT');
      await goneWithin(left.pid, 10_000);
    }
  }
  rmSync(pidFile(data), { force: true });
}

function enters(folder: string, user: ServiceUser): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], { ...user, cwd: '/' }).status === 0;
}

/**
 * The folder that really contains the server's data. For an ordinary user it is the requested folder. For root the server runs as
 * another user, who cannot enter a private folder (/root): the data is then under /var/lib, and the requested folder is a
 * symbolic link to it, so that users can find, move and delete it.
 */
export function reachableFolder(directory: string, user: ServiceUser | null): string {
  const asked = resolve(directory);
  if (!user) return asked;
  mkdirSync(dirname(asked), { recursive: true });
  if (existsSync(asked)) {
    const target = linkTarget(asked);
    if (target) return target;
  } else {
    mkdirSync(asked);
  }
  chmodSync(asked, 0o711);
  if (enters(asked, user)) return asked;
  mkdirSync(SYSTEM_FOLDER, { recursive: true, mode: 0o755 });
  const folder = mkdtempSync(join(SYSTEM_FOLDER, 'data-')); // never a leftover of another checkout at this path
  chmodSync(folder, 0o711);
  symlinkSync(folder, join(asked, 'elsewhere'));
  return folder;
}

function linkTarget(asked: string): string | null {
  try {
    return resolve(asked, readlinkSync(join(asked, 'elsewhere')));
  } catch {
    return null;
  }
}

/** Makes a database of this name where the server has none. */
async function ensureDatabase(serverUrl: string, name: string): Promise<void> {
  const server = parseDatabaseAddress(serverUrl);
  await withPool(server, { max: 1, applicationName: 'gateway-embedded' }, async (sql) => {
    const [found] = await sql`select from pg_database where datname = ${name}`;
    if (!found) await sql`create database ${sql(name)}`;
  });
}

export interface EmbeddedOptions {
  /** Folder that keeps the data between starts. */
  readonly directory: string;
  /** TCP port on 127.0.0.1; 0: a free one. */
  readonly port: number;
  /** Name of the database in the owner's address. It is made where it is absent. */
  readonly database?: string;
  /** For root: the user that the server runs as, created where it can be. Default: `nobody`. */
  readonly user?: string;
  /** Server settings besides the defaults (name → value). */
  readonly settings?: Readonly<Record<string, string>>;
  /** false: for tests only; what is written may be lost when the machine stops. */
  readonly durable?: boolean;
}

export interface EmbeddedPostgres {
  /** Address with the owner's password. */
  readonly ownerUrl: string;
  readonly port: number;
  /** Process id of the server. */
  readonly pid: number;
  /** The server's own log. */
  readonly logFile: string;
  /** Resolves when the server ended, for any cause, with its exit code. */
  readonly ended: Promise<number | null>;
  /** Stops in order: running transactions are rolled back, everything committed is flushed. */
  stop(): Promise<void>;
}

function launch(
  bin: string,
  cluster: Cluster,
  user: ServiceUser | null,
  settings: Record<string, string>,
): ChildProcess {
  const log = openSync(cluster.log, 'w', 0o600);
  try {
    const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    return spawn(join(bin, 'postgres'), ['-D', cluster.data, ...words], {
      ...user,
      cwd: '/',
      detached: true, // Ctrl-C in a terminal reaches the whole group; the server is stopped last, by us
      stdio: ['ignore', log, log],
      env: { LC_ALL: 'C', TZ: 'UTC' },
    });
  } finally {
    closeSync(log);
  }
}

/** Waits for the server's own word that it takes connections (what `pg_ctl -w` does). */
async function ready(child: ChildProcess, ended: Promise<number | null>, cluster: Cluster): Promise<void> {
  const stillStarting = Symbol('still starting');
  let code: number | null | symbol = stillStarting;
  while (code === stillStarting) {
    const postmaster = readPostmaster(cluster.data);
    if (postmaster?.ready && postmaster.pid === child.pid) return;
    code = await Promise.race([ended, pause(10, stillStarting)]);
  }
  const lines = readFileSync(cluster.log, 'utf8').trim().split('\n');
  const cause = lines.find((line) => /\b(FATAL|PANIC)\b/.test(line)) ?? lines.at(-1) ?? '';
  throw new Error(`PostgreSQL did not start (exit code ${String(code)}): ${cause} The whole log: ${cluster.log}`);
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly port: number;
}

/** Processes of a server that was killed end by themselves, a moment after it; while one is there, no other server starts. */
const LEAVING = { text: 'shared memory block', pause: 100, attempts: 100 };

async function begin(
  bin: string,
  cluster: Cluster,
  user: ServiceUser | null,
  { port, durable = true, settings }: EmbeddedOptions,
): Promise<Running> {
  for (let attempt = 1; ; attempt += 1) {
    const child = launch(bin, cluster, user, {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: '',
      password_encryption: 'scram-sha-256',
      ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
      ...settings,
    });
    const ended = new Promise<number | null>((resolve) => {
      child.once('exit', (code) => resolve(code));
      child.once('error', () => resolve(null));
    });
    try {
      await ready(child, ended, cluster);
      return { child, ended, port };
    } catch (error) {
      const isLeaving = error instanceof Error && error.message.includes(LEAVING.text);
      if (!isLeaving || attempt === LEAVING.attempts) throw error;
      await pause(LEAVING.pause);
    }
  }
}

/**
 * Starts a real PostgreSQL from the npm packages, only on 127.0.0.1, with passwords (SCRAM-SHA-256) for all users and no Unix
 * socket. For root, the server runs as another user.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { durable = true, database = 'gateway' } = options;
  const user = serviceUser(options.user);
  const bin = postgresBinaries(user);
  const cluster = await openCluster(reachableFolder(options.directory, user), bin, user, durable);
  await clearLeftover(cluster.data);
  giveData(cluster.data, user);
  const on = (free: number) => begin(bin, cluster, user, { ...options, port: free });
  const { child, ended, port } = await (options.port === 0 ? onFreePort(on) : on(options.port));
  const { pid } = child;
  if (pid === undefined) throw new Error('PostgreSQL did not start');
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGCONT'); // a frozen server would not handle the next signal
      child.kill('SIGINT'); // fast shutdown
      if (!(await goneWithin(pid, 20_000))) child.kill('SIGQUIT');
      await ended;
    }
    await clearLeftover(cluster.data); // another process may have restarted the server on this data
  };
  const address = (name: string): string =>
    `postgres://${OWNER}:${encodeURIComponent(cluster.ownerPassword)}@127.0.0.1:${port}/${name}`;
  try {
    const isStandby = existsSync(join(cluster.data, 'standby.signal')); // its databases are the primary's
    if (!isStandby) await ensureDatabase(address('postgres'), database);
  } catch (error) {
    await stop();
    throw error;
  }
  return { ownerUrl: address(database), port, pid, logFile: cluster.log, ended, stop };
}

/** The superuser of the embedded server, who owns the database. */
const OWNER = 'gateway_owner';

/** Where one embedded server keeps what is its own. */
interface Cluster {
  readonly data: string;
  readonly log: string;
  readonly ownerPassword: string;
}

/** A file that an interrupted start left empty has no password yet. */
function passwordKept(file: string): string {
  if (!existsSync(file) || statSync(file).size === 0)
    writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

async function initialise(
  data: string,
  bin: string,
  password: string,
  user: ServiceUser | null,
  durable: boolean,
): Promise<void> {
  const passwordFile = `${data}.password`;
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) for (const path of [data, passwordFile]) chownSync(path, user.uid, user.gid);
  const options = [
    `--pgdata=${data}`,
    `--username=${OWNER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ];
  if (!durable) options.push('--no-sync');
  // Detached: Ctrl-C in a terminal reaches the whole process group, and would look like a fault of the server.
  const child = spawn(join(bin, 'initdb'), options, {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const fault = await Promise.all([ended, text(child.stderr)]).then(
    ([[status], said]) => (status === 0 ? null : said.trim()),
    errorMessage,
  );
  rmSync(passwordFile, { force: true });
  if (fault !== null) throw new Error(`PostgreSQL could not create its data folder ${data}: ${fault}`);
}

/** Gives the data of a stopped server to the user that it runs as now: an earlier start may have had another. */
function giveData(data: string, user: ServiceUser | null): void {
  if (user === null || statSync(data).uid === user.uid) return;
  const { status, stderr } = spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, data], { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`The data folder ${data} could not be given to the server's user: ${stderr.trim()}`);
}

/**
 * The server's folder, made at the first start. After an interruption it is made again: only `initialised`, written last, marks
 * it as complete.
 */
export async function openCluster(
  directory: string,
  bin: string,
  user: ServiceUser | null,
  durable: boolean,
): Promise<Cluster> {
  mkdirSync(directory, { recursive: true });
  if (user) chmodSync(directory, 0o711); // the server's user passes through; it reads nothing here
  const ownerPassword = passwordKept(join(directory, 'owner-password'));
  const data = join(directory, 'data');
  const mark = join(directory, 'initialised');
  if (!existsSync(mark)) {
    await initialise(data, bin, ownerPassword, user, durable);
    writeFileSync(mark, '');
  }
  return { data, log: join(directory, 'postgresql.log'), ownerPassword };
}

export { freePort, isTaken, onFreePort } from './service-user.ts';
