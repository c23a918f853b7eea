import { execFile } from 'node:child_process';
import { chmod, lstat, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readEnvironment } from '../process/environment.ts';
import { createGitIndex, createSnapshots } from './snapshots.ts';

const run = promisify(execFile);
async function world(git = true) {
  const project = await realpath(await mkdtemp(join(tmpdir(), 'gw-undo-')));
  const kept = await mkdtemp(join(tmpdir(), 'gw-kept-'));
  onTestFinished(() =>
    Promise.all([project, kept].map((one) => rm(one, { recursive: true, force: true }))).then(() => undefined),
  );
  const at = (name: string): string => join(project, name);
  await writeFile(at('a.txt'), 'alpha\n');
  await writeFile(at('b.txt'), 'beta\n');
  if (git) await run('git', ['init', '-q', project]);
  const index = git ? createGitIndex(project, kept, readEnvironment()) : undefined;
  const snapshots = createSnapshots(project, kept, { index });
  const shell = async (command: string): Promise<void> => {
    await snapshots.beforeCommand();
    await run('/bin/sh', ['-c', command], { cwd: project });
    await snapshots.afterCommand();
  };
  return { project, at, snapshots, shell, read: (name: string) => readFile(at(name), 'utf8') };
}

it.each([true, false])(
  'restores what a turn changed, made and deleted, by tools and by commands (git: %s)',
  async (git) => {
    const { at, snapshots, shell, read } = await world(git);
    await chmod(at('b.txt'), 0o755);
    await snapshots.begin(1);
    await snapshots.beforeWrite(at('a.txt'));
    await writeFile(at('a.txt'), 'CHANGED\n');
    await snapshots.beforeWrite(at('new.txt'));
    await writeFile(at('new.txt'), 'new\n');
    await shell('rm b.txt; mkdir -p d; echo made > d/made.txt; echo more >> a.txt');
    await snapshots.end();
    expect(await snapshots.undo(1)).toEqual({
      turn: 1,
      files: ['a.txt', 'b.txt', 'd/made.txt', 'new.txt'],
      conflicts: [],
    });
    expect([await read('a.txt'), await read('b.txt'), (await stat(at('b.txt'))).mode & 0o777]).toEqual([
      'alpha\n',
      'beta\n',
      0o755,
    ]);
    await expect(read('new.txt')).rejects.toThrow('ENOENT');
    await expect(read('d/made.txt')).rejects.toThrow('ENOENT');
    expect((await snapshots.redo(1))?.files).toHaveLength(4);
    expect([await read('a.txt'), await read('d/made.txt')]).toEqual(['CHANGED\nmore\n', 'made\n']);
    await expect(read('b.txt')).rejects.toThrow('ENOENT');
    expect(await snapshots.redo(1)).toBeNull();
  },
);

it('goes back turn by turn and leaves alone what somebody else changed since', async () => {
  const { at, snapshots, shell, read } = await world();
  for (const turn of [1, 2]) {
    await snapshots.begin(turn);
    await shell(`echo ${turn} > a.txt; echo ${turn} > b.txt`);
    await snapshots.end();
  }
  await writeFile(at('b.txt'), 'mine\n');
  expect(await snapshots.undo(2)).toEqual({ turn: 2, files: ['a.txt'], conflicts: ['b.txt'] });
  expect([await read('a.txt'), await read('b.txt')]).toEqual(['1\n', 'mine\n']);
  expect((await snapshots.undo(1))?.turn).toBe(1);
  expect(await read('a.txt')).toBe('alpha\n');
  expect(await snapshots.undo(1)).toBeNull();
});

it('a turn that changed nothing is none, and a new one ends what could be redone', async () => {
  const { snapshots, shell } = await world();
  await snapshots.begin(1);
  await shell('cat a.txt');
  await snapshots.end();
  expect(await snapshots.undo(1)).toBeNull();
  for (const text of ['x', 'y']) {
    await snapshots.begin(2);
    await shell(`echo ${text} > a.txt`);
    await snapshots.end();
    if (text === 'x') await snapshots.undo(2);
  }
  expect(await snapshots.redo(2)).toBeNull();
});

