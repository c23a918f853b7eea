import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Environment, readEnvironment } from './environment.ts';
import { readMachine } from './machine.ts';

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gw-environment-')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a process of its own reads under these variables, from this directory. */
function readUnder(variables: Record<string, string>, before = `cd '${folder}'`): Omit<Environment, 'variables'> {
  const program = `import('${new URL('./environment.ts', import.meta.url).href}').then(({ readEnvironment }) =>
    console.log(JSON.stringify({ ...readEnvironment(), variables: null })));`;
  const words = ['-c', `${before} && exec "$0" -e "$1"`, process.execPath, program];
  return JSON.parse(execFileSync('sh', words, { encoding: 'utf8', env: variables })) as Omit<Environment, 'variables'>;
}

describe('the environment', () => {
  it('contains the variables with a value', () => {
    process.env['GW_TEST_EMPTY'] = '';
    process.env['GW_TEST_SET'] = 'value';
    const { variables } = readEnvironment();
    delete process.env['GW_TEST_EMPTY'];
    delete process.env['GW_TEST_SET'];
    expect([variables.has('GW_TEST_EMPTY'), variables.get('GW_TEST_SET')]).toEqual([false, 'value']);
    expect(readEnvironment().variables.has('GW_TEST_SET')).toBe(false);
  });

  it('knows home, directory and user', () => {
    const environment = readEnvironment();
    expect(environment).toMatchObject({ workingDirectory: process.cwd(), userName: userInfo().username });
    expect([homedir(), null]).toContain(environment.homeDirectory);
    expect(environment.userId).toBe(process.getuid?.() ?? null);
  });

  it('uses home as configured, even if it is a link, and the resolved working directory', () => {
    mkdirSync(join(folder, 'home'));
    symlinkSync('home', join(folder, 'by-link'));
    const read = readUnder({ HOME: join(folder, 'by-link') }, `cd '${join(folder, 'by-link')}'`);
    expect(read).toMatchObject({ homeDirectory: join(folder, 'by-link'), workingDirectory: join(folder, 'home') });
  });

  it('has no home if it is the root or not absolute, and no directory if it was deleted', () => {
    for (const HOME of ['/', 'casey', '~']) expect(readUnder({ HOME }).homeDirectory).toBeNull();
    const gone = join(folder, 'gone');
    expect(
      readUnder({ HOME: folder }, `mkdir '${gone}' && cd '${gone}' && rmdir '${gone}'`).workingDirectory,
    ).toBeNull();
  });
});

describe('the machine', () => {
  it('is described in texts that name neither it nor its owner', () => {
    const machine = readMachine();
    expect(machine).toMatchObject({ node: process.versions.node, platform: process.platform });
    for (const text of Object.values(machine)) expect(text).toMatch(/^.+$/);
    expect(Intl.DateTimeFormat('en', { timeZone: machine.timeZone }).format(0)).not.toBe('');
  });
});
