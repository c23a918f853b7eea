import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../packages/database/src/embedded/service-user.ts';
import { createNetwork, type Host, kill, run, runBeside } from './network.ts';

const BIN = '/usr/lib/postgresql/15/bin';
/** Patroni refuses to run as root. */
const USER = 'postgres';
export const PASSWORD = 'cluster-password';
const DISK_MEGABYTES = 1024;
/** How long Patroni has to repair the cluster by itself, and with the help of an operator. */
const ALONE_MS = 90_000;
const WHOLE_MS = 240_000;
/** Of the log of a member, in a message. */
const LAST_LINES = 20;

/** Programs, and the packages of Debian that bring them. */
const PROGRAMS: readonly (readonly [program: string, package_: string])[] = [
  ['patroni', 'patroni'],
  ['patronictl', 'patroni'],
  ['etcd', 'etcd-server'],
  ['haproxy', 'haproxy'],
  ['pgbouncer', 'pgbouncer'],
  [`${BIN}/pg_rewind`, 'postgresql-15'],
  ['ip', 'iproute2'],
  ['setpriv', 'util-linux'],
];

/** Why the cluster cannot run here, with what to do; null where it can. */
export function missingHere(): string | null {
  const absent = PROGRAMS.filter(([program]) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);
  const packages = [...new Set(absent.map(([, package_]) => package_))];
  if (packages.length > 0) return `Packages are missing: apt-get install --no-install-recommends ${packages.join(' ')}`;
  if (process.getuid?.() !== 0) return 'Run it as root: it makes network namespaces and mounts small disks.';
  return null;
}

export interface Member {
  readonly host: Host;
  /** Where its small disk is mounted. */
  readonly folder: string;
  /** SIGKILL to PostgreSQL alone. */
  killPostgres(): void;
  /** SIGKILL to everything on its machine. */
  killAll(): void;
  /** Starts Patroni again where it is gone. */
  start(): void;
}

