import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
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
const CHAIN = {
  'a/one.ts': "import { two } from '../b/two.ts';\nexport const one = two;\n",
  'b/two.ts': "import { three } from '../c/three.ts';\nexport const two = three;\n",
  'c/three.ts': 'export const three = 3;\n',
};
const commit = (): void => {
  world.git('init', '-q', '-b', 'main');
  world.git('add', '-A');
  world.git('-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-q', '-m', 'x');
};
const json = async (...words: readonly string[]) => {
  const { code, out, err } = await world.gw(['map', '--format', 'json', ...words]);
  expect(code, err).toBe(0);
  const { nodes, edges, changed, omitted } = JSON.parse(out) as {
    nodes: { id: string }[];
    edges: { from: string; to: string }[];
    changed: string[];
    omitted: number;
  };
  return {
    ids: nodes.map(({ id }) => id),
    arrows: edges.map(({ from, to }) => `${from} -> ${to}`),
    changed,
    omitted,
    err,
  };
};

describe('gw map', () => {
  it('draws directories as Mermaid, and leaves nothing in the project', async () => {
    put(CHAIN);
    const { code, out } = await world.gw(['map']);
    expect([code, out]).toEqual([0, 'flowchart LR\n  n0["a"]\n  n1["b"]\n  n2["c"]\n  n0 --> n1\n  n1 --> n2\n']);
    expect(readdirSync(world.project).toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('gives the same map from its cache, and sees what changed since', async () => {
    put(CHAIN);
    expect(await json()).toEqual(await json());
    put({ 'c/three.ts': "import { one } from '../a/one.ts';\nexport const three = () => one;\n" });
    expect((await json()).arrows).toContain('c -> a');
  });

  it('reports that there is nothing to draw', async () => {
    const { code, err } = await world.gw(['map']);
    expect([code, err]).toEqual([0, 'gw map: there is no source file of a known language.\n']);
  });

  it('focuses on a node, and refuses one that is not there', async () => {
    put(CHAIN);
    expect((await json('--level', 'file', '--focus', 'a/one.ts')).ids).toEqual(['a/one.ts', 'b/two.ts']);
    const { code, err } = await world.gw(['map', '--level', 'file', '--focus', 'two.ts']);
    expect([code, err]).toEqual([2, 'gw: --focus: there is no node "two.ts" at level file. Did you mean b/two.ts?\n']);
  });

  it('shows the most connected nodes, and how many it left out', async () => {
    put(CHAIN);
    const { ids, omitted, err } = await json('--max-nodes', '2');
    expect([ids.includes('b'), ids.length, omitted]).toEqual([true, 2, 1]);
    expect(err).toBe('gw map: 1 of 3 nodes are left out. --max-nodes 3 shows all.\n');
  });

  // client-24
  it('lists cycles with exit code 1, and their absence with 0', async () => {
    put(CHAIN);
    expect(await world.gw(['map', '--cycles'])).toMatchObject({ code: 0, out: 'No import cycles at level dir.\n' });
    put({ 'c/three.ts': "import { one } from '../a/one.ts';\n" });
    expect(await world.gw(['map', '--cycles'])).toMatchObject({ code: 1, out: 'a -> b -> c -> a\n' });
    const { code, out } = await world.gw(['map', '--cycles', '--format', 'json', '--level', 'file']);
    expect([code, JSON.parse(out)]).toEqual([1, { level: 'file', cycles: [['a/one.ts', 'b/two.ts', 'c/three.ts']] }]);
  });

  it('checks layers', async () => {
    put(CHAIN);
    expect((await world.gw(['map', '--check-layers'])).code).toBe(2);
    put({ '.gateway/layers.yaml': 'layers:\n  - { name: c, paths: ["c/**"] }\n  - { name: b, paths: ["b/**"] }\n' });
    const broken = await world.gw(['map', '--check-layers']);
    expect(broken).toMatchObject({ code: 1, out: 'b/two.ts imports c/three.ts: layer b must not import layer c\n' });
    put({ '.gateway/layers.yaml': 'layers:\n  - { name: b, paths: ["b/**"] }\n  - { name: c, paths: ["c/**"] }\n' });
    expect((await world.gw(['map', '--check-layers'])).code).toBe(0);
  });

  it.each([
    ['layers: [', /^gw: .gateway\/layers.yaml, line 1: /],
    ['layers:\n  - { name: a, path: [x] }\n', /^gw: .gateway\/layers.yaml, line 2: layers.0/],
    ['layers:\n  - { name: a, paths: [x], imports: [y] }\n', /layer a imports y, which is not a layer/],
  ])('names the fault of layers %j', async (text, message) => {
    put({ '.gateway/layers.yaml': text });
    const { code, err } = await world.gw(['map', '--check-layers']);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  it('shows what a branch and the work tree change, with their neighbours', async () => {
    put({ ...CHAIN, 'd/four.ts': 'export {};\n' });
    commit();
    put({ 'c/three.ts': 'export const three = 4;\n', 'e/new.ts': 'export {};\n' });
    const { ids, changed } = await json('--pr');
    expect([ids, changed]).toEqual([
      ['b', 'c', 'e'],
      ['c', 'e'],
    ]);
    expect((await world.gw(['map', '--pr', '--base-ref', 'nowhere'])).err).toBe(
      'gw: --base-ref: there is no commit "nowhere". Fetch it, or name another ref.\n',
    );
  });

  it('leaves out what git ignores, and installed packages', async () => {
    put({ '.gitignore': 'vendor/\n', 'a.ts': 'export {};\n', 'vendor/b.ts': '', 'node_modules/x/c.js': '' });
    commit();
    expect((await json('--level', 'file')).ids).toEqual(['a.ts']);
  });

  it('reads on several threads what is much', async () => {
    put(
      Object.fromEntries(
        Array.from({ length: 400 }, (_, at) => [`m${at}.ts`, at > 0 ? `import './m${at - 1}.ts';\n` : '']),
      ),
    );
    expect((await json('--level', 'file', '--max-nodes', '1000')).arrows.length).toBe(399);
  });

  it('--pr runs no program that the repository names', async () => {
    put({ ...CHAIN, '.gitattributes': '* filter=evil\n' });
    commit();
    const touched = join(world.root, 'touched');
    for (const name of ['filter.evil.clean', 'filter.evil.process', 'core.fsmonitor', 'diff.external'])
      world.git('config', name, `touch ${touched}`);
    put({ 'c/three.ts': 'export const three = 4;\n' });
    expect((await json('--pr', '--base-ref', 'main')).changed).toEqual(['c']);
    expect(existsSync(touched)).toBe(false);
  });
});
