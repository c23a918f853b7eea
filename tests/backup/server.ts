import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { freePort, serviceUser } from '../../packages/database/src/embedded/service-user.ts';

const OWNER = 'gateway_owner';
const PASSWORD = 'owner-password';
const ROOT = '/usr/lib/postgresql';

/** Where the programs of an installed PostgreSQL are: the packages of this repository bring the server alone. */
function programs(): string {
  const versions = existsSync(ROOT) ? readdirSync(ROOT).sort((one, other) => Number(other) - Number(one)) : [];
  const found = versions
    .map((version) => join(ROOT, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'pg_basebackup')));
  if (found === undefined)
    throw new Error(`There is no PostgreSQL with its programs below ${ROOT}: install postgresql.`);
  return found;
}

/** A PostgreSQL server as an operator runs it: with settings in its files, started and stopped with `pg_ctl`. */
export interface Server {
  readonly bin: string;
  readonly data: string;
  readonly port: number;
  /** Where it archives its WAL. */
  readonly archive: string;
  readonly ownerUrl: string;
  /** Address of a service role. */
  url(role: string, password: string): string;
  start(): void;
  /** Ends it at once, as a failing machine does. */
  stopAtOnce(): void;
  remove(): void;
}

/** Makes the server's user the owner of a folder, with access through its parents. */
function handOver(folder: string): void {
  const user = serviceUser();
  if (user === null) return;
  execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
}

export interface ServerOptions {
  /** Data folder to begin with, instead of an empty one: it recovers from there. */
  readonly backup?: string;
  /** More lines of its configuration, which can name the folder of its archive. */
  readonly settings?: (archive: string) => readonly string[];
  readonly port?: number;
}

/** @param folder contains its data and its archive */
export async function prepareServer(
  folder: string,
  { backup, settings = () => [], port }: ServerOptions,
): Promise<Server> {
  const bin = programs();
  const [data, archive, log] = [join(folder, 'data'), join(folder, 'wal'), join(folder, 'server.log')];
  const own = port ?? (await freePort());
  const user = serviceUser();
  const run = (program: string, ...words: readonly string[]): void => {
    execFileSync(join(bin, program), words, { ...user, cwd: '/', stdio: 'ignore' });
  };
  chmodSync(folder, 0o755);
  mkdirSync(archive, { recursive: true });
  handOver(archive);
  if (backup === undefined) {
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, PASSWORD, { mode: 0o644 });
    mkdirSync(data, { mode: 0o700 });
    handOver(data);
    run(
      'initdb',
      '-D',
      data,
      '-U',
      OWNER,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
    );
    rmSync(passwordFile);
  } else {
    execFileSync('cp', ['-a', backup, data]);
    writeFileSync(join(data, 'recovery.signal'), '');
    handOver(data);
  }
  const listening = [`port = ${own}`, "listen_addresses = '127.0.0.1'", "unix_socket_directories = ''"];
  appendFileSync(join(data, 'postgresql.conf'), `\n${[...listening, ...settings(archive)].join('\n')}\n`);
  writeFileSync(log, '', { mode: 0o600 });
  if (user !== null) chownSync(log, user.uid, user.gid);
  const url = (role: string, password: string, database = 'gateway'): string =>
    `postgres://${role}:${password}@127.0.0.1:${own}/${database}`;
  const stopAtOnce = (): void => run('pg_ctl', '-D', data, '-w', '-m', 'immediate', 'stop');
  return {
    bin,
    data,
    port: own,
    archive,
    ownerUrl: url(OWNER, PASSWORD),
    url,
    start: () => run('pg_ctl', '-D', data, '-w', '-l', log, 'start'),
    stopAtOnce,
    remove() {
      if (existsSync(join(data, 'postmaster.pid'))) stopAtOnce();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