it('never touches git’s own state, and restores links as links', async () => {
  const { project, at, snapshots, shell } = await world();
  await symlink('a.txt', at('link'));
  await run('git', ['add', '-A'], { cwd: project });
  const index = await readFile(at('.git/index'));
  await snapshots.begin(1);
  await shell('rm link; echo x > link; echo x > .git/description');
  await snapshots.end();
  expect((await snapshots.undo(1))?.files).toEqual(['link']);
  expect([
    (await lstat(at('link'))).isSymbolicLink(),
    (await readFile(at('.git/index'))).equals(index),
    await readFile(at('.git/description'), 'utf8'),
  ]).toEqual([true, true, 'x\n']);
  expect(await readdir(project)).toEqual(['.git', 'a.txt', 'b.txt', 'link']);
});

it('commands that overlap are both undone', async () => {
  const { at, snapshots, read } = await world();
  await snapshots.begin(1);
  await Promise.all([snapshots.beforeCommand(), snapshots.beforeCommand()]);
  await writeFile(at('a.txt'), 'one\n');
  await snapshots.afterCommand();
  await writeFile(at('b.txt'), 'two\n');
  await snapshots.afterCommand();
  await snapshots.end();
  expect((await snapshots.undo(1))?.files).toEqual(['a.txt', 'b.txt']);
  expect([await read('a.txt'), await read('b.txt')]).toEqual(['alpha\n', 'beta\n']);
});

describe('with the index of git', () => {
  const committed = async () => {
    const one = await world();
    const git = (...args: string[]) =>
      run('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], { cwd: one.project });
    await writeFile(one.at('.gitignore'), 'secret.txt\n');
    await writeFile(one.at('secret.txt'), 'mine\n');
    await git('add', '-A');
    await git('commit', '-q', '-m', 'one');
    return { ...one, git };
  };

  it('a command that commits, and one that switches branches, are undone as any other', async () => {
    const { git, snapshots, shell, read } = await committed();
    await git('switch', '-q', '-c', 'other');
    await snapshots.begin(1);
    await shell('echo changed > a.txt; git -c user.name=x -c user.email=x@x commit -qam two; rm b.txt');
    await snapshots.end();
    await snapshots.begin(2);
    await shell('git checkout -q -- b.txt && git checkout -q master 2>/dev/null || git checkout -q main');
    await snapshots.end();
    expect(await read('a.txt')).toBe('alpha\n');
    expect((await snapshots.undo(2))?.files).toEqual(['a.txt', 'b.txt']);
    expect(await read('a.txt')).toBe('changed\n');
    expect((await snapshots.undo(1))?.files).toEqual(['a.txt', 'b.txt']);
    expect([await read('a.txt'), await read('b.txt')]).toEqual(['alpha\n', 'beta\n']);
  });

  it('a file that is not ignored any more stays', async () => {
    const { snapshots, shell, read } = await committed();
    await new Promise((resolve) => setTimeout(resolve, 2100));
    await snapshots.begin(1);
    await shell('echo > .gitignore');
    await snapshots.end();
    expect((await snapshots.undo(1))?.files).toEqual(['.gitignore']);
    expect(await read('secret.txt')).toBe('mine\n');
  });

  it('a file that git converts is not restored in another form', async () => {
    const { at, git, snapshots, shell, read } = await committed();
    await git('config', 'core.autocrlf', 'true');
    await writeFile(at('a.txt'), 'one\r\n');
    await git('add', '-A');
    await snapshots.begin(1);
    await shell('echo two > a.txt');
    await snapshots.end();
    expect(await snapshots.undo(1)).toMatchObject({ conflicts: ['a.txt'] });
    expect(await read('a.txt')).toBe('two\n');
  });
});
