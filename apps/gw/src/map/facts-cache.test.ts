import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutPrivileges } from '../testing/rights.ts';
import { cachePath, readCodeMap } from './code-map.ts';
import { arrowsOf, projectOf } from './testing/project.ts';

const FILES = {
  'a.ts': "import './b';\n",
  'b.ts': "import './c';\n",
  'c.ts': '',
  'd.ts': '',
};
/** Beyond the age at which a file that was written with the cache could have changed unseen. */
const OLD = new Date('2026-01-01T00:00:00Z');
const NOW = new Date('2026-01-02T00:00:00Z');

/** A project of old files, and a map that is read with the cache of the last. */
function world(files: Readonly<Record<string, string>> = FILES) {
  const { directory, environment } = projectOf(files);
  const put = (path: string, text: string, modified = OLD): void => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
    utimesSync(join(directory, path), modified, modified);
  };
  for (const [path, text] of Object.entries(files)) put(path, text);
  const project = { directory, repository: false, foreign: false };
  const cache = cachePath(environment.homeDirectory, directory) ?? '';
  return {
    directory,
    environment,
    cache,
    put,
    map: async (withUses = false, home = environment.homeDirectory) =>
      readCodeMap(project, { ...environment, homeDirectory: home }, NOW, withUses),
    arrows: async () => arrowsOf(await readCodeMap(project, environment, NOW, false)),
  };
}

describe('a map that is read again', () => {
  it('reads no file that has kept its size and its time', async () => {
    const { arrows, put } = world();
    expect(await arrows()).toEqual(['a.ts -> b.ts', 'b.ts -> c.ts']);
    put('a.ts', "import './d';\n"); // as long as before, and as old
    expect(await arrows()).toEqual(['a.ts -> b.ts', 'b.ts -> c.ts']);
  });

  it('reads files again that have another size, or another time', async () => {
    const { arrows, put } = world();
    await arrows();
    put('a.ts', "import './d'; //\n");
    put('b.ts', "import './d';\n", new Date('2026-01-01T00:00:01Z'));
    expect(await arrows()).toEqual(['a.ts -> d.ts', 'b.ts -> d.ts']);
  });

  it('reads files again that were written as late as the cache, however often', async () => {
    const { arrows, put } = world();
    put('a.ts', "import './b';\n", NOW);
    await arrows();
    put('a.ts', "import './c';\n", NOW);
    expect(await arrows()).toContain('a.ts -> c.ts');
    put('a.ts', "import './d';\n", NOW);
    expect(await arrows()).toContain('a.ts -> d.ts');
  });

  it('resolves what it has not read again, too, to files that came and went', async () => {
    const { arrows, put, directory } = world();
    await arrows();
    rmSync(join(directory, 'b.ts'));
    expect(await arrows()).toEqual([]);
    put('b/index.ts', "import '../a';\n");
    expect(await arrows()).toEqual(['a.ts -> b/index.ts', 'b/index.ts -> a.ts']);
  });

  it('resolves by a manifest that changed while no source did', async () => {
    const { arrows, put } = world({ ...FILES, 'a.ts': "import '~/x';\n", 'one/x.ts': '', 'two/x.ts': '' });
    const manifest = (target: string) => JSON.stringify({ compilerOptions: { paths: { '~/*': [target] } } });
    put('tsconfig.json', manifest('./one/*'));
    expect(await arrows()).toContain('a.ts -> one/x.ts');
    put('tsconfig.json', manifest('./two/*'));
    expect(await arrows()).toContain('a.ts -> two/x.ts');
  });

  it('has the uses of symbols where they are wanted now, and were not before', async () => {
    const { map } = world({ 'a.ts': 'export const one = two;\n' });
    expect((await map(false)).facts.get('a.ts')).toMatchObject({ hasUses: false, identifiers: [] });
    expect((await map(true)).facts.get('a.ts')?.identifiers).toContain('two');
    expect((await map(false)).facts.get('a.ts')).toMatchObject({ hasUses: true });
  });

  it('forgets files that are gone', async () => {
    const { arrows, cache, directory, put } = world();
    await arrows();
    rmSync(join(directory, 'd.ts'));
    put('e.ts', '');
    await arrows();
    const { files } = JSON.parse(readFileSync(cache, 'utf8')) as { files: Record<string, unknown> };
    expect(Object.keys(files)).toEqual(['a.ts', 'b.ts', 'c.ts', 'e.ts']);
  });
});

describe('the cache of a map', () => {
  it('is its owner’s alone, and one per project', async () => {
    const { map, cache } = world();
    await map();
    expect([statSync(cache).mode & 0o777, statSync(dirname(cache)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readdirSync(dirname(cache))).toHaveLength(1);
    expect(cachePath('/home/casey', '/work/one')).not.toBe(cachePath('/home/casey', '/work/two'));
  });

  it.each(['', '{', 'null', '[]', '7', '{"format":"another"}', '{"files":{}}'])(
    'that is damaged, as %j, is an empty one, and is replaced',
    async (text) => {
      const { arrows, cache } = world();
      mkdirSync(dirname(cache), { recursive: true });
      writeFileSync(cache, text);
      expect(await arrows()).toEqual(['a.ts -> b.ts', 'b.ts -> c.ts']);
      expect(JSON.parse(readFileSync(cache, 'utf8'))).toMatchObject({
        files: { 'a.ts': expect.any(Array) as unknown },
      });
    },
  );

  it('that cannot be written costs nothing but time, and leaves no file behind', async () => {
    const { arrows, environment, cache } = world();
    chmodSync(environment.homeDirectory ?? '', 0o555);
    expect(await withoutPrivileges(arrows)).toEqual(['a.ts -> b.ts', 'b.ts -> c.ts']);
    chmodSync(environment.homeDirectory ?? '', 0o755);
    mkdirSync(cache, { recursive: true }); // a folder where the file should be
    expect(await arrows()).toEqual(['a.ts -> b.ts', 'b.ts -> c.ts']);
    expect(readdirSync(dirname(cache))).toHaveLength(1);
  });

  it('is not kept for a user without home', async () => {
    const { map, directory } = world();
    expect(arrowsOf(await map(false, null))).toEqual(['a.ts -> b.ts', 'b.ts -> c.ts']);
    expect(readdirSync(directory).toSorted()).toEqual(Object.keys(FILES));
  });

  it('serves two runs that write it at once', async () => {
    const { arrows, cache } = world();
    const both = await Promise.all([arrows(), arrows()]);
    expect(both[0]).toEqual(both[1]);
    expect(readdirSync(dirname(cache))).toHaveLength(1);
    expect(await arrows()).toEqual(both[0]);
  });
});
