import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fakeNpm } from './testing/fake-npm.ts';

/** Stands in for `npm start`: answers calls, or refuses them where it is told to, and notes that it was ended. */
const START = `
const { createServer } = require('node:http');
const { writeFileSync } = require('node:fs');
const { FOLDER, OWNER } = process.env;
const args = process.argv.slice(2);
const status = args.includes('--refuses') ? 503 : 200;
const server = createServer((request, response) => {
  request.resume().once('end', () => response.writeHead(status, { 'content-length': 2 }).end('{}'));
}).listen(0, '127.0.0.1', () => {
  const database = { owner: OWNER, gateway: OWNER };
  const gateway = 'http://127.0.0.1:' + server.address().port;
  console.log(JSON.stringify({ gateway, database, keys: { demo: 'gwk_demo' }, endpoint: 'chat' }));
});
process.on('SIGINT', () => {
  writeFileSync(FOLDER + '/ended-' + args.at(-1), '');
  process.exit(0);
});
`;
const program = (second: string): string => `
const { compare } = await import(${JSON.stringify(new URL('compare.ts', import.meta.url).href)});
const { ratio } = await import(${JSON.stringify(new URL('measures/figures.ts', import.meta.url).href)});
await compare({
  script: 'bench:example',
  measures: 'Measures an example.',
  gateways: new Map([['one', ['--option', 'first']], ['two', ['${second}', 'second']]]),
  against: ['one'],
  callers: '1,2',
  prepare: async (gateways) => console.log('prepared ' + gateways.map(({ name }) => name).join()),
  kept: 'example',
  figures: (rounds) => ({ rounds: rounds.get('two').length, ratio: ratio(rounds, 'two', 'one') }),
});
`;

let database: TestDatabase;
let npm: ReturnType<typeof fakeNpm>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  npm = fakeNpm(START);
});
afterEach(() => npm.remove());

async function run(second: string, ...options: string[]) {
  writeFileSync(join(npm.work, 'example.mjs'), program(second));
  const child = spawn(process.execPath, ['example.mjs', '--warm-up=20', '--milliseconds=30', ...options], {
    cwd: npm.work,
    env: { ...process.env, PATH: npm.PATH, FOLDER: npm.work, OWNER: database.ownerUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close') as Promise<[number]>;
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: (await ended)[0], out, err };
}
const ended = (): string[] => readdirSync(npm.work).filter((name) => name.startsWith('ended-'));

describe.runIf(existsSync('/proc/net/tcp'))('gateways that differ in one aspect', () => {
  it('are prepared, measured in rounds, and shown in a table for each number of callers', async () => {
    const { code, out, err } = await run('--option', '--rounds=2', '--json=figures.json');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^prepared one,two\n/);
    const [, ...tables] = out.split('\n\n');
    expect([out.includes('1 callers'), out.includes('2 callers'), tables.length > 0]).toEqual([true, true, true]);
    expect(out).toMatch(/^one +\d+ +1\.00 +\d+\.\d\d$/m);
    expect(out).toMatch(/^two +\d+ +\d+\.\d\d +\d+\.\d\d$/m);
    const figures = JSON.parse(readFileSync(join(npm.work, 'figures.json'), 'utf8')) as Record<string, unknown>;
    const each = { rounds: 2, ratio: expect.any(Number) as number };
    expect(figures).toEqual({ example: { 1: each, 2: each } });
  });

  it('have the numbers of callers that were asked for', async () => {
    const { out } = await run('--option', '--rounds=1', '--callers=3');
    expect([out.includes('3 callers'), out.includes('1 callers')]).toEqual([true, false]);
  });

  it('are all ended after the measurement', async () => {
    await run('--option', '--rounds=1', '--callers=1');
    expect(ended()).toEqual(['ended-first', 'ended-second']);
  });

  it('are all ended, too, where one of them refuses calls, which is named', async () => {
    const { code, err } = await run('--refuses', '--rounds=1', '--callers=1');
    expect(code).toBe(1);
    expect(err).toMatch(/two: \d+ calls failed/);
    expect(ended()).toEqual(['ended-first', 'ended-second']);
  });
});
