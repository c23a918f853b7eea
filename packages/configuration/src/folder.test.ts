import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeFolder } from './folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'make-folder-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('a folder is made with those above it, for its owner alone, and left as it is where it stands', () => {
  const deep = join(folder, 'one', 'two');
  makeFolder(deep);
  makeFolder(deep);
  expect(statSync(deep).mode & 0o777).toBe(0o700);
});

it.runIf(process.platform === 'linux')('where nobody can make anything, that is said', () => {
  expect(() => makeFolder('/proc/none/below')).toThrow(/ENOENT/);
});

it('behind a link to what is not there, and below a file, that is said', () => {
  symlinkSync('/no/such/volume', join(folder, 'link'));
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolder(join(folder, 'link', 'below'))).toThrow(/EEXIST|ENOENT/);
  expect(() => makeFolder(join(folder, 'file', 'below'))).toThrow(/ENOTDIR/);
});
