import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isProfile, PROFILES } from './sources.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sources-'));
  write('package-lock.json', '{}');
  write('packages/p/package.json', '{}');
  write('packages/p/src/a.ts', 'a');
  write('apps/gateway/src/main.ts', 'main');
});
afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

const SOURCE = new URL('./sources.ts', import.meta.url).href;
const PROGRAM = `const { digestOfSources } = await import(process.argv[1]); console.log(await digestOfSources(...process.argv.slice(2)));`;
/** The digest of the sources below the folder, which is the working directory of the build. */
function digest(...also: readonly string[]): string {
  const words = ['--input-type=module', '--eval', PROGRAM, SOURCE, ...also];
  const { stdout, status, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

describe('the digest of the sources', () => {
  it('is another one after every change that an artifact contains', () => {
    const digests = [digest()];
    for (const [file, text] of [
      ['packages/p/src/a.ts', 'b'],
      ['packages/p/src/deep/er/c.ts', ''],
      ['packages/p/migrations/0001_a.sql', 'select 1'],
      ['packages/p/package.json', '{"a":1}'],
      ['package-lock.json', '{"b":1}'],
      ['apps/gw/src/start.mjs', ''],
      ['apps/console/index.html', ''],
      ['toolchain/build.ts', ''],
    ] as const) {
      write(file, text);
      digests.push(digest());
    }
    expect(new Set(digests).size).toBe(digests.length);
    for (const one of digests) expect(one).toMatch(/^[0-9a-f]{32}$/);
  });

  it('is the same after changes of tests, documents and other programs', () => {
    const before = digest();
    write('packages/p/src/a.test.ts', 'test');
    write('apps/console/src/web/b.test.tsx', 'test');
    write('docs/page.md', 'page');
    write('apps/quickstart/src/main.ts', 'main');
    write('dist/on-premise/gateway.js', 'built');
    expect(digest()).toBe(before);
  });

  it('is another one if a file was moved, or if text went from one file to the next', () => {
    write('packages/p/src/b.ts', 'b');
    const before = digest();
    write('packages/p/src/a.ts', '');
    write('packages/p/src/b.ts', 'ab');
    expect(digest()).not.toBe(before);
  });

  it('depends on what else decides about the build, word by word', () => {
    expect(new Set([digest(), digest('a'), digest('b'), digest('a', 'b'), digest('ab')]).size).toBe(5);
  });
});

it('a profile is one of two', () => {
  expect(PROFILES.filter(isProfile)).toEqual(['on-premise', 'serverless']);
  for (const name of ['', 'hosted', 'On-Premise', 'on-premise ', 'toString']) expect(isProfile(name)).toBe(false);
});
