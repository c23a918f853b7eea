import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenAway } from '../testing/rights.ts';
import { findProject, staysWithin } from './project.ts';

let root: string;
const me = process.getuid?.() ?? null;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gw-project-')));
  mkdirSync(join(root, 'repository', '.git'), { recursive: true });
  mkdirSync(join(root, 'repository', 'deep', 'down'), { recursive: true });
  mkdirSync(join(root, 'repository', '.gateway'));
  mkdirSync(join(root, 'worktree'));
  writeFileSync(join(root, 'worktree', '.git'), 'gitdir: ../repository/.git/worktrees/x\n');
  mkdirSync(join(root, 'plain', 'deep'), { recursive: true });
  mkdirSync(join(root, 'plain', '.gateway'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('the project of a directory', () => {
  it.each([
    ['repository', 'repository', true],
    ['repository/deep/down', 'repository', true],
    ['repository/.git', 'repository', true],
    ['worktree', 'worktree', true],
    ['plain', 'plain', false],
    // Without a repository, parent directories do not count: /tmp/.gateway would apply to all users.
    ['plain/deep', 'plain/deep', false],
  ])('%s is %s', async (from, directory, repository) => {
    expect(await findProject(join(root, from), me)).toEqual({
      directory: join(root, directory),
      repository,
      foreign: false,
    });
  });

  it('may belong to somebody else', async () => {
    const theirs = join(root, 'repository');
    expect(await findProject(join(theirs, 'deep'), givenAway(theirs))).toMatchObject({
      directory: theirs,
      foreign: true,
    });
    // On systems without numeric user ids, the owner is unknown.
    expect(await findProject(theirs, null)).toMatchObject({ foreign: false });
  });

  it('is the directory itself if it was deleted', async () => {
    const gone = join(root, 'gone');
    expect(await findProject(gone, me)).toEqual({ directory: gone, repository: false, foreign: false });
  });
});

describe('a path of the project', () => {
  it('stays within it, or leaves it by a link', async () => {
    const at = join(root, 'plain');
    writeFileSync(join(at, 'file'), '');
    writeFileSync(join(at, '..file'), '');
    symlinkSync('file', join(at, 'inside'));
    symlinkSync('../worktree/.git', join(at, 'outside'));
    symlinkSync('/', join(at, 'deep', 'up'));
    symlinkSync('nowhere', join(at, 'dangling'));
    symlinkSync('loop', join(at, 'loop'));
    for (const name of ['file', '..file', 'inside', 'deep', 'dangling', 'loop', 'absent', '.'])
      expect([name, await staysWithin(at, join(at, name))]).toEqual([name, true]);
    for (const name of ['outside', 'deep/up', 'deep/up/etc', '..'])
      expect([name, await staysWithin(at, join(at, name))]).toEqual([name, false]);
  });

  it('is known though the project itself is reached by a link', async () => {
    symlinkSync(join(root, 'plain'), join(root, 'by-link'));
    expect(await staysWithin(join(root, 'by-link'), join(root, 'by-link', 'file'))).toBe(true);
    expect(await staysWithin(join(root, 'by-link'), join(root, 'by-link', 'outside'))).toBe(false);
  });
});
