import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { absentFolderFault } from './signing-key.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'configuration-folder-'));
  writeFileSync(join(folder, 'file'), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

it('a folder that can be made has no fault, at any depth, and is not made', () => {
  expect(absentFolderFault(join(folder, 'a', 'b', 'c'))).toBeNull();
  expect(existsSync(join(folder, 'a'))).toBe(false);
});

it('a file in the way is a fault, at any level above', () => {
  expect(absentFolderFault(join(folder, 'file', 'a'))).toBe('ENOTDIR');
  expect(absentFolderFault(join(folder, 'file', 'a', 'b'))).toBe('ENOTDIR');
});
