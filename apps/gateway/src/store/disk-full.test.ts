import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyOf, startTestServer, type TestServer, verdictOn } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, HELLO, watch } from '../testing/caller.ts';
import { declareChat } from '../testing/declare-chat.ts';
import { type Engine, startEngine } from '../testing/engine.ts';
import { eventually } from '../testing/eventually.ts';
import { type GatewayProcess, startProcess } from '../testing/process.ts';

const key = keyOf('caller');
const STREAM = 'data: {"choices":[],"usage":{"prompt_tokens":70,"completion_tokens":7}}\n\n';

let engine: Engine;
let server: TestServer;
let gateway: GatewayProcess;
let folder: string;

/** A disk of a few megabytes; null where this machine does not allow mounts. */
function smallDisk(): string | null {
  const place = mkdtempSync(join(tmpdir(), 'gateway-small-disk-'));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', place]).status === 0) return place;
  rmSync(place, { recursive: true });
  return null;
}
const disk = process.getuid?.() === 0 ? smallDisk() : null;
afterAll(() => {
  if (disk === null) return;
  execFileSync('umount', ['--lazy', disk]);
  rmSync(disk, { recursive: true });
});

beforeAll(async () => {
  [engine, server] = await Promise.all([startEngine(), startTestServer()]);
  folder = mkdtempSync(join(tmpdir(), 'gateway-disk-'));
  await server.asOwner((sql) => declareChat(sql, engine));
  engine.on('/stream', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(STREAM);
  });
  await startGateway();
});
afterAll(async () => {
  await stopGateway();
  await engine.stop();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function startGateway(): Promise<void> {
  gateway = await startProcess({ DATABASE_URL: server.gatewayUrl, GATEWAY_STATE_DIR: join(folder, 'state') });
}
async function stopGateway(): Promise<void> {
  gateway.signal('SIGTERM');
  expect(await gateway.ended).toBe(0);
}

const call = () => ask(gateway.port, '/chat/x', { key });
const serves = () => eventually(async () => expect((await call()).status).toBe(200));
const count = (table: string) =>
  server.asOwner(
    async (sql) => (await sql.unsafe(`select count(*)::int as rows from ${table}`))[0]?.['rows'] as number,
  );

describe.runIf(disk !== null)('a database on a full disk', () => {
  const place = disk ?? '';
  const filler = join(place, 'filler');
  /** Puts tables on the small disk, or back. */
  const move = (tables: readonly string[], to: string) =>
    server.asOwner(async (sql) => {
      for (const table of tables) {
        await sql.unsafe(`alter table ${table} set tablespace ${to}`);
        const indexes =
          await sql`select indexrelid::regclass::text as name from pg_index where indrelid = ${table}::regclass`;
        for (const { name } of indexes) await sql.unsafe(`alter index ${name} set tablespace ${to}`);
      }
    });
  const fill = (): void => {
    expect(() => writeFileSync(filler, Buffer.alloc(8 * 1024 * 1024))).toThrow(/ENOSPC/);
  };

  beforeAll(async () => {
    const tables = join(place, 'tables');
    mkdirSync(tables);
    const { uid, gid } = statSync(join(server.directory, 'data'));
    chownSync(tables, uid, gid);
    await server.asOwner((sql) => sql.unsafe(`create tablespace small location '${tables}'`));
  });
  it('that holds the decision log: 503, nothing is relayed, and it resumes by itself with its chain whole', async () => {
    await serves();
    await move(['authorization_decisions'], 'small');
    fill();
    await eventually(async () => {
      const { status, json } = await call(); // until the page that was begun is full
      expect({ status, json }).toEqual({
        status: 503,
        json: { error: 'Authorization decision could not be recorded, so the request was refused.' },
      });
    });
    const before = engine.received.length;
    const refused = await Promise.all(Array.from({ length: 20 }, call));
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 503));
    expect(engine.received).toHaveLength(before);
    rmSync(filler);
    await serves();
    await move(['authorization_decisions'], 'pg_default');
    await serves();
    const verdict = await server.asOwner((sql) => verdictOn(sql, 'authorization_decisions'));
    expect(verdict).toMatchObject({ ok: true });
  });

  it('that holds the usage records: plain answers are delayed, a stream is written once there is space', async () => {
    await move(['request_logs', 'usage_totals'], 'small');
    fill();
    await eventually(async () => {
      const { status, json } = await call();
      expect({ status, json }).toEqual({
        status: 503,
        json: { error: 'This answer could not be metered, so it was not served. Nothing was billed for it either.' },
      });
    });
    const before = await count('request_logs');
    const answer = watch(gateway.port, '/chat/stream', { key, body: { ...HELLO, stream: true } });
    expect(await answer.done).toBe('complete');
    expect(await count('request_logs')).toBe(before);
    rmSync(filler);
    await eventually(async () => expect(await count('request_logs where input_tokens = 70')).toBe(1));
    await serves();
    await move(['request_logs', 'usage_totals'], 'pg_default');
  });
});

/** Room for files of the gateway; `prlimit` changes what a running process may write. */
const room = (bytes: string): boolean =>
  spawnSync('prlimit', ['--pid', String(gateway.pid), `--fsize=${bytes}:`]).status === 0;
const limits = spawnSync('prlimit', ['--version']).status === 0;

describe.runIf(limits)('GATEWAY_STATE_DIR on a full disk', () => {
  it('does not affect calls, whose records go to the database', async () => {
    await serves();
    expect(room('0')).toBe(true);
    const before = await count('request_logs');
    expect((await call()).status).toBe(200);
    for (let stream = 0; stream < 3; stream += 1) {
      const answer = watch(gateway.port, '/chat/stream', { key, body: { ...HELLO, stream: true } });
      expect(await answer.done).toBe('complete');
    }
    await eventually(async () => expect(await count('request_logs')).toBe(before + 4));
    expect(room('unlimited')).toBe(true);
    // Once, not for each call.
    const reported = gateway
      .said()
      .match(/^gateway: GATEWAY_STATE_DIR: .*could not be kept on disk: .*(EFBIG|bytes).*/gm);
    expect(reported).toHaveLength(1);
  });

  it('with the database also unavailable is logged, and the record is written once either recovers', async () => {
    // Another process: the one before reports the same fault once a minute.
    await stopGateway();
    await startGateway();
    await serves();
    const before = await count('request_logs where input_tokens = 70');
    const gone = Promise.withResolvers<void>();
    engine.on('/late', async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': begun\n\n');
      await gone.promise;
      response.end(STREAM);
    });
    const answer = watch(gateway.port, '/chat/late', { key, body: { ...HELLO, stream: true } });
    await answer.shows('begun');
    await server.kill();
    expect(room('0')).toBe(true);
    gone.resolve();
    await eventually(() => expect(gateway.said()).toMatch(/GATEWAY_STATE_DIR: .*could not be kept on disk/));
    expect((await call()).status).toBe(503);
    // The end of the stream waits for its record (relay-30).
    expect(await Promise.race([answer.done, Promise.resolve('open')])).toBe('open');
    expect(room('unlimited')).toBe(true);
    await server.restart();
    await serves();
    expect(await answer.done).toBe('complete');
    await eventually(async () => expect(await count('request_logs where input_tokens = 70')).toBe(before + 1));
  });
});
