import { describe, expect, it } from 'vitest';
import { importsOfFirst } from '../testing/project.ts';

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