export interface Cluster {
  readonly etcd: Host;
  readonly members: readonly Member[];
  /** Of a role, through HAProxy. */
  url(role: string, database?: string): string;
  /** Address of PgBouncer, which goes through HAProxy too. */
  pooledUrl(role: string): Promise<string>;
  /** The member that Patroni calls the primary; null while there is none. */
  leader(): Promise<Member | null>;
  /**
   * Waits until one leads, the others stream from it, and one of them is synchronous where that is asked for.
   * @returns standbys that did not come back by themselves, and were made again with `patronictl reinit`
   */
  whole(): Promise<readonly string[]>;
  /** `patronictl` with these words. @returns what it prints. @throws where it fails */
  control(...words: readonly string[]): Promise<string>;
  /** Runs a statement on one member, as the administrator. */
  on(member: Member, statement: string): void;
  close(): void;
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** What Patroni keeps in etcd. Its times are shorter than its defaults, so that a run makes more faults. */
const settings = (synchronous: boolean) => ({
  ttl: 15,
  loop_wait: 2,
  retry_timeout: 4,
  maximum_lag_on_failover: 16 * 1024 * 1024,
  synchronous_mode: synchronous,
  postgresql: {
    use_pg_rewind: true,
    use_slots: true,
    parameters: {
      max_connections: 100,
      shared_buffers: '64MB',
      max_wal_size: '128MB',
      min_wal_size: '80MB',
      wal_keep_size: '64MB',
      wal_log_hints: 'on',
      hot_standby: 'on',
      wal_sender_timeout: '10s',
      wal_receiver_timeout: '10s',
    },
    pg_hba: ['local all all trust', 'host all all all scram-sha-256', 'host replication all all scram-sha-256'],
  },
});

function configuration({ name, address }: Host, folder: string, etcd: Host, synchronous: boolean): object {
  const role = (username: string) => ({ username, password: PASSWORD });
  return {
    scope: 'gateway',
    name,
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    etcd3: { hosts: [`${etcd.address}:2379`] },
    bootstrap: {
      dcs: settings(synchronous),
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `${address}:5432`,
      connect_address: `${address}:5432`,
      data_dir: join(folder, 'data'),
      bin_dir: BIN,
      pgpass: join(folder, 'pgpass'),
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
      authentication: { superuser: role('postgres'), replication: role('replicator'), rewind: role('rewinder') },
      parameters: { unix_socket_directories: folder },
    },
  };
}

/** Follows Patroni's answers, and cuts the connections to a server that is no primary any more. */
const proxy = (port: number, members: readonly Member[]): string => `
global
  maxconn 1000
defaults
  mode tcp
  timeout connect 1s
  timeout check 1s
  timeout client 30m
  timeout server 30m
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fastinter 200ms downinter 200ms fall 2 rise 1 on-marked-down shutdown-sessions
${members.map(({ host }) => `  server ${host.name} ${host.address}:5432 check port 8008`).join('\n')}
`;

/** @param folder of its files, which its users must be able to reach */
export async function startCluster(folder: string, synchronous: boolean): Promise<Cluster> {
  const children: ChildProcess[] = [];
  const mounted: string[] = [];
  const network = createNetwork(USER);
  const port = await freePort();

  function start(name: string, program: string, words: readonly string[], options: object = {}): ChildProcess {
    const log = openSync(join(folder, `${name}.log`), 'a');
    const child = spawn(program, words, { stdio: ['ignore', log, log], ...options });
    children.push(child);
    return child;
  }

  function mount(name: string): string {
    const at = join(folder, name);
    mkdirSync(at);
    run('mount', '-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'tmpfs', at);
    mounted.push(at);
    run('chown', USER, at);
    return at;
  }

  function close(): void {
    for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
    network.remove();
    for (const at of mounted) spawnSync('umount', ['--lazy', at]);
  }

  try {
    const etcd = network.host('etcd', 2);
    const at = `http://${etcd.address}`;
    const words = [
      '--data-dir',
      mount('etcd'),
      '--listen-client-urls',
      `${at}:2379`,
      '--advertise-client-urls',
      `${at}:2379`,
    ];
    start('etcd', 'ip', [...etcd.enter, 'etcd', ...words, '--listen-peer-urls', 'http://127.0.0.1:2380']);

    const members = [1, 2, 3].map((number): Member => {
      const host = network.host(`n${number}`, 10 + number);
      const own = mount(host.name);
      const file = join(folder, `${host.name}.json`);
      writeFileSync(file, JSON.stringify(configuration(host, own, etcd, synchronous)));
      let patroni: ChildProcess | null = null;
      return {
        host,
        folder: own,
        killPostgres: () =>
          kill(Number(readFileSync(join(own, 'data/postmaster.pid'), 'utf8').split('\n', 1)[0]), 'SIGKILL'),
        killAll: () => host.signal('SIGKILL'),
        start() {
          if (patroni !== null && patroni.exitCode === null && patroni.signalCode === null) return;
          patroni = start(host.name, 'ip', [...host.enter, 'patroni', file], { cwd: own });
        },
      };
    });
    await untilReached(`${at}:2379/health`);
    for (const member of members) member.start();

    const haproxy = join(folder, 'haproxy.cfg');
    writeFileSync(haproxy, proxy(port, members));
    start('haproxy', 'haproxy', ['-db', '-f', haproxy], { uid: 65_534, gid: 65_534 });
    return controlled({ etcd, members, port, folder, synchronous, start, close });
  } catch (error) {
    close();
    throw error;
  }
}

interface Parts extends Pick<Cluster, 'etcd' | 'members' | 'close'> {
  readonly port: number;
  readonly folder: string;
  readonly synchronous: boolean;
  readonly start: (name: string, program: string, words: readonly string[], options?: object) => ChildProcess;
}

function controlled({ etcd, members, port, folder, synchronous, start, close }: Parts): Cluster {
  const url = (role: string, database = 'gateway', to = port): string =>
    `postgres://${role}:${PASSWORD}@127.0.0.1:${to}/${database}`;
  async function control(...words: readonly string[]): Promise<string> {
    const { code, out } = await runBeside('patronictl', ['-c', join(folder, 'n1.json'), ...words]);
    if (code !== 0) throw new Error(`patronictl ${words.join(' ')}: ${out}`);
    return out;
  }

  async function leader(): Promise<Member | null> {
    const answers = await Promise.all(
      members.map(async (member) => ((await isAt(member, '/primary')) ? member : null)),
    );
    return answers.find((one) => one !== null) ?? null;
  }

  async function isWhole(): Promise<boolean> {
    const first = await leader();
    if (first === null) return false;
    const others = members.filter((one) => one !== first);
    const streams = await Promise.all(others.map((one) => isAt(one, '/replica?lag=1MB')));
    const standbys = await Promise.all(others.map((one) => isAt(one, '/synchronous')));
    return streams.every(Boolean) && (!synchronous || standbys.some(Boolean));
  }

  /** Standbys that do not stream get the data of the primary, as an operator would do it. @returns their names */
  async function makeAgain(): Promise<readonly string[]> {
    const first = await leader();
    if (first === null) return [];
    const others = members.filter((one) => one !== first);
    const streams = await Promise.all(others.map((one) => isAt(one, '/replica?lag=1MB')));
    const names = others.filter((_, at) => streams[at] !== true).map(({ host }) => host.name);
    for (const name of names) await control('reinit', 'gateway', name, '--force').catch(() => undefined); // it starts just now
    return names;
  }

  /** What each member wrote last: why it does not stream. */
  function lastLines(): string {
    const of = (name: string): string =>
      readFileSync(join(folder, `${name}.log`), 'utf8')
        .trimEnd()
        .split('\n')
        .slice(-LAST_LINES)
        .join('\n');
    return members.map(({ host }) => `\n${host.name}:\n${of(host.name)}`).join('\n');
  }

  return {
    etcd,
    members,
    url,
    async pooledUrl(role) {
      const pooled = await freePort();
      const file = join(folder, 'pgbouncer.ini');
      const server = `host=127.0.0.1 port=${port} dbname=gateway user=${role} password=${PASSWORD}`;
      const lines = [`listen_port = ${pooled}`, 'listen_addr = 127.0.0.1', 'unix_socket_dir =', 'auth_type = any'];
      writeFileSync(file, ['[databases]', `gateway = ${server}`, '[pgbouncer]', ...lines, ''].join('\n'));
      start('pgbouncer', 'pgbouncer', [file], { uid: 65_534, gid: 65_534 });
      await pause(500);
      return url(role, 'gateway', pooled);
    },
    leader,
    async whole() {
      const begun = performance.now();
      let made: readonly string[] | null = null;
      while (!(await isWhole())) {
        const waited = performance.now() - begun;
        if (waited > WHOLE_MS)
          throw new Error(`The cluster is not whole after four minutes:\n${await control('list')}${lastLines()}`);
        if (waited > ALONE_MS) made ??= await makeAgain();
        await pause(250);
      }
      return made ?? [];
    },
    control,
    on(member, statement) {
      run(`${BIN}/psql`, '-h', member.folder, '-U', 'postgres', '-d', 'postgres', '-qc', statement);
    },
    close,
  };
}

/** Whether Patroni of a member answers this question with 200. */
async function isAt({ host }: Member, path: string): Promise<boolean> {
  try {
    const { status } = await fetch(`http://${host.address}:8008${path}`, { signal: AbortSignal.timeout(1000) });
    return status === 200;
  } catch {
    return false; // it is away
  }
}

async function untilReached(address: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await fetch(address, { signal: AbortSignal.timeout(1000) }).catch(() => null);
    if (answer?.ok === true) return;
    await pause(200);
  }
  throw new Error(`${address} did not answer within 20 seconds.`);
}

/** Ends a child in order. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = once(child, 'close');
  child.kill('SIGTERM');
  await over;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
