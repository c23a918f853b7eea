import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseManifest } from './verify-run.ts';

const SHA = 'a'.repeat(64);
const file = (path: string, change: object = {}) => ({ path, size: 1, sha256: SHA, ...change });
const manifest = (change: object = {}): string =>
  JSON.stringify({ format: 'gateway-release/1', name: 'gateway', version: '1.2.3', files: [file('gw.js')], ...change });
const withPath = (path: string) => parseManifest(manifest({ files: [file(path)] }));

describe('the manifest of a bundle', () => {
  it('is read as it was written, also without files', () => {
    expect(parseManifest(manifest())?.files).toEqual([file('gw.js')]);
    expect(parseManifest(manifest({ files: [] }))).toMatchObject({ version: '1.2.3', files: [] });
  });

  it.each(['a', 'a/b/c.js', '.hidden', 'a/.b', '...', 'a b/ü', 'release.json/x', 'x/release.json', '-x'])(
    'may name the file %j',
    (path) => {
      expect(withPath(path)?.files).toHaveLength(1);
    },
  );

  it.each([
    '',
    '.',
    '..',
    '/etc/passwd',
    '../x',
    'a/../../x',
    'a/./b',
    'a//b',
    'a/',
    'a\\b',
    '..\\x',
    'C:\\x',
    'a\u0000b',
    'release.json',
    'release.json.sig',
  ])('may not name the file %j', (path) => {
    expect(withPath(path)).toBeNull();
  });

  it('never names a file outside the bundle', () => {
    assert(
      property(string({ unit: 'binary' }), (path) => {
        const parts = (withPath(path)?.files[0]?.path ?? 'a').split('/');
        expect(parts.some((part) => ['', '.', '..'].includes(part))).toBe(false);
      }),
    );
  });

  it.each<[string, string]>([
    ['is no JSON', '{'],
    ['is empty', ''],
    ['is a list', '[]'],
    ['is null', 'null'],
    ['has another format', manifest({ format: 'gateway-release/2' })],
    ['has no version', manifest({ version: undefined })],
    ['has a version that is none', manifest({ version: 'latest' })],
    ['has a member that is not known', manifest({ install: 'curl x | sh' })],
    ['has a file with a member that is not known', manifest({ files: [file('a', { mode: 0o777 })] })],
    ['has a file of a negative size', manifest({ files: [file('a', { size: -1 })] })],
    ['has a file of half a byte', manifest({ files: [file('a', { size: 0.5 })] })],
    ['has a short digest', manifest({ files: [file('a', { sha256: 'ab' })] })],
    ['has a digest in capitals', manifest({ files: [file('a', { sha256: 'A'.repeat(64) })] })],
    ['names a file twice', manifest({ files: [file('a'), file('b'), file('a', { size: 2 })] })],
    ['has no files', manifest({ files: undefined })],
  ])('that %s is none', (_, text) => {
    expect(parseManifest(text)).toBeNull();
  });
});
