import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { installCached, PackagesAbsent } from './cached-packages.ts';

const NAME = `messages-${process.pid}`;
const PACKAGES = { one: '1.0.0', two: '2.0.0' };
const folder = path.resolve('.cache', NAME);
let programs: string;

/** An npm that does what a script says, before any other on the path. */
function npm(script: string): void {
  writeFileSync(path.join(programs, 'npm'), `#!/bin/sh\n${script}\n`);
  chmodSync(path.join(programs, 'npm'), 0o755);
}

beforeEach(() => {
  programs = mkdtempSync(path.join(tmpdir(), 'npm-'));
  vi.stubEnv('PATH', `${programs}${path.delimiter}${process.env['PATH'] ?? ''}`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(programs, { recursive: true });
  rmSync(folder, { recursive: true, force: true });
});

it('packages are installed without their scripts, and remembered once npm succeeded', async () => {
  npm(`echo "$*" > '${programs}/words'`);
  expect(await installCached(NAME, PACKAGES)).toBe(folder);
  expect(readFileSync(path.join(programs, 'words'), 'utf8')).toMatch(/^install --ignore-scripts .*--prefix /);
  npm('exit 1');
  expect(await installCached(NAME, PACKAGES)).toBe(folder);
});

it.each([
  [
    "echo 'npm error code E404' >&2; echo 'npm error 404 Not Found' >&2; echo 'npm error A complete log is in /x' >&2; exit 1",
    'one, two could not be installed: code E404; 404 Not Found; A complete log is in /x',
  ],
  [
    'for number in 1 2 3 4 5 6; do echo "npm error line $number" >&2; done; exit 1',
    'one, two could not be installed: line 1; line 2; line 3; line 4',
  ],
  ["echo ' something else ' >&2; exit 7", 'one, two could not be installed: something else'],
  ["head -c 40000 /dev/zero | tr '\\0' x >&2; exit 1", `one, two could not be installed: ${'x'.repeat(500)}`],
])('what npm reports is shown without its hints, and bounded: %s', async (script, message) => {
  npm(script);
  const failure = await installCached(NAME, PACKAGES).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PackagesAbsent);
  expect(failure).toHaveProperty('message', message);
});

it('a failed attempt is not remembered as a success', async () => {
  npm('exit 1');
  await expect(installCached(NAME, PACKAGES)).rejects.toThrow(PackagesAbsent);
  npm('exit 0');
  expect(await installCached(NAME, PACKAGES)).toBe(folder);
});

it('a machine without npm is reported', async () => {
  vi.stubEnv('PATH', programs);
  await expect(installCached(NAME, PACKAGES)).rejects.toThrow(/^one, two could not be installed: spawn npm ENOENT$/);
});
