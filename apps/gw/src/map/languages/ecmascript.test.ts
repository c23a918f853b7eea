import { describe, expect, it } from 'vitest';
import { importsOfFirst } from '../testing/project.ts';

const config = (value: unknown): string => JSON.stringify(value);

describe('a file of JavaScript or TypeScript imports', () => {
  it.each([
    [
      'its own directory and the one above',
      'a/b/c.ts',
      "import '.';\nimport '..';\nimport '../';",
      ['a/b/index.ts', 'a/index.ts'],
    ],
    ['the index of the project', 'a.ts', "import { x } from '.';", ['index.ts']],
    [
      'a file with a query or a fragment',
      'a.ts',
      "import t from './b.ts?raw';\nimport u from './c.ts#x';",
      ['b.ts', 'c.ts'],
    ],
    ['a file with attributes', 'a.ts', "import t from './b.ts' with { type: 'text' };", ['b.ts']],
    ['with a comment inside a dynamic import', 'a.ts', "const b = () => import(/* name: b */ './b');", ['b.ts']],
    ['deep inside functions', 'a.js', 'function f() { if (x) { return { y: [() => require("./b")] }; } }', ['b.ts']],
    ['after a first line for the shell', 'a.mjs', "#!/usr/bin/env node\nimport './b';", ['b.ts']],
    ['from JSX', 'a.tsx', "import B from './b';\nexport default () => <B c={1}>text</B>;", ['b.ts']],
    [
      'with Windows line ends and a byte-order mark',
      'a.ts',
      "\uFEFFimport './b';\r\nimport './c';\r\n",
      ['b.ts', 'c.ts'],
    ],
    ['a type in an import type', 'a.ts', "let b: import('./b').B;\n", ['b.ts']],
    ['under a name of any script', 'a.ts', "import { größe } from './größe';", ['größe.ts']],
    ['nothing above the project', 'a.ts', "import '../../b';\nimport '../b.ts';", []],
    [
      'nothing of comments, texts and templates',
      'a.ts',
      "// import './b'\n/* require('./b') */\nconst t = `import './b'`;",
      [],
    ],
    ['nothing that is computed', 'a.js', 'const n = "./b"; require(n); import(`./${n}`); other.require("./b");', []],
  ] as const)('%s', async (_, path, text, imported) => {
    const others = { 'index.ts': '', 'b.ts': '', 'c.ts': '', 'größe.ts': '', 'a/index.ts': '', 'a/b/index.ts': '' };
    expect(await importsOfFirst({ [path]: text, ...others })).toEqual(imported);
  });

  it('takes the file that is there before the one that would be compiled', async () => {
    const files = { 'b.js': '', 'b.ts': '', 'c.tsx': '', 'd.d.ts': '', 'e.d.mts': '', 'f/index.js': '', 'f.js': '' };
    const text = "import './b.js';\nimport './c.js';\nimport './d.js';\nimport './e.mjs';\nimport './f';";
    expect(await importsOfFirst({ 'a.ts': text, ...files })).toEqual(['b.js', 'c.tsx', 'd.d.ts', 'e.d.mts', 'f.js']);
  });
});

