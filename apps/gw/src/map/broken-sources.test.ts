import { array, assert, asyncProperty, constantFrom, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractFacts } from './extract.ts';
import { LANGUAGES, languageOf } from './languages/index.ts';
import type { Language } from './languages/project-index.ts';

/** Pieces of all languages: most of what they make is broken in each. */
const PIECES = [
  'import ',
  'from ',
  'use ',
  'using ',
  'namespace ',
  'package ',
  'mod ',
  'class ',
  'def ',
  'fn ',
  'func ',
  'export ',
  'require',
  '#include ',
  '<?php ',
  'a',
  'B',
  '.',
  '::',
  '\\',
  '{',
  '}',
  '(',
  ')',
  '"',
  "'",
  '`',
  '${',
  '/*',
  '*/',
  '//',
  '#',
  '\n',
  '\r\n',
  ';',
  ',',
  '*',
  '=',
  '<',
  '>',
  '@',
  '漢',
  '\u{1F600}',
  '\u0000',
  '\uD800',
  '"""',
  '<<EOF\n',
];

function named(path: string): Language {
  const language = languageOf(path);
  if (language === undefined) throw new Error(path);
  return language;
}
const symbolsOf = async (path: string, source: string) => (await extractFacts(named(path), source, true)).symbols;

describe.each(LANGUAGES.map((language) => [language.id, language] as const))('a source of %s', (_, language) => {
  it('that is broken in any way gives facts within its lines', async () => {
    await assert(
      asyncProperty(
        array(constantFrom(...PIECES), { maxLength: 40 }),
        string({ maxLength: 9 }),
        async (parts, tail) => {
          const source = parts.join('') + tail;
          const lines = source.split('\n').length;
          const { symbols, identifiers, imports } = await extractFacts(language, source, true);
          for (const { name, firstLine, lastLine, uses } of symbols) {
            expect(name.length).toBeLessThanOrEqual(80);
            expect(firstLine >= 1 && lastLine >= firstLine && lastLine <= lines).toBe(true);
            expect(uses.every((at) => identifiers[at] !== undefined)).toBe(true);
          }
          expect(new Set(identifiers).size).toBe(identifiers.length);
          expect(imports.every(({ from }) => typeof from === 'string')).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('that is empty has nothing', async () => {
    for (const source of ['', '\n']) {
      expect(await extractFacts(language, source, true)).toMatchObject({ imports: [], symbols: [], identifiers: [] });
    }
  });
});

describe('the symbols of a source', () => {
  it('have the lines that an editor shows, after characters of several units and all line ends', async () => {
    const source =
      '// \u{1F600} 漢\r\nexport const one = "\u{1F600}";\r\n\r\nexport function two() {\r\n  return one;\r\n}\r\n';
    expect(await symbolsOf('a.ts', source)).toMatchObject([
      { name: 'one', firstLine: 2, lastLine: 2 },
      { name: 'two', firstLine: 4, lastLine: 6 },
    ]);
  });

  it('use what their text names outside comments and texts', async () => {
    const source =
      'function a() { b(); /* c() */ return "d()" + `${e}`; }\nfunction b() {}\nfunction c() { a(); }\n// \u{1F600} b\n';
    const { symbols, identifiers } = await extractFacts(named('a.ts'), source, true);
    const used = symbols.map(({ uses }) => uses.map((at) => identifiers[at]));
    expect(used[0]).toEqual(expect.arrayContaining(['a', 'b', 'e']));
    expect(used[0]).not.toContain('c');
    expect(used[0]).not.toContain('d');
    expect(used[2]).toEqual(['function', 'c', 'a']);
  });

  it('have names of at most 80 characters', async () => {
    const [symbol] = await symbolsOf('a.ts', `export const ${'long'.repeat(50)} = 1;\n`);
    expect(symbol?.name).toBe('long'.repeat(20));
  });

  it.each<[string, string, readonly string[]]>([
    [
      'a.go',
      'package a\n\nconst (\n\tA = iota\n\tB\n)\n\nvar x, y int\n\ntype (\n\tT int\n\tU = T\n)\n\nfunc (t T) M() {}\n',
      ['A', 'B', 'x', 'y', 'T', 'U', 'M'],
    ],
    [
      'a.ts',
      'export default class K {}\nexport abstract class L {}\ndeclare function f(): void;\nenum E { A }\ntype T = 1;\nnamespace N { export const inner = 1; }\n',
      ['K', 'L', 'f', 'E', 'T', 'N'],
    ],
    ['a.tsx', 'export const View = () => <p>{x}</p>;\nexport let a = 1, b = 2;\n', ['View', 'a', 'b']],
    [
      'a.kt',
      'fun f() {}\nval v = 1\nobject O\ntypealias T = Int\ninterface I { fun m() }\n',
      ['f', 'v', 'O', 'T', 'I'],
    ],
    [
      'a.c',
      '#define MAX 1\n#define MIN(a, b) (a)\nstatic int *f(void) { return 0; }\ntypedef struct { int x; } point;\nenum e { A };\nunion u { int i; };\nint declared(void);\n',
      ['MAX', 'MIN', 'f', 'point', 'e', 'u'],
    ],
    [
      'a.hpp',
      'template <typename T> class V { void m() {} };\nusing W = V<int>;\ntemplate <typename T> concept C = true;\n',
      ['V', 'W', 'C'],
    ],
    [
      'a.php',
      '<?php\nfunction f() {}\ninterface I {}\ntrait T {}\nenum E {}\nabstract class K { function m() {} }\n',
      ['f', 'I', 'T', 'E', 'K'],
    ],
    [
      'a.java',
      'package a;\n@interface N {}\nsealed interface I permits R {}\nrecord R() implements I {}\n',
      ['N', 'I', 'R'],
    ],
  ])('of %s are all that other files can name', async (path, source, names) => {
    expect((await symbolsOf(path, source)).map(({ name }) => name)).toEqual(names);
  });

  it('are read of a file that is nested a thousand levels deep', async () => {
    const deep = `${'('.repeat(1000)}1${')'.repeat(1000)}`;
    const source = `export const before = 1;\nexport const middle = ${deep};\nexport const after = 2;\n`;
    expect((await symbolsOf('a.ts', source)).map(({ name }) => name)).toEqual(['before', 'middle', 'after']);
  });
});
