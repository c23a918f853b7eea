import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorld, type World } from '../../testing/world.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const put = (files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(world.project, path)), { recursive: true });
    writeFileSync(join(world.project, path), text);
  }
};
const map = async (...args: readonly string[]) => {
  const { code, out, err } = await world.gw(['map', '--format', 'json', ...args]);
  const { nodes, edges, changed } = JSON.parse(out) as {
    readonly nodes: readonly { readonly id: string }[];
    readonly edges: readonly { readonly from: string; readonly to: string }[];
    readonly changed: readonly string[];
  };
  return {
    code,
    err,
    ids: nodes.map(({ id }) => id),
    arrows: edges.map(({ from, to }) => `${from} -> ${to}`),
    changed,
  };
};
const CHAIN = {
  'a/one.ts': "import { two } from '../b/two.ts';\nexport const one = two;\n",
  'b/two.ts': "import { three } from '../c/three.ts';\nexport const two = three;\n",
  'c/three.ts': "import { four } from '../d/four.ts';\nexport const three = four;\n",
  'd/four.ts': 'export const four = 4;\n',
};

describe('a map around a node', () => {
  it.each([
    ['0', ['b']],
    ['1', ['a', 'b', 'c']],
    ['2', ['a', 'b', 'c', 'd']],
    ['100', ['a', 'b', 'c', 'd']],
  ])('goes --depth %s imports away, in both directions', async (depth, ids) => {
    put(CHAIN);
    expect((await map('--focus', 'b', '--depth', depth)).ids).toEqual(ids);
  });

  it.each(['b', './b', 'b/', './b/'])('takes the name as a shell completes it: %s', async (focus) => {
    put(CHAIN);
    expect((await map('--focus', focus, '--depth', '0')).ids).toEqual(['b']);
  });

  it('is drawn at the level of packages and of symbols, too', async () => {
    put({
      ...CHAIN,
      'package.json': '{"name":"shop"}',
      'e/package.json': '{"name":"other"}',
      'e/five.ts': "import { one } from '../a/one.ts';\nexport const five = one;\n",
    });
    expect((await map('--level', 'package')).arrows).toEqual(['e -> .']);
    expect((await map('--level', 'symbol', '--focus', 'c/three.ts#three')).ids).toContain('c/three.ts#three');
  });

  it('that is not there says what may be meant, or how to find the names', async () => {
    put(CHAIN);
    const near = await world.gw(['map', '--level', 'file', '--focus', 'four']);
    expect([near.code, near.err]).toEqual([
      2,
      'gw: --focus: there is no node "four" at level file. Did you mean d/four.ts?\n',
    ]);
    const far = await world.gw(['map', '--focus', 'zzz']);
    expect(far.err).toBe('gw: --focus: there is no node "zzz" at level dir. gw map --format json lists the nodes.\n');
  });
});

describe('a map of a change', () => {
  const commit = (message: string): void => {
    world.git('add', '-A');
    world.git('commit', '-qm', message);
  };

  it('has commits of the branch and what is not committed, and nothing of the main branch', async () => {
    put(CHAIN);
    world.git('init', '-q');
    commit('Start');
    world.git('switch', '-qc', 'work');
    put({ 'd/four.ts': 'export const four = 5;\n' });
    commit('Mine');
    world.git('switch', '-q', 'main');
    put({ 'a/one.ts': 'export const one = 1;\n' });
    commit('Of main');
    world.git('switch', '-q', 'work');
    put({ 'with blank é/new.ts': 'export {};\n' });
    expect((await map('--pr', '--level', 'file', '--depth', '0')).changed).toEqual([
      'd/four.ts',
      'with blank é/new.ts',
    ]);
  });

  it('of symbols marks those of the changed files', async () => {
    put(CHAIN);
    world.git('init', '-q');
    commit('Start');
    put({ 'd/four.ts': 'export const four = 5;\nexport function five() {}\n' });
    expect((await map('--pr', '--level', 'symbol')).changed).toEqual(['d/four.ts#five', 'd/four.ts#four']);
  });

  it('leaves out a file that is gone, and says where nothing is changed', async () => {
    put(CHAIN);
    world.git('init', '-q');
    commit('Start');
    expect(await map('--pr')).toMatchObject({ code: 0, ids: [], err: 'gw map: no source file is changed.\n' });
    rmSync(join(world.project, 'a'), { recursive: true });
    expect((await map('--pr')).changed).toEqual([]);
  });

  it('needs a repository with something to compare with', async () => {
    put(CHAIN);
    expect((await world.gw(['map', '--pr'])).err).toBe('gw: --pr needs a git repository.\n');
    world.git('init', '-q', '-b', 'only');
    commit('Start');
    expect((await world.gw(['map', '--pr'])).err).toBe(
      'gw: --pr: this repository has no main branch to compare with. Name it with --base-ref <ref>.\n',
    );
    expect((await world.gw(['map', '--pr'], { variables: { PATH: world.root } })).err).toBe(
      'gw: --pr needs a git repository and the program git.\n',
    );
    expect((await map('--pr', '--base-ref', 'only')).code).toBe(0);
  });

  it('compares with a branch that has nothing in common with this one', async () => {
    put(CHAIN);
    world.git('init', '-q');
    commit('Start');
    world.git('switch', '-q', '--orphan', 'other');
    put({ 'e/five.ts': 'export {};\n' });
    commit('Elsewhere');
    const { code, changed } = await map('--pr', '--base-ref', 'main', '--level', 'file');
    expect([code, changed]).toEqual([0, ['e/five.ts']]);
  });
});