describe('the paths of a tsconfig.json', () => {
  it('take the longest pattern that fits, wherever it stands', async () => {
    const paths = { '*': ['./any/*'], '@/*': ['./src/*'], '@/lib/*': ['./lib/*'], '@/lib/exact': ['./exact.ts'] };
    const files = { 'src/lib/x.ts': '', 'lib/x.ts': '', 'lib/exact.ts': '', 'exact.ts': '', 'any/@/lib/x.ts': '' };
    const config_ = config({ compilerOptions: { paths } });
    expect(
      await importsOfFirst({ 'a.ts': "import '@/lib/x';\nimport '@/lib/exact';", 'tsconfig.json': config_, ...files }),
    ).toEqual(['exact.ts', 'lib/x.ts']);
  });

  it('may have text after the star', async () => {
    const paths = { '*.model': ['./models/*.ts'] };
    const files = { 'tsconfig.json': config({ compilerOptions: { paths } }), 'models/cart.ts': '' };
    expect(await importsOfFirst({ 'a.ts': "import 'cart.model';", ...files })).toEqual(['models/cart.ts']);
  });

  it('do not fit a name that is shorter than the pattern', async () => {
    const paths = { 'aba*ba': ['./x'] };
    const files = { 'tsconfig.json': config({ compilerOptions: { paths } }), 'x.ts': '' };
    expect(await importsOfFirst({ 'a.ts': "import 'aba';", ...files })).toEqual([]);
  });

  it('come from several parents, of which the last counts, and from a parent without ending', async () => {
    const parent = (target: string) => config({ compilerOptions: { paths: { '~/*': [target] } } });
    const files = {
      'tsconfig.json': config({ extends: ['./tsconfig.one', './tsconfig.two.json', '@acme/config'] }),
      'tsconfig.one.json': parent('./one/*'),
      'tsconfig.two.json': parent('./two/*'),
      'one/x.ts': '',
      'two/x.ts': '',
    };
    expect(await importsOfFirst({ 'a.ts': "import '~/x';", ...files })).toEqual(['two/x.ts']);
  });

  it('are those of the nearest configuration, and of one above where that has none that fits', async () => {
    const files = {
      'tsconfig.json': config({ compilerOptions: { paths: { '~/*': ['./top/*'], 'only/*': ['./top/*'] } } }),
      'app/tsconfig.json': config({ compilerOptions: { paths: { '~/*': ['./own/*'] } } }),
      'top/x.ts': '',
      'app/own/x.ts': '',
    };
    expect(await importsOfFirst({ 'app/a.ts': "import '~/x';\nimport 'only/x';", ...files })).toEqual([
      'app/own/x.ts',
      'top/x.ts',
    ]);
  });

  it('may extend each other in a circle', async () => {
    const files = {
      'tsconfig.json': config({ extends: './tsconfig.b.json' }),
      'tsconfig.b.json': config({ extends: './tsconfig.json', compilerOptions: { paths: { '~/*': ['./*'] } } }),
      'x.ts': '',
    };
    expect(await importsOfFirst({ 'a.ts': "import '~/x';", ...files })).toEqual(['x.ts']);
  });

  it('are read beside comments, commas at the end, tabs and texts that look like comments', async () => {
    const text =
      '{\n\t// one\n\t"compilerOptions": { /* two\n\t*/ "baseUrl": "./", "paths": { "//x/*": ["./x/*",], }, },\n}\n';
    expect(await importsOfFirst({ 'a.ts': "import '//x/y';", 'tsconfig.json': text, 'x/y.ts': '' })).toEqual([
      'x/y.ts',
    ]);
  });

  it.each([
    '{',
    '',
    'null',
    '[]',
    '"text"',
    '{"compilerOptions":null}',
    '{"compilerOptions":[]}',
    '{"compilerOptions":{"paths":null}}',
    '{"compilerOptions":{"paths":{"x":"./b.ts"}}}',
    '{"compilerOptions":{"paths":{"x":[1,null]}}}',
    '{"compilerOptions":{"baseUrl":7}}',
    '{"extends":7}',
    '{"extends":[null]}',
  ])('that are damaged, as %j, leave every other import', async (text) => {
    expect(await importsOfFirst({ 'a.ts': "import 'x';\nimport './b';", 'tsconfig.json': text, 'b.ts': '' })).toEqual([
      'b.ts',
    ]);
  });
});

/** What `app/a.ts` imports of a package of the repository. */
const ofPackage = (manifest: object, text: string, ...files: readonly string[]) =>
  importsOfFirst({
    'app/a.ts': text,
    'app/package.json': '{"name":"app"}',
    'cart/package.json': JSON.stringify({ name: '@acme/cart', ...manifest }),
    ...Object.fromEntries(files.map((file) => [`cart/${file}`, ''])),
  });
const PACKAGE = "import '@acme/cart';";
const PART = "import '@acme/cart/total';";

