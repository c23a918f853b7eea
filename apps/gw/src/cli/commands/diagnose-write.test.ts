import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withoutPrivileges } from '../../testing/rights.ts';
import { writeOwnFile } from './diagnose-run.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-write-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a file of one’s own', () => {
  it.each(['0000', '0022', '0077'])('is whole, and nobody else can read it, under the mask %s', async (mask) => {
    const before = process.umask(Number.parseInt(mask, 8));
    try {
      await writeOwnFile(join(folder, 'report'), 'größe\n', false);
    } finally {
      process.umask(before);
    }
    expect(readFileSync(join(folder, 'report'), 'utf8')).toBe('größe\n');
    expect(statSync(join(folder, 'report')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['report']);
  });

  it('is not replaced unless that was asked for, and is then closed to others too', async () => {
    const path = join(folder, 'report');
    writeFileSync(path, 'before', { mode: 0o644 });
    await expect(writeOwnFile(path, 'after', false)).rejects.toThrow(
      `${path} is there already. Add --force to replace it.`,
    );
    expect(readFileSync(path, 'utf8')).toBe('before');
    await writeOwnFile(path, 'after', true);
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['after', 0o600]);
    expect(readdirSync(folder)).toEqual(['report']);
  });

  it('wanted by several at once is written by one', async () => {
    const path = join(folder, 'report');
    const texts = Array.from({ length: 12 }, (_, at) => String(at).repeat(10_000));
    const ends = await Promise.allSettled(texts.map((text) => writeOwnFile(path, text, false)));
    const written = ends.flatMap(({ status }, at) => (status === 'fulfilled' ? [texts[at]] : []));
    expect(written).toEqual([readFileSync(path, 'utf8')]);
    expect(readdirSync(folder)).toEqual(['report']);
  });

  it('never replaces a directory, a pipe, a device or a link', async () => {
    mkdirSync(join(folder, 'directory'));
    writeFileSync(join(folder, 'target'), 'before');
    symlinkSync('target', join(folder, 'link'));
    symlinkSync('nowhere', join(folder, 'dangling'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const before = readdirSync(folder);
    for (const path of [...['directory', 'link', 'dangling', 'pipe'].map((name) => join(folder, name)), '/dev/null']) {
      for (const replace of [false, true])
        await expect(writeOwnFile(path, 'after', replace)).rejects.toThrow(
          `${path} is not a plain file, and is not replaced.`,
        );
    }
    expect(readFileSync(join(folder, 'target'), 'utf8')).toBe('before');
    expect(readdirSync(folder)).toEqual(before);
  });

  it.each([
    ['absent/report', 'the directory does not exist.'],
    ['file/report', 'a file has the name of a folder.'],
    ['n'.repeat(300), 'the name is too long.'],
  ])('cannot be written to %s', async (name, reason) => {
    writeFileSync(join(folder, 'file'), '');
    const path = join(folder, name);
    const expected = `${path} cannot be written: ${reason} Name another place with --output FILE.`;
    for (const replace of [false, true]) await expect(writeOwnFile(path, 'x', replace)).rejects.toThrow(expected);
  });

  it('cannot be written where one has no right to, and leaves nothing behind', async () => {
    mkdirSync(join(folder, 'closed'), { mode: 0o555 });
    execFileSync('chmod', ['755', folder]);
    await withoutPrivileges(async () => {
      await expect(writeOwnFile(join(folder, 'closed', 'report'), 'x', false)).rejects.toThrow(
        'you have no right to write there.',
      );
    });
    expect(readdirSync(join(folder, 'closed'))).toEqual([]);
  });
});
