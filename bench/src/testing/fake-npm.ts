import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** A folder with a program named npm, whose text is JavaScript, first on the PATH of `env`. */
export function fakeNpm(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-npm-'));
  const bin = join(folder, 'bin');
  const work = join(folder, 'work');
  mkdirSync(bin);
  mkdirSync(work);
  writeFileSync(join(bin, 'npm'), `#!${process.execPath}\n${text}`);
  chmodSync(join(bin, 'npm'), 0o755);
  return {
    /** An empty folder, for a program that installs below its current directory. */
    work,
    PATH: [bin, process.env['PATH'] ?? ''].join(delimiter),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
