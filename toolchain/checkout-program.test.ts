import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

// `gw` of a checkout: which program `apps/gw/bin/gw.mjs` runs.
const [BEFORE, BUILT, AFTER] = [1000, 2000, 3000];
const SOURCE = 'packages/secrets/src/index.ts';
let root: string;

function put(path: string, content: string, seconds: number): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
  utimesSync(join(root, path), seconds, seconds);
}
function build(profile: string, seconds: number): void {
  put(`dist/${profile}/gw.js`, `console.log('${profile}');`, seconds);
  put(`dist/${profile}/gw/sources.txt`, `apps/gw/src/start.mjs\n${SOURCE}`, seconds);
}
const ran = (): string =>
  execFileSync(process.execPath, [join(root, 'apps/gw/bin/gw.mjs')], { encoding: 'utf8' }).trim();

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gw checkout-'));
  mkdirSync(join(root, 'apps/gw/bin'), { recursive: true });
  copyFileSync('apps/gw/bin/gw.mjs', join(root, 'apps/gw/bin/gw.mjs'));
  put('package.json', '{"type":"module"}', BEFORE);
  put('package-lock.json', '{}', BEFORE);
  put('apps/gw/src/start.mjs', "console.log('sources');", BEFORE);
  put(SOURCE, '', BEFORE);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('runs the sources where nothing was built', () => {
  expect(ran()).toBe('sources');
});

it('runs the newest built program while none of its sources is newer', () => {
  build('serverless', BUILT);
  expect(ran()).toBe('serverless');
  build('on-premise', BUILT + 1);
  expect(ran()).toBe('on-premise');
  put(SOURCE, '', AFTER);
  expect(ran()).toBe('sources');
});

it('does not run a program of other packages', () => {
  build('on-premise', BUILT);
  put('package-lock.json', '{}', AFTER);
  expect(ran()).toBe('sources');
});

it('does not run a program that does not name its sources', () => {
  build('on-premise', BUILT);
  rmSync(join(root, 'dist/on-premise/gw/sources.txt'));
  expect(ran()).toBe('sources');
});

it('is not disturbed by a file that is no source of the program', () => {
  build('on-premise', BUILT);
  put('apps/gw/src/other.test.ts', '', AFTER);
  expect(ran()).toBe('on-premise');
});
