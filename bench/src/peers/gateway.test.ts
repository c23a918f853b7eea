import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { fakeNpm } from '../testing/fake-npm.ts';
import { gateway } from './gateway.ts';
import { parentProcess } from './processor-time.ts';

/** Stands in for `npm start`: listens, says where, and writes its arguments and its end to files. */
const START = `
const { createServer } = require('node:http');
const { writeFileSync } = require('node:fs');
const { FOLDER, OWNER } = process.env;
writeFileSync(FOLDER + '/arguments', JSON.stringify(process.argv.slice(2)));
if (process.argv.includes('--fails')) process.exit(3);
const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1', () => {
  const gateway = 'http://127.0.0.1:' + server.address().port;
  const database = { owner: OWNER, gateway: OWNER };
  console.log(JSON.stringify({ gateway, database, keys: { demo: 'gwk_demo' }, endpoint: 'chat' }));
});
process.on('SIGINT', () => {
  writeFileSync(FOLDER + '/ended', 'SIGINT');
  process.exit(0);
});
`;
const ENGINE = new URL('http://127.0.0.1:4711/v1');
const linux = existsSync('/proc/net/tcp');

const npm = fakeNpm(START);
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  npm.remove();
});
afterEach(() => vi.unstubAllEnvs());

function start(...args: string[]) {
  vi.stubEnv('PATH', npm.PATH);
  vi.stubEnv('FOLDER', npm.work);
  vi.stubEnv('OWNER', database.ownerUrl);
  return gateway('whole', ENGINE, args);
}
const argumentsOf = (): unknown => JSON.parse(readFileSync(join(npm.work, 'arguments'), 'utf8'));

describe('a gateway that is measured', () => {
  it('is started as npm start does, empty, with the engine of the benchmark behind it', async () => {
    const peer = await start('--profile', 'on-premise');
    try {
      const [first, silent, end, ...options] = argumentsOf() as string[];
      expect([first, silent, end]).toEqual(['start', '--silent', '--']);
      expect(options.slice(0, 2)).toEqual(['--ephemeral', '--json']);
      expect(options.slice(2)).toEqual(
        ['--engine', 'http://127.0.0.1:4711', '--model', 'bench-model'].concat(['--profile', 'on-premise']),
      );
    } finally {
      await peer.stop();
    }
  });

  it('is called at its endpoint with the key of the demonstration', async () => {
    const peer = await start();
    try {
      expect(peer.target.path).toBe('/chat/v1/chat/completions');
      expect(peer.target.headers).toEqual({ authorization: 'Bearer gwk_demo' });
      const answer = await fetch(`http://127.0.0.1:${peer.target.port}/`);
      expect(answer.status).toBe(200);
    } finally {
      await peer.stop();
    }
  });

  it.runIf(linux)('has its own process and the first one of PostgreSQL, whose time counts', async () => {
    const peer = await start();
    try {
      expect(peer.pid).not.toBe(process.pid);
      expect(readFileSync(`/proc/${peer.pid}/cmdline`, 'utf8')).toContain('/bin/npm');
      const [row] = await database.sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
      expect(peer.postmaster).toBe(parentProcess(row?.pid ?? 0));
    } finally {
      await peer.stop();
    }
  });

  it('is ended in order, and waited for', async () => {
    const peer = await start();
    await peer.stop();
    expect(readFileSync(join(npm.work, 'ended'), 'utf8')).toBe('SIGINT');
    await expect(fetch(`http://127.0.0.1:${peer.target.port}/`)).rejects.toThrow('fetch failed');
  });

  it('is none where the start fails, with its exit code', async () => {
    await expect(start('--fails')).rejects.toThrow('npm start ended with 3');
  });
});