describe('a package of the repository', () => {
  it.each<[string, object, string, readonly string[], readonly string[]]>([
    ['by its main file', { main: './lib/start.js' }, PACKAGE, ['lib/start.ts', 'index.ts'], ['lib/start.ts']],
    [
      'by its types before its module',
      { types: './t.d.ts', module: './m.js' },
      PACKAGE,
      ['t.d.ts', 'm.js'],
      ['t.d.ts'],
    ],
    ['by its index where it names nothing', {}, PACKAGE, ['index.js', 'src/index.ts'], ['index.js']],
    [
      'by its source where what it names is not built',
      { main: 'dist/x.js' },
      PACKAGE,
      ['src/index.ts'],
      ['src/index.ts'],
    ],
    [
      'by its source where its exports are not built',
      { exports: './dist/x.js' },
      PACKAGE,
      ['src/index.ts'],
      ['src/index.ts'],
    ],
    ['by one file of its exports', { exports: './start.ts' }, PACKAGE, ['start.ts'], ['start.ts']],
    [
      'by every condition of its exports',
      { exports: { node: { import: './n.mjs', require: './n.cjs' }, default: './d.js' } },
      PACKAGE,
      ['n.mjs', 'n.cjs', 'd.js'],
      ['d.js', 'n.cjs', 'n.mjs'],
    ],
    ['by the alternatives of its exports', { exports: { '.': ['./gone.ts', './b.ts'] } }, PACKAGE, ['b.ts'], ['b.ts']],
    ['by a part of it', {}, PART, ['total.ts'], ['total.ts']],
    ['by a named part', { exports: { './total': './src/t.ts' } }, PART, ['src/t.ts', 'total.ts'], ['src/t.ts']],
    [
      'by a pattern of parts',
      { exports: { './*': './src/*/*.ts' } },
      PART,
      ['src/total/total.ts'],
      ['src/total/total.ts'],
    ],
    [
      'by a pattern with an ending',
      { exports: { './*.js': './src/*.ts' } },
      "import '@acme/cart/deep/total.js';",
      ['src/deep/total.ts'],
      ['src/deep/total.ts'],
    ],
    ['by a part that its exports hide', { exports: { './total': null, './x': 1 } }, PART, ['x.ts'], []],
    ['by a part that is not there', {}, PART, ['index.ts'], []],
    [
      'by members of the wrong type',
      { main: 1, module: [], types: {}, exports: true },
      PACKAGE,
      ['index.ts'],
      ['index.ts'],
    ],
  ])('is found %s', async (_, manifest, text, files, imported) => {
    expect(await ofPackage(manifest, text, ...files)).toEqual(imported.map((file) => `cart/${file}`));
  });

  it('takes the longest pattern of its exports that fits', async () => {
    const exports = { './*': './any/*.ts', './deep/*': './deep/*.ts', './deep/exact': './exact.ts' };
    const files = ['any/deep/x.ts', 'deep/x.ts', 'any/deep/exact.ts', 'deep/exact.ts', 'exact.ts'];
    const text = "import '@acme/cart/deep/x';\nimport '@acme/cart/deep/exact';";
    expect(await ofPackage({ exports }, text, ...files)).toEqual(['cart/deep/x.ts', 'cart/exact.ts']);
  });

  it('is not confused with one whose name it begins with', async () => {
    expect(await ofPackage({}, "import '@acme/cart-extras';\nimport '@acme';", 'index.ts')).toEqual([]);
  });

  it('may import itself by its own name', async () => {
    const files = {
      'cart/src/a.ts': PART,
      'cart/package.json': '{"name":"@acme/cart","exports":{"./total":"./t.ts"}}',
    };
    expect(await importsOfFirst({ ...files, 'cart/t.ts': '' })).toEqual(['cart/t.ts']);
  });

  it.each(['', '{', 'null', '[]', '"@acme/cart"', '{"name":1}'])('with the manifest %j is none', async (manifest) => {
    const files = {
      'a.ts': `${PACKAGE}\nimport './b';`,
      'cart/package.json': manifest,
      'cart/index.ts': '',
      'b.ts': '',
    };
    expect(await importsOfFirst(files)).toEqual(['b.ts']);
  });
});

describe('the own imports of a package', () => {
  it('are those of the nearest manifest', async () => {
    const manifest = (target: string) => JSON.stringify({ imports: { '#lib/*': target, '#one': './one.ts' } });
    const files = {
      'app/src/a.ts': "import '#lib/x';\nimport '#one';\nimport '#none';",
      'package.json': manifest('./*.ts'),
      'app/package.json': manifest('./lib/*.ts'),
      'app/lib/x.ts': '',
      'x.ts': '',
      'one.ts': '',
      'app/one.ts': '',
    };
    expect(await importsOfFirst(files)).toEqual(['app/lib/x.ts', 'app/one.ts']);
  });

  it('are nothing where there is no manifest', async () => {
    expect(await importsOfFirst({ 'a.ts': "import '#x';", 'x.ts': '' })).toEqual([]);
  });
});
