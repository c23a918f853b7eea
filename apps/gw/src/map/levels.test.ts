import { describe, expect, it } from 'vitest';
import type { Graph, Level } from './graph.ts';
import { type Layer, violationsOf } from './levels.ts';
import { mapOf } from './testing/project.ts';

const arrows = ({ edges }: Graph): readonly string[] =>
  edges.map(({ from, to, count }) => `${from} -> ${to}${count > 1 ? ` (${count})` : ''}`);
const graphOf = async (level: Level, files: Readonly<Record<string, string>>): Promise<Graph> =>
  (await mapOf(files)).graph(level);

describe('the map of packages', () => {
  it.each<[string, string, string]>([
    ['package.json', '{"author":{"name":"Casey"},"name":"@acme/cart"}', '@acme/cart'],
    ['package.json', '{"scripts":{"name":"echo"}}', 'pkg'],
    ['package.json', '{"name":', 'pkg'],
    ['package.json', '{"name":7}', 'pkg'],
    ['go.mod', 'module example.org/cart // ours\n', 'example.org/cart'],
    ['Cargo.toml', '[dependencies]\nname = "no"\n[package]\nversion = "1"\nname = "cart"\n', 'cart'],
    ['pyproject.toml', '[build-system]\nrequires = []\n[project]\nname = "cart"\n', 'cart'],
    ['composer.json', '{"authors":[{"name":"Casey"}],"name":"acme/cart"}', 'acme/cart'],
    [
      'pom.xml',
      '<project><parent><artifactId>parent</artifactId></parent><artifactId>cart</artifactId></project>',
      'cart',
    ],
    ['pom.xml', '<project>\n  <artifactId>\n    cart\n  </artifactId>\n</project>', 'cart'],
    ['setup.py', 'from setuptools import setup\nsetup(version="1", name="cart")\n', 'cart'],
    ['build.gradle.kts', 'plugins { id("java") }\n', 'pkg'],
  ])('names the package of %s with %j', async (manifest, text, label) => {
    const { nodes } = await graphOf('package', { [`pkg/${manifest}`]: text, 'pkg/src/a.ts': '' });
    expect(nodes).toEqual([{ id: 'pkg', label }]);
  });

  it('has the nearest package of each file, and the project for the others', async () => {
    const graph = await graphOf('package', {
      'package.json': '{"name":"root","workspaces":["packages/*"]}',
      'main.ts': "import '@acme/a';\nimport './lib/b.ts';\n",
      'lib/b.ts': "import '@acme/a/other.ts';\n",
      'packages/a/package.json': '{"name":"@acme/a"}',
      'packages/a/index.ts': "import './other.ts';\n",
      'packages/a/other.ts': '',
    });
    expect(graph.nodes.map(({ label }) => label)).toEqual(['root', '@acme/a']);
    expect(arrows(graph)).toEqual(['. -> packages/a (2)']);
  });
});

describe('the map of directories', () => {
  it('counts the imports between two directories, and none within one', async () => {
    const graph = await graphOf('dir', {
      'a/one.ts': "import '../b/one.ts';\nimport '../b/two.ts';\nimport './two.ts';\n",
      'a/two.ts': "import '../b/one.ts';\n",
      'b/one.ts': "import '../top.ts';\n",
      'b/two.ts': '',
      'top.ts': '',
    });
    expect(graph.nodes.map(({ id }) => id)).toEqual(['.', 'a', 'b']);
    expect(arrows(graph)).toEqual(['a -> b (3)', 'b -> .']);
  });
});

