import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { connect as openSocket } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { parseDatabaseAddress, withPool } from '../client/connect.ts';
import { startEmbeddedPostgres } from './start.ts';

const directory = mkdtempSync(join(tmpdir(), 'gateway-embedded-'));
const start = () => startEmbeddedPostgres({ directory, port: 0, durable: false });
const query = <Row extends object>(url: string, text: string): Promise<Row[]> =>
  withPool(parseDatabaseAddress(url), { max: 1 }, async (sql) => [...(await sql.unsafe<Row[]>(text))]);
const outsideAddresses = () =>
  Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter((one) => !one.internal && one.family === 'IPv4')
    .map((one) => one.address);
const opens = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = openSocket(port, host, () => {
      resolve(true);
      socket.destroy();
    });
    socket.on('error', () => resolve(false));
  });
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('the embedded server', () => {
  it('is a real PostgreSQL 17 or newer, keeps its data after a restart, and ends with code 0', async () => {
    const first = await start();
    await query(first.ownerUrl, 'create table kept as select 7 as number');
    const [version] = await query<{ server_version_num: string }>(first.ownerUrl, 'show server_version_num');
    expect(Number(version?.server_version_num)).toBeGreaterThanOrEqual(170000);
    await first.stop();
    expect(await first.ended).toBe(0);
    const second = await start();
    expect(await query(second.ownerUrl, 'select number from kept')).toEqual([{ number: 7 }]);
    await second.stop();
  });

  it('requires a password and listens only on the loopback', async () => {
    const server = await start();
    try {
      const wrong = Object.assign(new URL(server.ownerUrl), { password: 'wrong' }).href;
      await expect(query(wrong, 'select 1')).rejects.toThrow(/password authentication failed/);
      const reached = await Promise.all(outsideAddresses().map((host) => opens(host, server.port)));
      expect(reached).not.toContain(true);
      expect(await opens('127.0.0.1', server.port)).toBe(true);
    } finally {
      await server.stop();
    }
  });

  it('starts again after the server was killed, and after its starter was', async () => {
    const killed = await start();
    await query(killed.ownerUrl, 'create table durable as select 1 as number');
    process.kill(killed.pid, 'SIGKILL');
    await killed.ended;
    const left = await start(); // and is left running, as by a starter that was killed
    const third = await start();
    await left.ended;
    expect(await query(third.ownerUrl, 'select number from durable')).toEqual([{ number: 1 }]);
    await third.stop();
  });

  it('starts only once no process of a killed server is left', async () => {
    const killed = await start();
    const [checkpointer] = await query<{ pid: number }>(
      killed.ownerUrl,
      "select pid from pg_stat_activity where backend_type = 'checkpointer'",
    );
    const child = checkpointer?.pid ?? 0;
    process.kill(child, 'SIGSTOP'); // so that it does not react
    process.kill(killed.pid, 'SIGKILL');
    await killed.ended;
    const starting = start();
    await expect.poll(() => readFileSync(killed.logFile, 'utf8')).toContain('is still in use');
    process.kill(child, 'SIGCONT');
    const next = await starting;
    expect(await query(next.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    await next.stop();
  });

  it('stops a server that another process started on its data', async () => {
    const first = await start();
    process.kill(first.pid, 'SIGQUIT');
    await first.ended;
    const second = await start();
    await first.stop();
    expect(await second.ended).toBe(0);
  });

  it('keeps its data below a folder that others cannot enter', async () => {
    const closed = mkdtempSync(join(directory, 'closed-'));
    const server = await startEmbeddedPostgres({ directory: join(closed, 'data'), port: 0, durable: false });
    expect(await query(server.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
    const elsewhere = join(closed, 'data', 'elsewhere'); // as root, where the server's user cannot enter
    if (existsSync(elsewhere)) rmSync(realpathSync(elsewhere), { recursive: true });
  });

  it('is completed despite Ctrl-C in the terminal of its starter', async () => {
    const own = mkdtempSync(join(directory, 'interrupted-'));
    for (const folder of [directory, own]) chmodSync(folder, 0o711); // as root, for the server's user
    const starter = join(own, 'starter.ts');
    const words = JSON.stringify({ directory: join(own, 'data'), port: 0, durable: false });
    writeFileSync(
      starter,
      `import { startEmbeddedPostgres } from ${JSON.stringify(new URL('start.ts', import.meta.url).href)};
       process.on('SIGINT', () => undefined);
       const server = await startEmbeddedPostgres(${words});
       await server.stop();
       console.log('started and stopped');`,
    );
    const child = spawn(process.execPath, [starter], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    const said = text(child.stdout);
    await expect.poll(() => existsSync(join(own, 'data', 'data', 'PG_VERSION')), { interval: 5 }).toBe(true);
    process.kill(-(child.pid ?? 0), 'SIGINT');
    expect(await said).toBe('started and stopped\n');
  });

  it('reports why it did not start', async () => {
    const server = await start();
    const other = mkdtempSync(join(tmpdir(), 'gateway-embedded-'));
    try {
      await expect(startEmbeddedPostgres({ directory: other, port: server.port, durable: false })).rejects.toThrow(
        /PostgreSQL did not start .*(bind|TCP\/IP)/,
      );
    } finally {
      await server.stop();
      rmSync(other, { recursive: true, force: true });
    }
  });
});
