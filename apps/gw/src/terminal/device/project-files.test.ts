import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/folder.ts';
import { projectFiles } from './local-host.ts';

function projectOf(...files: readonly string[]): string {
  const project = temporaryFolder();
  for (const file of files) {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), '');
  }
  return project;
}
const git = (project: string, ...args: string[]): void => void execFileSync('git', args, { cwd: project });

describe('the files of a project', () => {
  it('are those that git tracks or would track, and not what it ignores', async () => {
    const project = projectOf('a.ts', 'src/b.ts', 'build/c.js', 'new.ts');
    writeFileSync(join(project, '.gitignore'), 'build\n');
    git(project, 'init', '--quiet');
    git(project, 'add', 'a.ts', 'src');
    expect([...(await projectFiles(project))].toSorted()).toEqual(['.gitignore', 'a.ts', 'new.ts', 'src/b.ts']);
  });

  it('are on disk: a tracked file that was deleted is not offered', async () => {
    const project = projectOf('a.ts', 'gone.ts', 'gone/too.ts');
    git(project, 'init', '--quiet');
    git(project, 'add', '.');
    rmSync(join(project, 'gone.ts'));
    rmSync(join(project, 'gone'), { recursive: true });
    expect(await projectFiles(project)).toEqual(['a.ts']);
  });

  it('have their names whole, with blanks, quotes, line ends and letters of any script', async () => {
    const names = ['a b.ts', '"q".ts', 'line\nend.ts', 'Ünï 東京.ts'];
    const project = projectOf(...names);
    git(project, 'init', '--quiet');
    expect([...(await projectFiles(project))].toSorted()).toEqual(names.toSorted());
  });

  it('are found without git, too, without the folders of packages and builds', async () => {
    const project = projectOf('a.ts', 'src/deep/b.ts', 'node_modules/x/index.js', 'dist/a.js', '.venv/lib.py');
    expect(await projectFiles(project)).toEqual(['a.ts', 'src/deep/b.ts']);
  });

  it('are none in an empty folder', async () => {
    expect(await projectFiles(temporaryFolder())).toEqual([]);
  });
});
