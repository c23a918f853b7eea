import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorld, type World } from '../testing/world.ts';
import { listSourceFiles } from './code-map.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

function put(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(world.project, path)), { recursive: true });
    writeFileSync(join(world.project, path), '');
  }
}
async function listed(repository = false) {
  const { environment } = world.context();
  const found = await listSourceFiles({ directory: world.project, repository, foreign: false }, environment);
  return {
    sources: found.sources.map(({ path }) => path),
    manifests: found.manifests.map(({ path }) => path),
    tooLarge: found.tooLarge,
  };
}

describe.each([
  ['with git', true],
  ['without git', false],
])('the sources of a project %s', (_, repository) => {
  const begin = (): void => (repository ? world.git('init', '-q') : undefined);

  it('are its files of known languages, sorted, under any name', async () => {
    begin();
    put('z.ts', 'a b/ö.py', 'a b/-x.rs', 'quote".go', 'line\nend.c', 'README.md', 'Makefile', 'x.TS', '.ts', 'no');
    expect((await listed(repository)).sources).toEqual(['a b/-x.rs', 'a b/ö.py', 'line\nend.c', 'quote".go', 'z.ts']);
  });

  it('are not those of installed packages, at any depth', async () => {
    begin();
    put('node_modules/a/b.js', 'app/node_modules/.pnpm/c.js', 'app/node_modules.ts', 'my_node_modules/d.js');
    expect((await listed(repository)).sources).toEqual(['app/node_modules.ts', 'my_node_modules/d.js']);
  });

  it('come with the manifests that imports are resolved with', async () => {
    begin();
    const manifests = [
      'package.json',
      'app/tsconfig.build.json',
      'go.mod',
      'Cargo.toml',
      'x/build.gradle.kts',
      'Gemfile',
    ];
    put(...manifests, 'package-lock.json', 'my-package.json', 'tsconfig.txt', 'go.sum', 'setup.py');
    const found = await listed(repository);
    expect(found.manifests).toEqual([...manifests, 'setup.py'].toSorted());
    expect(found.sources).toEqual(['setup.py', 'x/build.gradle.kts']);
  });

  it('are named, not read, where they are too large to be written by hand', async () => {
    begin();
    put('least.ts', 'most.ts', 'package.json');
    truncateSync(join(world.project, 'most.ts'), 1024 * 1024 + 1);
    truncateSync(join(world.project, 'least.ts'), 1024 * 1024);
    truncateSync(join(world.project, 'package.json'), 1024 * 1024 + 1);
    expect(await listed(repository)).toEqual({ sources: ['least.ts'], manifests: [], tooLarge: ['most.ts'] });
  });

  it('are no links, folders or files that are gone', async () => {
    begin();
    put('a.ts', 'gone.ts', 'folder.ts/b.ts');
    symlinkSync('a.ts', join(world.project, 'link.ts'));
    symlinkSync('nowhere.ts', join(world.project, 'broken.ts'));
    symlinkSync('.', join(world.project, 'circle'));
    const before = { repository };
    if (before.repository) world.git('add', '-A');
    rmSync(join(world.project, 'gone.ts'));
    expect((await listed(repository)).sources).toEqual(['a.ts', 'folder.ts/b.ts']);
  });
});

describe('the sources of a project without git', () => {
  it('are not those of hidden directories, builds and environments', async () => {
    put(
      '.venv/a.py',
      '.git/hooks/b.py',
      'dist/c.js',
      'app/build/d.js',
      'target/e.rs',
      'venv/f.py',
      'vendor/g.go',
      'h.py',
    );
    put('building/i.js', '.hidden.js');
    expect((await listed()).sources).toEqual(['.hidden.js', 'building/i.js', 'h.py']);
  });
});

describe('the sources of a repository', () => {
  it('are all that git tracks or would add, also in hidden directories and builds', async () => {
    world.git('init', '-q');
    put('.github/a.js', 'dist/b.js', 'vendor/c.go', 'ignored/d.ts', 'kept/e.ts');
    writeFileSync(join(world.project, '.gitignore'), 'ignored/\nkept/\n');
    world.git('add', '-f', 'kept/e.ts');
    expect((await listed(true)).sources).toEqual(['.github/a.js', 'dist/b.js', 'kept/e.ts', 'vendor/c.go']);
  });

  it('are each listed once in the middle of a merge', async () => {
    world.git('init', '-q');
    put('a.ts');
    world.git('add', '-A');
    world.git('commit', '-q', '-m', 'one');
    for (const branch of ['left', 'right']) {
      world.git('checkout', '-q', '-b', branch, 'main');
      writeFileSync(join(world.project, 'a.ts'), `export const side = '${branch}';\n`);
      world.git('commit', '-q', '-a', '-m', branch);
    }
    expect(() => world.git('merge', '-q', 'left')).toThrow('Command failed');
    expect((await listed(true)).sources).toEqual(['a.ts']);
  });

  it('are found by walking where git answers nothing', async () => {
    put('a.ts', '.venv/b.py');
    expect((await listed(true)).sources).toEqual(['a.ts']);
  });
});
