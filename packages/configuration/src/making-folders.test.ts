import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { codeOf } from './reading.ts';
import { absentFolderFault, makeFolder } from './signing-key.ts';

const folder = mkdtempSync(join(tmpdir(), 'configuration-making-'));
afterAll(() => rmSync(folder, { recursive: true }));

function codeOfMaking(path: string): string | null {
  try {
    makeFolder(path);
    return null;
  } catch (error) {
    return codeOf(error);
  }
}

describe('a folder that is made', () => {
  it('is for its owner alone, as are its parents that were missing', () => {
    const deep = join(folder, 'a', 'b', 'c');
    makeFolder(deep);
    for (const made of [deep, join(folder, 'a', 'b'), join(folder, 'a')]) {
      expect([statSync(made).isDirectory(), statSync(made).mode & 0o777]).toEqual([true, 0o700]);
    }
  });

  it('stays as it is if it exists, with its mode', () => {
    const path = join(folder, 'existing');
    mkdirSync(path);
    chmodSync(path, 0o755);
    writeFileSync(join(path, 'file'), 'x');
    makeFolder(path);
    expect([statSync(path).mode & 0o777, existsSync(join(path, 'file'))]).toEqual([0o755, true]);
  });

  it('may be the target of a link', () => {
    mkdirSync(join(folder, 'target'));
    symlinkSync(join(folder, 'target'), join(folder, 'link'));
    makeFolder(join(folder, 'link', 'inner'));
    expect(existsSync(join(folder, 'target', 'inner'))).toBe(true);
  });

  it('is refused below a file, with the reason of the system', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(codeOfMaking(join(folder, 'file', 'a', 'b'))).toBe('ENOTDIR');
    expect(absentFolderFault(join(folder, 'file', 'a', 'b'))).toBe('ENOTDIR');
  });

  it('is refused, and not tried forever, where the file system has no folders to make', () => {
    // /proc of Linux reports ENOENT for every folder; systems without it do not let anybody make one there.
    expect(codeOfMaking('/proc/nowhere/a/b')).toMatch(/^(?:ENOENT|EACCES|EPERM|EROFS)$/);
  });
});
