import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askProgram } from './testing/ask-program.ts';
import { fakeGateway } from './testing/fake-gateway.ts';
import { openWorld, type World } from './testing/world.ts';

const PROGRAM = fileURLToPath(new URL('./start.mjs', import.meta.url));

let world: World;
beforeAll(() => {
  world = openWorld();
});
afterAll(() => world.close());

const variables = (): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'] ?? '', HOME: world.home });
const gw = (...words: readonly string[]) =>
  askProgram(process.execPath, [PROGRAM, ...words], { cwd: world.project, env: variables() });

describe('gw as a process', () => {
  it.each(['18.20.4', '22.21.1'])('says which Node.js it needs under %s, and loads nothing else', async (version) => {
    const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });`;
    const words = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, PROGRAM, 'ls'];
    expect(await askProgram(process.execPath, words, { cwd: world.project, env: variables() })).toEqual({
      code: 2,
      out: '',
      err: `gw needs Node.js 24 or newer; this is ${version}.\n`,
    });
  });

  it('answers --version alone, and leaves nothing in the user’s folder', async () => {
    const { code, out, err } = await gw('--version');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
    expect(readdirSync(world.home)).toEqual([]);
  });

  it('has exit code 2 and an empty standard output for a wrong option', async () => {
    const { code, out, err } = await gw('ls', '--everything');
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^gw: .*--everything.*\n/);
  });

  it('ends with 130 at the first signal, also while a gateway that it asks says nothing', async () => {
    const asked = Promise.withResolvers<void>();
    const { url } = await fakeGateway(() => {
      asked.resolve();
      return 'silent';
    });
    const child = spawn(process.execPath, [PROGRAM, 'login', '--gateway', url], {
      cwd: world.project,
      env: variables(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(String(chunk)));
    const closed = once(child, 'close');
    await asked.promise;
    child.kill('SIGINT');
    expect((await closed)[0]).toBe(130);
    expect(said.join('')).toBe('');
  });
});
