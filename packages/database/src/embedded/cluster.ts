import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { errorMessage } from '@gateway/contract/error-code';
import type { ServiceUser } from './service-user.ts';

/** The superuser of the embedded server, who owns the database. */
export const OWNER = 'gateway_owner';

/** Where one embedded server keeps what is its own. */
export interface Cluster {
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
export function giveData(data: string, user: ServiceUser | null): void {
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
