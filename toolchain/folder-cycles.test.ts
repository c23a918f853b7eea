import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderCycles } from './folder-cycles.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'folder-cycles-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Writes files of a package, each with the files that it imports. */
function write(files: Readonly<Record<string, readonly string[]>>): void {
  for (const [file, imported] of Object.entries(files)) {
    const path = join(root, 'packages/p/src', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, imported.map((one) => `import { x } from '${one}';\n`).join(''));
  }
}
/** Each cycle as the folders through which it goes. */
const cycles = (): string[] =>
  folderCycles(root).map((text) => (text.split('\n')[0] ?? '').trim().replaceAll('packages/p/src/', ''));

describe('folders that import each other', () => {
  it('are found, with an import for each step', () => {
    write({ 'a/one.ts': ['../b/two.ts'], 'b/two.ts': ['../a/other.ts'], 'a/other.ts': [] });
    expect(folderCycles(root)).toEqual([
      [
        '  packages/p/src/a → packages/p/src/b → packages/p/src/a',
        '    packages/p/src/a/one.ts imports packages/p/src/b/two.ts',
        '    packages/p/src/b/two.ts imports packages/p/src/a/other.ts',
      ].join('\n'),
    ]);
  });

  it('are found in a cycle of any length, once, as the shortest way', () => {
    write({
      'a/f.ts': ['../b/f.ts'],
      'b/f.ts': ['../c/f.ts'],
      'c/f.ts': ['../d/f.ts'],
      'd/f.ts': ['../a/f.ts', '../e/f.ts'],
      'e/f.ts': [],
    });
    expect(cycles()).toEqual(['a → b → c → d → a']);
  });

  it('are found where only folders below them import each other', () => {
    write({ 'a/x/f.ts': ['../../b/y/f.ts'], 'b/y/f.ts': [], 'b/z/f.ts': ['../../a/w/f.ts'], 'a/w/f.ts': [] });
    expect(cycles()).toEqual(['a → b → a']);
  });

  it('are found by a later import of a module, and by one without names', () => {
    write({ 'a/f.ts': [], 'b/f.ts': [] });
    writeFileSync(join(root, 'packages/p/src/a/f.ts'), "const { x } = await import('../b/f.ts');\n");
    writeFileSync(join(root, 'packages/p/src/b/f.ts'), "import '../a/f.ts';\nexport * from '../a/f.ts';\n");
    expect(cycles()).toEqual(['a → b → a']);
  });

  it('are found by the name that a package gives a file of a profile', () => {
    write({ 'a/f.ts': ['#chosen'], 'b/hosted.ts': ['../a/f.ts'], 'c/other.ts': [] });
    const imports = { '#chosen': { serverless: './src/b/hosted.ts', default: './src/c/other.ts' } };
    writeFileSync(join(root, 'packages/p/package.json'), JSON.stringify({ imports }));
    expect(cycles()).toEqual(['a → b → a']);
  });
});

describe('no cycle', () => {
  it.each([
    ['is an import in one direction', { 'a/f.ts': ['../b/f.ts'], 'b/f.ts': [] }],
    ['are files of one folder that import each other', { 'a/f.ts': ['./g.ts'], 'a/g.ts': ['./f.ts'] }],
    [
      'is an import of a test, or of what only tests use',
      { 'a/f.ts': ['../b/f.ts'], 'b/f.test.ts': ['../a/f.ts'], 'b/testing/g.ts': ['../../a/f.ts'], 'b/f.ts': [] },
    ],
    ['is one through a file that does not exist', { 'a/f.ts': ['../b/gone.ts'], 'b/f.ts': ['../a/f.ts'] }],
    ['is one of a package', { 'a/f.ts': ['@gateway/b', 'node:fs'], 'b/f.ts': ['../a/f.ts'] }],
    ['is in an empty tree', {}],
  ])('%s', (_, files) => {
    write(files);
    expect(cycles()).toEqual([]);
  });
});
