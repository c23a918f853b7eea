import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isWithin, realPathOf, resolvePath } from './resolved-path.ts';

function world() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'gw-places-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const at = (...names: readonly string[]): string => join(root, ...names);
  for (const folder of ['project/src/deep', 'outside/deep']) mkdirSync(at(folder), { recursive: true });
  return { at, project: at('project') };
}
/** Null for what does not exist, and for a loop. */
const realPath = (path: string): string | null => {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
};

describe('the place of a path', () => {
  it.each(['src', 'src/deep', '..', '../outside/deep', '/outside', '/outside/deep', 'b', 'c'])(
    'is where the system opens it: a link to %s, and links through it',
    async (target) => {
      const { at, project } = world();
      symlinkSync(target.startsWith('/') ? at(target) : target, join(project, 'a'));
      const through = [
        'a',
        'a/deep',
        'a/..',
        'a/../deep',
        'src/../a',
        './a//deep/',
        'src/../a/../outside',
        '../project/a',
      ];
      const names = ['a', 'b', 'a/deep', 'b/deep', 'c', 'c/deep', 'a/c', 'b/b'];
      for (const second of through) {
        symlinkSync(second, join(project, 'b'));
        symlinkSync('../b/deep', join(project, 'src', 'c'));
        symlinkSync('src/c/../..', join(project, 'c'));
        for (const name of names) {
          const found = await realPathOf(join(project, name));
          expect([second, name, found]).toEqual([second, name, realPath(join(project, name)) ?? found]);
        }
        for (const name of ['b', 'c', 'src/c']) rmSync(join(project, name));
      }
    },
  );

  it('follows a link whose target goes up from another link', async () => {
    const { at, project } = world();
    writeFileSync(at('outside', 'secret.txt'), 'secret');
    writeFileSync(join(project, 'secret.txt'), 'harmless');
    symlinkSync(at('outside', 'deep'), join(project, 'folder'));
    symlinkSync('folder/../secret.txt', join(project, 'notes.txt'));
    const { path, relative } = await resolvePath('notes.txt', project, project);
    expect([readFileSync(path, 'utf8'), relative]).toEqual(['secret', null]);
  });

  it.each([
    ['src/new.ts', 'src/new.ts'],
    ['./src//new.ts', 'src/new.ts'],
    ['src/../new.ts', 'new.ts'],
    ['', ''],
    ['.', ''],
    ['..', null],
    ['../project/x', 'x'],
    ['../projects/x', null],
    ['..x', '..x'],
    ['src/deep/up/x', 'x'],
    ['out/x', null],
    ['src/absent/link/../x', 'src/absent/x'],
    ['dangling', null],
    ['chain', 'src/deep'],
    ['e\u0301', 'e\u0301'],
    ['new\nline', 'new\nline'],
  ])('%j is %j in the project', async (path, relative) => {
    const { at, project } = world();
    symlinkSync('../..', join(project, 'src', 'deep', 'up'));
    symlinkSync(at('outside'), join(project, 'out'));
    symlinkSync('../outside/absent', join(project, 'dangling'));
    symlinkSync('second', join(project, 'chain'));
    symlinkSync('src/deep', join(project, 'second'));
    expect((await resolvePath(path, project, project)).relative).toBe(relative);
  });

  it('begins at the working directory, not at the project', async () => {
    const { project } = world();
    const directory = join(project, 'src');
    expect((await resolvePath('../x', project, directory)).relative).toBe('x');
    expect((await resolvePath('deep', project, directory)).relative).toBe('src/deep');
    expect((await resolvePath('../../x', project, directory)).relative).toBeNull();
  });

  it.each(['self', 'one', 'one/x', 'inner/x'])('ends for links that form a loop: %s', async (path) => {
    const { project } = world();
    symlinkSync('self', join(project, 'self'));
    symlinkSync('two', join(project, 'one'));
    symlinkSync('one', join(project, 'two'));
    symlinkSync('inner/deeper', join(project, 'inner'));
    expect((await resolvePath(path, project, project)).path).toMatch(new RegExp(`^${project}/`));
  });
});

it.each([
  ['/a', '/a', true],
  ['/a', '/a/b', true],
  ['/a', '/ab', false],
  ['/a/b', '/a', false],
  [null, '/a', false],
  ['/a', undefined, false],
])('within %j is %j: %s', (folder, path, expected) => {
  expect(isWithin(folder, path)).toBe(expected);
});
