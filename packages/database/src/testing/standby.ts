import { spawnSync } from 'node:child_process';
import { chownSync, copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import postgres from 'postgres';
import type { Sql } from '../client/connect.ts';
import { startEmbeddedPostgres } from '../embedded/start.ts';
import { TEST_SETTINGS, type TestServer, testServerOf } from './server.ts';

/** A standby that follows a test server by streaming replication; the primary waits for it with every durable commit. */
export interface Standby {
  readonly gatewayUrl: string;
  /** As the owner, once it was promoted. */
  readonly asOwner: <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>;
  /** Makes it a primary (`pg_promote`), which waits for no standby of its own. */
  promote(): Promise<TestServer>;
  close(): Promise<void>;
}

/** Makes a base backup of the running server, like `pg_basebackup`, which the embedded programs do not include. */
async function copyCluster(primary: TestServer, directory: string): Promise<void> {
  for (const name of ['owner-password', 'initialised']) {
    copyFileSync(join(primary.directory, name), join(directory, name));
  }
  const [from, data] = [join(primary.directory, 'data'), join(directory, 'data')];
  const label = await primary.asOwner(async (sql) => {
    const session = await sql.reserve();
    await session`select pg_backup_start('standby', true)`;
    const { status, stderr } = spawnSync('cp', ['-a', from, data], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the data could not be copied: ${stderr}`);
    const [stopped] = await session<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`;
    session.release();
    return stopped?.labelfile ?? '';
  });
  rmSync(join(data, 'postmaster.pid'));
  const { uid, gid } = statSync(data);
  for (const [name, text] of Object.entries({ backup_label: label, 'standby.signal': '' })) {
    writeFileSync(join(data, name), text, { mode: 0o600 });
    chownSync(join(data, name), uid, gid);
  }
}

/** A durable commit that changes nothing. */
const COMMIT = `select pg_logical_emit_message(true, 'standby', '')`;

/**
 * Makes the primary wait for its standby, which is not there yet. The server takes the setting over a moment later, and confirms
 * until then what no standby has: so a commit is seen to wait.
 * @returns resolves once a standby has every commit that was ever confirmed
 */
async function awaitStandby(primary: TestServer): Promise<() => Promise<void>> {
  const [committing, watching] = [postgres(primary.ownerUrl, { max: 1 }), postgres(primary.ownerUrl, { max: 1 })];
  await watching`alter system set synchronous_standby_names = 'standby'`;
  await watching`select pg_reload_conf()`;
  const [session] = await committing<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const waits = async (commit: Promise<unknown>): Promise<boolean> => {
    const done = commit.then(() => true);
    for (;;) {
      const rows =
        await watching`select from pg_stat_activity where pid = ${session?.pid ?? 0} and wait_event = 'SyncRep'`;
      if (rows.length > 0) return true;
      if (await Promise.race([done, Promise.resolve(false)])) return false;
    }
  };
  let commit: Promise<unknown> = committing.unsafe(COMMIT).execute();
  while (!(await waits(commit))) commit = committing.unsafe(COMMIT).execute();
  return async () => {
    await commit;
    await committing.unsafe(COMMIT); // what was confirmed before the first one waited comes before this one
    await Promise.all([committing.end(), watching.end()]);
  };
}

export async function startStandby(primary: TestServer): Promise<Standby> {
  const directory = mkdtempSync(join(dirname(primary.directory), 'gateway-standby-'));
  await copyCluster(primary, directory);
  const hasEverything = await awaitStandby(primary);
  const { username, password, port } = new URL(primary.ownerUrl);
  const server = await startEmbeddedPostgres({
    directory,
    port: 0,
    settings: {
      ...TEST_SETTINGS,
      primary_conninfo: `host=127.0.0.1 port=${port} user=${username} password=${decodeURIComponent(password)} application_name=standby`,
    },
  });
  await hasEverything();
  const controlled = testServerOf(directory, server.port, server);
  const { gatewayUrl, asOwner } = controlled;
  return {
    gatewayUrl,
    asOwner,
    async promote() {
      const reading = postgres(server.ownerUrl, { max: 1 }); // our own client uses no standby
      await reading`select pg_promote()`;
      await reading.end();
      await asOwner(async (sql) => {
        await sql`alter system set synchronous_standby_names = ''`;
        await sql`select pg_reload_conf()`;
      });
      return controlled;
    },
    close: () => controlled.close(),
  };
}

/** Lets a primary commit without its standby again, before that is closed. */
export async function releasePrimary(primary: TestServer): Promise<void> {
  await primary.asOwner(async (sql) => {
    await sql`alter system reset synchronous_standby_names`;
    await sql`select pg_reload_conf()`;
  });
}
