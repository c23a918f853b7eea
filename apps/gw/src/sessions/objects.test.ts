import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import { createSnapshots } from './snapshots.ts';

const run = promisify(execFile);

/** A project with `src/a.txt`, a folder beside it that is none of its own, and a turn that runs one command. */
async function world(git: boolean) {
  const root = temporaryFolder();
  const [project, outside] = [join(root, 'project'), join(root, 'outside')];
  await mkdir(join(project, 'src'), { recursive: true });
  await mkdir(outside);
  await writeFile(join(project, 'src', 'a.txt'), 'alpha\n');
  if (git) {
    await run('git', ['init', '-q', project]);
    await run('git', ['add', '-A'], { cwd: project });
  }
  const snapshots = createSnapshots(project, join(root, 'kept'));
  const turn = async (command: string): Promise<void> => {
    await snapshots.begin(1);
    await snapshots.beforeCommand();
    await run('/bin/sh', ['-c', command], { cwd: project });
    await snapshots.afterCommand();
    await snapshots.end();
  };
  const read = (...names: string[]): Promise<string | null> => readFile(join(root, ...names), 'utf8').catch(() => null);
  return { project, outside, snapshots, turn, read };
}

describe.each([true, false])('undo (git: %s)', (git) => {
  it('writes nothing through a folder that became a link, and restores the folder', async () => {
    const { outside, snapshots, turn, read } = await world(git);
    await turn('mv src old && ln -s ../outside src');
    expect((await snapshots.undo(1))?.conflicts).toEqual([]);
    expect(await readdir(outside)).toEqual([]);
    expect(await read('project', 'src', 'a.txt')).toBe('alpha\n');
    expect(await read('project', 'old', 'a.txt')).toBeNull();
  });
  it('changes no file of the same name behind such a link', async () => {
    const { outside, snapshots, turn, read } = await world(git);
    await writeFile(join(outside, 'a.txt'), 'not of the project\n');
    await turn('rm -r src && ln -s ../outside src');
    expect((await snapshots.undo(1))?.conflicts).toEqual([]);
    expect([await read('outside', 'a.txt'), await read('project', 'src', 'a.txt')]).toEqual([
      'not of the project\n',
      'alpha\n',
    ]);
    expect((await snapshots.redo(1))?.conflicts).toEqual([]);
    expect([await read('outside', 'a.txt'), await read('project', 'src', 'a.txt')]).toEqual([
      'not of the project\n',
      'not of the project\n',
    ]);
  });
  it('leaves alone a folder that somebody made a link since', async () => {
    const { project, outside, snapshots, turn, read } = await world(git);
    await turn('echo beta > src/a.txt');
    await writeFile(join(outside, 'a.txt'), 'beta\n');
    await run('/bin/sh', ['-c', 'mv src old && ln -s ../outside src'], { cwd: project });
    expect(await snapshots.undo(1)).toMatchObject({ files: [], conflicts: ['src/a.txt'] });
    expect(await read('outside', 'a.txt')).toBe('beta\n');
  });
  it('restores a folder that became a file, and redo the file', async () => {
    const { snapshots, turn, read } = await world(git);
    await turn('rm -r src && echo file > src');
    expect(await snapshots.undo(1)).toMatchObject({ files: ['src', 'src/a.txt'], conflicts: [] });
    expect(await read('project', 'src', 'a.txt')).toBe('alpha\n');
    expect(await snapshots.redo(1)).toMatchObject({ files: ['src', 'src/a.txt'], conflicts: [] });
    expect(await read('project', 'src')).toBe('file\n');
  });
  it('restores a file that became a folder, and redo the folder', async () => {
    const { snapshots, turn, read } = await world(git);
    await turn('rm src/a.txt && mkdir src/a.txt && echo new > src/a.txt/new.txt');
    expect(await snapshots.undo(1)).toMatchObject({ conflicts: [] });
    expect(await read('project', 'src', 'a.txt')).toBe('alpha\n');
    expect(await snapshots.redo(1)).toMatchObject({ conflicts: [] });
    expect(await read('project', 'src', 'a.txt', 'new.txt')).toBe('new\n');
  });
  it('restores names with blanks, quotes and letters beyond ASCII', async () => {
    const { snapshots, turn, read } = await world(git);
    await turn(`echo x > "größe \\"东京\\".txt"; printf 'y' > 'new
line'; rm src/a.txt`);
    expect((await snapshots.undo(1))?.files).toHaveLength(3);
    expect([await read('project', 'größe "东京".txt'), await read('project', 'src', 'a.txt')]).toEqual([
      null,
      'alpha\n',
    ]);
  });
});

it('copies of one content that several sessions make at once do not disturb each other', async () => {
  const root = temporaryFolder();
  const names = Array.from({ length: 12 }, (_, at) => join(root, `${at}.txt`));
  for (const name of names) await writeFile(name, 'the same\n');
  const sessions = names.map(() => createSnapshots(root, join(root, 'kept')));
  const copied = sessions.map((session, at) => session.beforeWrite(names[at] ?? ''));
  expect((await Promise.allSettled(copied)).map(({ status }) => status)).toEqual(names.map(() => 'fulfilled'));
});
