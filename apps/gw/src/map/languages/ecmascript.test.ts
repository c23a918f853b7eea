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
