import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const CHECK = join(import.meta.dirname, 'file-lengths.ts');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'file-lengths-'));
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(file: string, lines: number, isTracked = true): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), 'x\n'.repeat(lines));
  if (isTracked) execFileSync('git', ['add', file], { cwd: folder });
}
/** The files that the check finds too long; those that it expects to be long are not here. */
function tooLong(): string[] {
  const { stdout } = spawnSync(process.execPath, [CHECK], { cwd: folder, encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.includes(' has more than '));
}

describe('a file of more than 300 lines', () => {
  it.each(['a.ts', 'b/c.tsx', 'd.mjs', 'e.css', 'f.sh', 'g.test.ts'])('is named: %s', (file) => {
    write(file, 300);
    expect(tooLong()).toEqual([]);
    write(file, 301);
    expect(tooLong()).toEqual([`${file} has more than 300 lines: split it by subject`]);
  });

  it('is none of ours if it is not tracked, deleted, or no code', () => {
    write('untracked.ts', 400, false);
    write('deleted.ts', 400);
    rmSync(join(folder, 'deleted.ts'));
    for (const file of ['page.md', 'data.json', 'migration.sql']) write(file, 400);
    expect(tooLong()).toEqual([]);
  });

  it('that was long before and is short now is to leave the list', () => {
    write('apps/gw/src/canary.test.ts', 10);
    const { stdout, status } = spawnSync(process.execPath, [CHECK], { cwd: folder, encoding: 'utf8' });
    expect(stdout).toContain('apps/gw/src/canary.test.ts is short enough: remove it from toolchain/file-lengths.ts\n');
    expect(status).toBe(1);
  });
});
