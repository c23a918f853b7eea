import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate, parseDatabaseAddress, type Sql, withPool } from '@gateway/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declareChat } from '../faults/database.ts';
import { commandsOf, statementsOf } from '../support/commands.ts';
import { prepareServer, type Server } from './server.ts';
import { type Service, startEngine, startService } from './service.ts';

// The drill of the page about backups, with its own commands, on a PostgreSQL of the system and gateway processes.
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'site/pages/deployment/backup.md'), 'utf8');
const COMMANDS = commandsOf('backup.md', PAGE).map(({ line }) => line);
const PASSWORDS = { gateway_service: 'gateway-password', console_service: 'console-password' };

let folder: string;
let engine: Awaited<ReturnType<typeof startEngine>>;
const servers: Server[] = [];

beforeAll(async () => {
  // Below node_modules, so that npx finds the commands of this checkout from here.
  mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true });
  folder = mkdtempSync(join(ROOT, 'node_modules/.cache/backup-'));
  engine = await startEngine();
});
afterAll(async () => {
  for (const server of servers) server.remove();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

async function server(options: Parameters<typeof prepareServer>[1] = {}): Promise<Server> {
  const made = await prepareServer(mkdtempSync(join(tmpdir(), 'gateway-backup-')), options);
  servers.push(made);
  return made;
}

const asOwner = <Result>(url: string, work: (sql: Sql) => Promise<Result>): Promise<Result> =>
  withPool(parseDatabaseAddress(url), { max: 1 }, work);

/** An empty database `gateway`, and the service roles as the page makes them. */
async function prepareDatabase({ ownerUrl }: Server): Promise<void> {
  await asOwner(ownerUrl.replace(/gateway$/, 'postgres'), async (sql) => {
    await sql`create database gateway`;
    for (const statement of statementsOf(PAGE)) await sql.unsafe(statement);
  });
}

/** Runs the command of the page that begins so. */
function run(on: Server, beginning: string): { code: number | null; out: string } {
  const line = COMMANDS.find((one) => one.startsWith(beginning));
  if (line === undefined) throw new Error(`The page has no command that begins with ${beginning}.`);
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: `${on.bin}:${join(ROOT, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
      HOME: folder,
      DATABASE_URL: on.ownerUrl,
      npm_config_yes: 'false',
    },
  });
  return { code: status, out: stdout + stderr };
}

function runWell(on: Server, beginning: string): void {
  expect(run(on, beginning)).toMatchObject({ code: 0 });
}

const VERIFY = 'npx gatewayctl journal verify --public-key';
const serviceOf = (on: Server, name: string): Promise<Service> =>
  startService(on.url('gateway_service', PASSWORDS.gateway_service), join(folder, name));

/** The output of the command must be on the page, word for word but for fingerprints and digests. */
function expectShown(out: string): void {
  const lines = out
    .trim()
    .replaceAll(/^key [0-9a-f]{64}/gm, 'key FINGERPRINT')
    .replaceAll(/digest [0-9a-f]{64}/g, 'digest DIGEST')
    .split('\n');
  expect.soft(lines.filter((line) => !PAGE.includes(line))).toEqual([]);
}

async function declared(on: Server): Promise<void> {
  await prepareDatabase(on);
  await migrate(on.ownerUrl);
  await asOwner(on.ownerUrl, (sql) => declareChat(sql, engine.url));
}

describe('the drill of the page about backups', () => {
  it('dumps and restores a database, and shows missing entries', async () => {
    const lost = await server();
    lost.start();
    await declared(lost);
    const before = await serviceOf(lost, 'dump');
    await before.call(10);
    runWell(lost, 'pg_dump');
    await before.call(4);
    runWell(lost, 'npx gatewayctl journal checkpoint');
    runWell(lost, 'npx gatewayctl journal keys');
    await before.stop();
    lost.stopAtOnce();

    const restored = await server();
    restored.start();
    await prepareDatabase(restored);
    runWell(restored, 'pg_restore');
    const after = await serviceOf(restored, 'dump');
    const lacking = run(restored, VERIFY);
    expect.soft(lacking.code).toBe(1);
    expectShown(lacking.out);

    // What the operator does: calls are served, a new checkpoint is made, and the log verifies against it.
    await after.call(2);
    runWell(restored, 'npx gatewayctl journal checkpoint');
    runWell(restored, 'npx gatewayctl journal keys');
    const intact = run(restored, VERIFY);
    expect(intact.code).toBe(0);
    expectShown(intact.out);
    await after.stop();
  });

  it('restores a base backup with its WAL, to a point in time and whole', async () => {
    const lost = await server({
      settings: (archive) => ['archive_mode = on', `archive_command = 'cp %p ${archive}/%f'`],
    });
    lost.start();
    await declared(lost);
    const service = await serviceOf(lost, 'wal');
    await service.call(6);
    runWell(lost, 'pg_basebackup');
    await service.call(3);
    const [{ instant } = { instant: '' }] = await asOwner(
      lost.ownerUrl,
      (sql) => sql<{ instant: string }[]>`select clock_timestamp()::text as instant`,
    );
    await service.call(5);
    runWell(lost, 'npx gatewayctl journal checkpoint');
    runWell(lost, 'npx gatewayctl journal keys');
    await archiveAll(lost);
    lost.stopAtOnce();

    // The gateway runs on, and finds another log at the same address.
    const recovery = (more: readonly string[]) => () => [
      'archive_mode = off',
      `restore_command = 'cp ${lost.archive}/%f %p'`,
      "recovery_target_action = 'promote'",
      ...more,
    ];
    const backup = join(folder, 'base-backup');
    const target = recovery([`recovery_target_time = '${instant}'`]);
    const early = await server({ backup, port: lost.port, settings: target });
    early.start();
    await recovered(early);
    const lacking = run(early, VERIFY);
    expect.soft(lacking.code).toBe(1);
    expectShown(lacking.out);
    await service.call(1);
    expectShown((await service.says('this database ended at entry')).replace(/^\S+ \S+ /, ''));
    await service.stop();
    early.stopAtOnce();

    const whole = await server({ backup, settings: recovery([]) });
    whole.start();
    await recovered(whole);
    const intact = run(whole, VERIFY);
    expect(intact.code).toBe(0);
    expectShown(intact.out);
  });
});

/** Begins a new segment of the WAL, and waits until the one before it is in the archive. */
async function archiveAll({ ownerUrl }: Server): Promise<void> {
  await asOwner(ownerUrl, async (sql) => {
    const [{ segment } = { segment: '' }] = await sql<{ segment: string }[]>`
      select pg_walfile_name(pg_current_wal_lsn()) as segment`;
    await sql`select pg_switch_wal()`;
    const lastArchived = async (): Promise<string> => {
      const [row] = await sql<{ last: string | null }[]>`select last_archived_wal as last from pg_stat_archiver`;
      return row?.last ?? '';
    };
    await expect.poll(async () => (await lastArchived()) >= segment, { timeout: 120_000 }).toBe(true);
  });
}

async function recovered({ ownerUrl }: Server): Promise<void> {
  const isRecovering = async (): Promise<boolean | undefined> => {
    const [row] = await asOwner(ownerUrl, (sql) => sql<{ is: boolean }[]>`select pg_is_in_recovery() as is`);
    return row?.is;
  };
  await expect.poll(isRecovering, { timeout: 120_000 }).toBe(false);
}
