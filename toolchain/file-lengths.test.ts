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
/** What the check prints. Its exit code shows whether there is anything. */
function tooLong(): string[] {
  const { stdout, status } = spawnSync(process.execPath, [CHECK], { cwd: folder, encoding: 'utf8' });
  expect(status).toBe(stdout === '' ? 0 : 1);
  return stdout.split('\n').filter((line) => line !== '');
}

describe('a file of more than 300 lines', () => {
  it.each(['a.ts', 'b/c.tsx', 'd.mjs', 'e.css', 'f.sh', 'g.test.ts'])('is named: %s', (file) => {
    write(file, 300);
    expect(tooLong()).toEqual([]);
    write(file, 301);
    expect(tooLong()).toEqual([`${file} has more than 300 lines: divide it by subject`]);
  });

  it('is none of ours if it is not tracked, deleted, or no code', () => {
    write('untracked.ts', 400, false);
    write('deleted.ts', 400);
    rmSync(join(folder, 'deleted.ts'));
    for (const file of ['page.md', 'data.json', 'migration.sql']) write(file, 400);
    expect(tooLong()).toEqual([]);
  });
});