describe('the map of symbols', () => {
  it('follows a name to the file that is imported, not to another file that has the same name', async () => {
    const graph = await graphOf('symbol', {
      'main.ts': "import { total } from './cart.ts';\nexport function show() { return total(); }\n",
      'cart.ts': 'export function total() { return rounded(1); }\nfunction rounded(n: number) { return n; }\n',
      'other.ts': 'export function total() {}\nexport function rounded() {}\n',
    });
    expect(arrows(graph)).toEqual(['cart.ts#total -> cart.ts#rounded', 'main.ts#show -> cart.ts#total']);
  });

  it('takes the own declaration of a file before one that it imports', async () => {
    const graph = await graphOf('symbol', {
      'a.py': 'from b import helper as other\ndef helper(): pass\ndef run(): helper()\n',
      'b.py': 'def helper(): pass\n',
    });
    expect(arrows(graph)).toEqual(['a.py#run -> a.py#helper']);
  });

  it('has no edge for a name in a comment or a text, or for a function that calls itself', async () => {
    const graph = await graphOf('symbol', {
      'a.ts': 'function one() { /* two */ return "two" + one(); }\nfunction two() {}\n',
    });
    expect(arrows(graph)).toEqual([]);
  });

  it('says kind, name and file of each declaration, and has overloads once', async () => {
    const graph = await graphOf('symbol', {
      'a.ts':
        'export function f(a: string): void;\nexport function f(a: number): void;\nexport function f() {}\nexport class K {}\n',
    });
    expect(graph.nodes.map(({ id }) => id)).toEqual(['a.ts#K', 'a.ts#f']);
    expect(graph.nodes.map(({ label }) => label)).toEqual(['class K (a.ts)', 'function f (a.ts)']);
  });
});

const found = (layers: readonly Layer[], ...arrows: readonly string[]): readonly string[] => {
  const imports = new Map<string, Set<string>>();
  for (const arrow of arrows) {
    const [from = '', to = ''] = arrow.split(' -> ');
    imports.set(from, new Set([...(imports.get(from) ?? []), to]));
  }
  return violationsOf(layers, imports).map(
    ({ from, to, fromLayer, toLayer }) => `${from} -> ${to}: ${fromLayer} -> ${toLayer}`,
  );
};
const layer = (name: string, paths = [`${name}/**`], imports?: readonly string[]): Layer => ({ name, paths, imports });

describe('the layers of a project', () => {
  it('let a layer import itself and all that follow it', () => {
    const layers = [layer('top'), layer('middle'), layer('low')];
    expect(found(layers, 'top/a.ts -> top/b.ts', 'top/a.ts -> middle/a.ts', 'top/a.ts -> low/deep/a.ts')).toEqual([]);
    expect(found(layers, 'low/a.ts -> top/a.ts', 'middle/a.ts -> top/a.ts', 'low/a.ts -> middle/a.ts')).toEqual([
      'low/a.ts -> middle/a.ts: low -> middle',
      'low/a.ts -> top/a.ts: low -> top',
      'middle/a.ts -> top/a.ts: middle -> top',
    ]);
  });

  it('let a layer that names others import those alone, wherever they stand', () => {
    const layers = [layer('top'), layer('middle', ['middle/**'], ['top']), layer('low')];
    expect(found(layers, 'middle/a.ts -> top/a.ts', 'middle/a.ts -> middle/b.ts')).toEqual([]);
    expect(found(layers, 'middle/a.ts -> low/a.ts')).toEqual(['middle/a.ts -> low/a.ts: middle -> low']);
  });

  it('let files of no layer import and be imported', () => {
    expect(
      found([layer('top'), layer('low')], 'free.ts -> top/a.ts', 'low/a.ts -> free.ts', 'low/a.ts -> a/top/b.ts'),
    ).toEqual([]);
  });

  it('count a file in the first layer that it fits', () => {
    const layers = [
      layer('tests', ['**/*.test.ts']),
      layer('app', ['app/*.ts', 'lib/{x,y}/**']),
      layer('rest', ['**']),
    ];
    expect(
      found(layers, 'app/a.ts -> app/a.test.ts', 'app/a.test.ts -> app/a.ts', 'lib/x/a.ts -> app/deep/a.ts'),
    ).toEqual(['app/a.ts -> app/a.test.ts: app -> tests']);
    expect(found(layers, 'app/deep/a.ts -> lib/y/a.ts')).toEqual(['app/deep/a.ts -> lib/y/a.ts: rest -> app']);
  });
});
