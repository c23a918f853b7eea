import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDatabaseAddress, type Sql, withPool } from '../client/connect.ts';
import { type EmbeddedPostgres, onFreePort, startEmbeddedPostgres } from '../embedded/start.ts';
import { migrate } from '../migrations/migrate.ts';
import { SERVICE_PASSWORD, withRole } from './names.ts';

/** A server of one test's own, to be killed, frozen and started again. What it committed, it keeps. */
export interface TestServer {
  /** The folder of its data. */
  readonly directory: string;
  readonly ownerUrl: string;
  readonly gatewayUrl: string;
  /** As the owner, on a new connection each time: the server may have been stopped since. */
  readonly asOwner: <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>;
  /** Ends it like a crash: nothing is flushed, no client is notified. */
  kill(): Promise<void>;
  /** Starts it again, at the same address. */
  restart(): Promise<void>;
  /** Stops all its processes immediately. */
  freeze(): void;
  thaw(): void;
  /** Stops the processes that flush asynchronous commits, so that a crash loses them for certain. */
  freezeFlushing(): Promise<void>;
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
      // It has already ended.
    }
  }
}

/** Settings of every test server. No background workers: they would flush data that a test wants lost, or change files while a standby copies them. */
export const TEST_SETTINGS = { shared_buffers: '32MB', autovacuum: 'off' };

export async function startTestServer(): Promise<TestServer> {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-fault-'));
  // It stays ours while the server is down: no system uses such a port for an outgoing connection.
  const { port, started } = await onFreePort(async (free) => ({
    port: free,
    started: await startEmbeddedPostgres({ directory, port: free, settings: TEST_SETTINGS }),
  }));
  await migrate(started.ownerUrl);
  const server = testServerOf(directory, port, started);
  await server.asOwner((sql) => sql.unsafe(`alter role gateway_service password '${SERVICE_PASSWORD}'`));
  return server;
}

/** A running server, to be controlled. */
export function testServerOf(directory: string, port: number, started: EmbeddedPostgres): TestServer {
  let server = started;
  const { ownerUrl } = server;
  // Also while the server is read-only by a setting.
  const settings = { default_transaction_read_only: 'off' };
  const asOwner: TestServer['asOwner'] = (work) => withPool(parseDatabaseAddress(ownerUrl), { max: 2, settings }, work);
  return {
    directory,
    ownerUrl,
    gatewayUrl: withRole(ownerUrl, 'gateway_service'),
    asOwner,
    async kill() {
      signal([server.pid], 'SIGSTOP'); // so that it starts no further process
      signal(family(server.pid), 'SIGKILL');
      await server.ended;
    },
    async restart() {
      server = await startEmbeddedPostgres({ directory, port, settings: TEST_SETTINGS });
    },
    freeze() {
      signal([server.pid], 'SIGSTOP'); // as above
      signal(family(server.pid), 'SIGSTOP');
    },
    thaw: () => signal(family(server.pid), 'SIGCONT'),
    async freezeFlushing() {
      const rows = await asOwner(
        (sql) => sql<{ pid: number }[]>`
        select pid from pg_stat_activity where backend_type in ('walwriter', 'checkpointer', 'background writer')`,
      );
      signal(
        rows.map(({ pid }) => pid),
        'SIGSTOP',
      );
    },
    async close() {
      signal(family(server.pid), 'SIGCONT');
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
