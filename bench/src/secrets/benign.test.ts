import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isText, textFiles } from './benign.ts';

const folder = mkdtempSync(join(tmpdir(), 'bench-benign-'));
afterAll(() => rmSync(folder, { recursive: true }));

function put(path: string, content: string | Buffer = 'text'): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), content);
}

describe('texts without secrets', () => {
  it('are files of source, prose and settings, below any folder, always in the same order', () => {
    for (const path of ['b.ts', 'a/z.md', 'a/LICENSE', 'a/b/c.json', 'Z.py', 'image.png', 'a/program.node', 'x.wasm'])
      put(path);
    const found = [...textFiles(folder)].map((path) => relative(folder, path));
    expect(found).toEqual(['Z.py', 'a/LICENSE', 'a/b/c.json', 'a/z.md', 'b.ts']);
    expect([...textFiles(folder)].map((path) => relative(folder, path))).toEqual(found);
  });

  it('are none of eight megabytes or more', () => {
    put('large/one.js', Buffer.alloc(8e6, 'a'));
    put('large/two.js', Buffer.alloc(8e6 - 1, 'a'));
    expect([...textFiles(join(folder, 'large'))].map((path) => relative(folder, path))).toEqual(['large/two.js']);
  });

  it('have no zero byte at their beginning', () => {
    expect(isText(Buffer.from('text'))).toBe(true);
    expect(isText(Buffer.from('\x7fELF\0'))).toBe(false);
    expect(isText(Buffer.alloc(0))).toBe(true);
    expect(isText(Buffer.concat([Buffer.alloc(5000, 'a'), Buffer.alloc(1)]))).toBe(true);
  });
});
