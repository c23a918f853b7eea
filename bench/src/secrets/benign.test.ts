import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { createScanner } from '@gateway/secrets';
import { afterAll, describe, expect, it } from 'vitest';
import { isText, scanBenign, takeSpread, textFiles } from './benign.ts';

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

describe('a scan of texts without secrets', () => {
  const scanner = createScanner({ key: Buffer.from('benchmark') });
  const token = ['ghp', 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5'].join('_');
  const scanned = (files: Readonly<Record<string, string | Buffer>>) => {
    const directory = mkdtempSync(join(folder, 'scan-'));
    for (const [name, content] of Object.entries(files)) put(join(relative(folder, directory), name), content);
    return scanBenign(scanner, directory);
  };

  it('names the rule and the file of every finding, and how much was read', () => {
    const { findings, megabytes } = scanned({ 'a.ts': `const key = '${token}';`, 'b.ts': 'x'.repeat(500_000) });
    expect(findings.map(({ rule, file }) => [rule, basename(file)])).toEqual([['github-token', 'a.ts']]);
    expect(megabytes).toBeCloseTo(0.5, 2);
  });

  it('leaves out programs and images, whatever their name', () => {
    expect(scanned({ LICENSE: Buffer.from(`\0${token}`) })).toMatchObject({ megabytes: 0, findings: [], texts: [] });
  });

  it('measures the speed with texts that are not large, and at most 400 of them', () => {
    const { texts } = scanned({ 'large.ts': 'x'.repeat(300_001), 'fits.ts': 'y'.repeat(300_000) });
    expect(texts).toEqual(['y'.repeat(300_000)]);
    const many = Object.fromEntries(Array.from({ length: 401 }, (_, at) => [`${at}.txt`, String(at)]));
    expect(scanned(many).texts).toHaveLength(400);
  });

  it('takes prose and code of ordinary length for answers of a model', () => {
    const { answers } = scanned({ 'a.md': 'prose', 'b.lock': 'generated', 'c.py': 'z'.repeat(60_000), 'd.json': '{}' });
    expect(answers).toEqual(['prose', '{}']);
  });
});

describe('a choice of texts', () => {
  it('is spread evenly, the first one included', () => {
    const all = Array.from({ length: 100 }, (_, at) => at);
    expect(takeSpread(all, 4)).toEqual([0, 25, 50, 75]);
    expect(takeSpread(all, 3)).toEqual([0, 33, 66]);
  });

  it('is everything where there is less, and nothing of nothing', () => {
    expect(takeSpread([1, 2], 5)).toEqual([1, 2]);
    expect(takeSpread([], 5)).toEqual([]);
  });
});
