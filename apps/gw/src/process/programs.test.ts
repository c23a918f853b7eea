import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askRepository } from '../diagnose/project.ts';
import { openWorld, type World } from '../testing/world.ts';
import { askProgram, findProgram, searchPath } from './ask-git.ts';
import type { Environment } from './environment.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

function environment(variables: Record<string, string> = {}): Environment {
  return {
    variables: new Map(Object.entries({ PATH: process.env['PATH'] ?? '', HOME: world.home, ...variables })),
    homeDirectory: world.home,
    workingDirectory: world.project,
    userName: 'casey',
    userId: null,
  };
}

const script = (name: string, body: string): string => world.write(name, `#!/bin/sh\n${body}\n`, 0o755);

describe('a program on the path', () => {
  it('is the first of its name that can be run', async () => {
    world.write('a/tool', 'no program', 0o644);
    mkdirSync(join(world.root, 'b', 'tool'), { recursive: true });
    const third = script('c/tool', 'true');
    script('d/tool', 'true');
    const PATH = ['a', 'b', 'absent', 'c', 'd'].map((name) => join(world.root, name)).join(delimiter);
    expect(await findProgram('tool', environment({ PATH }))).toBe(third);
    expect(await findProgram('other', environment({ PATH }))).toBeNull();
  });

  it('is never one of a relative directory', async () => {
    script('work/shop/tool', 'true');
    for (const PATH of ['.', '', `:${delimiter}`, `${delimiter}bin`, 'work/shop']) {
      expect(await findProgram('tool', environment({ PATH }))).toBeNull();
    }
    expect(searchPath(environment({ PATH: '/bin:' }))).toEqual({ directories: ['/bin'], relative: true });
    expect(searchPath(environment({ PATH: '/bin:/usr/bin' }))).toEqual({
      directories: ['/bin', '/usr/bin'],
      relative: false,
    });
  });

  it('is not looked for where there is no path', async () => {
    const without = { ...environment(), variables: new Map<string, string>() };
    expect(searchPath(without)).toEqual({ directories: [], relative: false });
    expect(await findProgram('sh', without)).toBeNull();
  });
});

describe('a program that is asked', () => {
  it('answers, and receives only the variables it needs', async () => {
    const asked = environment({ GATEWAY_KEY: 'secret', GIT_DIR: '/elsewhere', NODE_OPTIONS: '--bad' });
    const { code, output } = await askProgram('/usr/bin/env', [], asked, { variables: { OWN: '1' } });
    expect(code).toBe(0);
    const names = output.split('\n').map((line) => line.split('=')[0]);
    expect(new Set(names)).toEqual(new Set(['', 'HOME', 'LC_ALL', 'OWN', 'PATH']));
  });

  it('may fail, be absent, wait for input, or say too much', async () => {
    const ask = (body: string) => askProgram(script('tool', body), [], environment());
    expect(await ask('echo said; exit 3')).toEqual({ code: 3, output: 'said\n', cut: false });
    expect(await ask('kill -9 $$')).toMatchObject({ code: null, cut: false });
    expect(await ask('cat')).toEqual({ code: 0, output: '', cut: false });
    const much = await ask('yes');
    expect([much.cut, much.code]).toEqual([true, null]);
    expect(much.output.length).toBeLessThanOrEqual(4 * 1024 * 1024);
    expect(await askProgram(join(world.root, 'absent'), [], environment())).toEqual({
      code: null,
      output: '',
      cut: false,
    });
    const foreign = await askProgram(world.write('no-program', '\x7fELF', 0o755), [], environment());
    expect(foreign.code).not.toBe(0);
  });
});

describe('a program that cannot be started', () => {
  it('is one that did not answer, also where the system takes no more variables', async () => {
    const variables = { MANY: 'x'.repeat(5_000_000) };
    const answer = await askProgram('/usr/bin/env', [], environment(), { variables });
    expect(answer).toEqual({ code: null, output: '', cut: false });
  });
});

describe('a repository', () => {
  const git = async () => (await findProgram('git', environment())) ?? '';
  const ask = async () => askRepository(await git(), world.project, environment());

  it('shows its branch and counts its changes', async () => {
    world.git('init');
    expect(await ask()).toEqual({ branch: 'main', changes: 0, more: false });
    for (const name of ['a', 'b', 'c']) world.write(`work/shop/${name}`, `${name}\n`.repeat(10));
    world.git('add', '.');
    world.git('commit', '-m', 'first');
    world.git('checkout', '-b', 'feature/übung');
    world.git('mv', 'a', '? moved');
    world.write('work/shop/b', 'changed');
    world.write('work/shop/new\nline', '');
    expect(await ask()).toEqual({ branch: 'feature/übung', changes: 3, more: false });
    world.git('checkout', '--detach');
    expect(await ask()).toMatchObject({ branch: null });
  });

  it('runs nothing that it names itself', async () => {
    world.git('init');
    const touched = join(world.root, 'touched');
    const trap = script('trap', `touch ${touched}; cat`);
    world.write('work/shop/.gitattributes', '* filter=evil\n*.txt filter=e=v.il diff=evil\n');
    world.write('work/shop/a.txt', 'one');
    world.write('work/shop/b', 'one');
    world.git('add', '.');
    world.git('commit', '-m', 'first');
    for (const name of [
      'core.fsmonitor',
      'filter.evil.clean',
      'filter.e=v.il.clean',
      'filter.evil.process',
      'diff.evil.textconv',
      'core.pager',
    ])
      world.git('config', name, trap);
    world.git('config', 'filter.evil.required', 'true');
    world.git('config', 'core.hooksPath', join(world.root, 'hooks'));
    for (const hook of ['post-index-change', 'fsmonitor-watchman', 'reference-transaction'])
      script(`hooks/${hook}`, `touch ${touched}`);
    world.write('work/shop/a.txt', 'two');
    world.write('work/shop/b', 'two');
    expect(await ask()).toEqual({ branch: 'main', changes: 2, more: false });
    expect(existsSync(touched)).toBe(false);
    // The trap works: git left to itself walks into it.
    spawnSync('git', ['status'], {
      cwd: world.project,
      env: { PATH: process.env['PATH'], HOME: world.home },
    });
    expect(existsSync(touched)).toBe(true);
  });

  it.each([
    ['names more filters than are read', `head -c 5000000 /dev/zero | tr '\\0' a`],
    ['has a list of filters that breaks off', `printf 'filter.a.clean\\0'; kill -9 $$`],
    ['has settings that git cannot read', 'exit 128'],
  ])('that %s is not asked for its state, which would run them', async (_, answer) => {
    const asked = join(world.root, 'asked');
    const words = `for word in "$@"; do [ "$word" = status ] && touch ${asked}; done`;
    const fake = script('fake-git', `${words}\ncase "$*" in *--get-regexp*) ${answer};; esac`);
    expect(await askRepository(fake, world.project, environment())).toBeNull();
    expect(existsSync(asked)).toBe(false);
    const honest = script('honest-git', `${words}\ncase "$*" in *--get-regexp*) exit 1;; esac`);
    expect(await askRepository(honest, world.project, environment())).toMatchObject({ changes: 0 });
    expect(existsSync(asked)).toBe(true);
  });

  it('may be none that git can read', async () => {
    mkdirSync(join(world.project, '.git'));
    expect(await ask()).toBeNull();
    writeFileSync(join(world.project, '.git', 'HEAD'), 'nonsense');
    expect(await ask()).toBeNull();
    symlinkSync('.git', join(world.project, '.git', 'loop'));
    chmodSync(join(world.project, '.git'), 0o700);
    expect(await ask()).toBeNull();
  });
});
