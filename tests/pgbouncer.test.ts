import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

/** A real PgBouncer between each program and its database: no mode keeps what they rely on, and each is refused at start. */
const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
const NOBODY = 65534;
let database: TestDatabase;
let bouncer: ReturnType<typeof spawn> | null = null;

beforeAll(async () => {
  chmodSync(folder, 0o755);
  database = await createTestDatabase();
});
afterEach(async () => {
  if (bouncer === null) return;
  const ended = once(bouncer, 'close');
  bouncer.kill('SIGINT');
  await ended;
  bouncer = null;
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** @returns the address of a role through the pooler. */
async function pooled(role: string, settings: Readonly<Record<string, string>>): Promise<string> {
  const port = await freePort();
  const { hostname, port: to, pathname, username, password } = new URL(role);
  const lines = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'any',
    ...settings,
  };
  const file = join(folder, 'pgbouncer.ini');
  const ini = Object.entries(lines).map(([name, value]) => `${name} = ${value}`);
  const server = `host=${hostname} port=${to} dbname=${pathname.slice(1)} user=${username} password=${password}`;
  writeFileSync(file, ['[databases]', `gateway = ${server}`, '[pgbouncer]', ...ini, ''].join('\n'), { mode: 0o644 });
  const isRoot = process.getuid?.() === 0;
  const child = spawn('pgbouncer', [file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  await once(child, 'spawn');
  bouncer = child;
  let said = '';
  for await (const part of child.stderr) {
    said += String(part);
    if (said.includes('process up')) return `postgres://${username}:${password}@127.0.0.1:${port}/gateway`;
  }
  throw new Error(`pgbouncer did not start: ${said}`);
}

const PROGRAMS = {
  gateway: { words: ['gateway.js', '--check-configuration'], role: () => database.gatewayUrl },
  console: { words: ['console.js', '--check-configuration'], role: () => database.consoleUrl },
  gatewayctl: { words: ['gatewayctl.js', 'journal', 'verify'], role: () => database.ownerUrl },
};
type Program = keyof typeof PROGRAMS;

async function check(program: Program, url: string): Promise<{ readonly code: number | null; readonly said: string }> {
  const [file = '', ...words] = PROGRAMS[program].words;
  const child = spawn(process.execPath, [`dist/serverless/${file}`, ...words], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: url,
      GATEWAY_STATE_DIR: folder,
      GATEWAY_LOG_FORMAT: 'plain',
      ADMIN_USER: 'administrator',
      ADMIN_PASS: 'Nbf7-k2Qp-99xw-Lm31',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    said += part;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

/** Every setting that the services send with the start of a connection and PgBouncer does not know. */
const SETTINGS = [
  'bytea_output',
  'client_min_messages',
  'default_transaction_isolation',
  'default_transaction_read_only',
  'extra_float_digits',
  'idle_in_transaction_session_timeout',
  'jit',
  'lock_timeout',
  'plan_cache_mode',
  'search_path',
  'statement_timeout',
  'synchronous_commit',
].join();

const MODES = ['session', 'transaction', 'statement'];

describe.each(['gateway', 'console', 'gatewayctl'] as const)('%s does not start behind PgBouncer', (program) => {
  it.each(MODES)('in mode %s, which refuses its settings', async (mode) => {
    const { code, said } = await check(program, await pooled(PROGRAMS[program].role(), { pool_mode: mode }));
    expect(said).toMatch(
      /DATABASE_URL.*: a pooler \(PgBouncer\) refuses the settings of the connection: give the address of PostgreSQL itself /,
    );
    expect(code).toBe(1);
  });

  it.each(MODES)('in mode %s, which ignores its settings', async (mode) => {
    const settings = { pool_mode: mode, ignore_startup_parameters: SETTINGS };
    const { code, said } = await check(program, await pooled(PROGRAMS[program].role(), settings));
    expect(said).toMatch(
      /(?:DATABASE_URL|gatewayctl): The settings of this connection did not reach PostgreSQL, because a pooler ignores them\. /,
    );
    expect(code).toBe(1);
  });
});