describe('what is read', () => {
  it('leaves out a file above 1 MiB and names it, with three names at most', async () => {
    const large = `export const x = "${'x'.repeat(2 ** 20)}";\n`;
    put({ 'a.ts': 'export {};\n', ...Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`large${at}.ts`, large])) });
    const { ids, err } = await map('--level', 'file');
    expect(ids).not.toContain('large1.ts');
    expect(err).toBe('gw map: left out large1.ts, large2.ts, large3.ts and 2 more: larger than 1 MiB.\n');
  });

  it('follows no link out of the project', async () => {
    world.write('elsewhere/secret.ts', 'export const secret = 1;\n');
    put({ 'a.ts': 'export {};\n' });
    symlinkSync(join(world.root, 'elsewhere'), join(world.project, 'link'));
    symlinkSync(join(world.root, 'elsewhere', 'secret.ts'), join(world.project, 'secret.ts'));
    expect((await map('--level', 'file')).ids).toEqual(['a.ts']);
  });

  it('cannot be read where the folder is gone', async () => {
    expect(await world.gw(['map'], { environment: { workingDirectory: null } })).toEqual({
      code: 1,
      out: '',
      err: 'gw: The current directory no longer exists.\n',
    });
  });

  it('shows no control character of a name', async () => {
    put({ 'a/\x1b[2J.ts': "import '../b/two.ts';\n", 'b/two.ts': "import '../a/\x1b[2J.ts';\n" });
    const { code, out } = await world.gw(['map', '--cycles', '--level', 'file']);
    expect([code, out]).toEqual([1, 'a/\\u001b[2J.ts -> b/two.ts -> a/\\u001b[2J.ts\n']);
    expect((await world.gw(['map', '--level', 'file'])).out).not.toContain('\x1b');
  });

  it('draws names that would end a label of Mermaid', async () => {
    put({ 'a"]b/one.ts': 'export {};\n' });
    const { code, out } = await world.gw(['map']);
    expect(code).toBe(0);
    expect(out.split('\n')[1]).not.toMatch(/a"\]b/);
  });
});

describe('layers as JSON', () => {
  it('has each forbidden import, and exit code 1', async () => {
    put({
      ...CHAIN,
      '.gateway/layers.yaml':
        'layers:\n  - { name: low, paths: ["d/**"] }\n  - { name: top, paths: ["a/**", "b/**", "c/**"] }\n',
    });
    const { code, out } = await world.gw(['map', '--check-layers', '--format', 'json']);
    expect([code, JSON.parse(out)]).toEqual([
      1,
      { violations: [{ from: 'c/three.ts', to: 'd/four.ts', fromLayer: 'top', toLayer: 'low' }] },
    ]);
  });

  it('agree with a list of imports that a layer names', async () => {
    const layers = (imports: string): string =>
      `layers:\n  - { name: a, paths: ["a/**"], imports: [${imports}] }\n  - { name: b, paths: ["b/**"] }\n`;
    put({ ...CHAIN, '.gateway/layers.yaml': layers('b') });
    expect(await world.gw(['map', '--check-layers'])).toMatchObject({
      code: 0,
      out: 'Every import agrees with .gateway/layers.yaml.\n',
    });
    put({ '.gateway/layers.yaml': layers('') });
    expect(await world.gw(['map', '--check-layers'])).toMatchObject({
      code: 1,
      out: 'a/one.ts imports b/two.ts: layer a must not import layer b\n',
    });
  });
});
