import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, parseDatabaseAddress, type Sql } from '../connect.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded/index.ts';
import { migrate } from '../migrations/migrate.ts';
import { SERVICE_PASSWORD, withRole } from './names.ts';

/** A server of one test's own, to be killed, frozen and started again. What it committed, it keeps. */
export interface TestServer {
  readonly ownerUrl: string;
  readonly gatewayUrl: string;
  /** As the owner, on a connection of its own each time: the server may have been away since. */
  asOwner<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Ends it as a crash does: nothing is flushed, nobody is told. */
  kill(): Promise<void>;
  /** Starts it again, at the same address. */
  restart(): Promise<void>;
  /** Stops every process of it where it stands. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

function family(pid: number): number[] {
  const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
  return [pid, ...stdout.split('\n').filter(Boolean).map(Number)];
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // gone already
    }
  }
}

export async function startTestServer(): Promise<TestServer> {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-fault-'));
  const start = (port: number): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({ directory, port, settings: { shared_buffers: '32MB', wal_writer_delay: '10s' } });
  let server = await start(0);
  const { ownerUrl, port } = server;
  await migrate(ownerUrl);
  const asOwner: TestServer['asOwner'] = async (work) => {
    const sql = connect(parseDatabaseAddress(ownerUrl), { max: 2 });
    try {
      return await work(sql);
    } finally {
      await sql.end({ timeout: 1 });
    }
  };
  await asOwner((sql) => sql.unsafe(`alter role gateway_service password '${SERVICE_PASSWORD}'`));
  return {
    ownerUrl,
    gatewayUrl: withRole(ownerUrl, 'gateway_service'),
    asOwner,
    async kill() {
      signal(family(server.pid), 'SIGKILL');
      await server.ended;
    },
    async restart() {
      server = await start(port);
    },
    freeze: () => signal(family(server.pid), 'SIGSTOP'),
    thaw: () => signal(family(server.pid), 'SIGCONT'),
    async close() {
      signal(family(server.pid), 'SIGCONT');
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
