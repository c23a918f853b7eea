import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import { ownFolder, replaceFile } from './replace.ts';

const moduleOf = (name: string): string => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)));
/** Runs programs at the same time, each with its number as `at`, until they end. */
async function together(count: number, program: string): Promise<readonly (number | null)[]> {
  const children = Array.from({ length: count }, (_, at) =>
    spawn(process.execPath, ['--input-type=module', '--eval', `const at = ${at};${program}`], { stdio: 'ignore' }),
  );
  const ended = await Promise.all(children.map((child) => once(child, 'close')));
  return ended.map(([code]) => code as number | null);
}

describe('a file that is replaced', () => {
  it('is of its owner alone, though others could read the old one', async () => {
    const path = join(temporaryFolder(), 'a.json');
    writeFileSync(path, 'old');
    chmodSync(path, 0o644);
    await replaceFile(path, 'new');
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['new', 0o600]);
  });

  it('replaces a link, not what the link leads to', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'other'), 'untouched');
    symlinkSync('other', join(folder, 'a.json'));
    await replaceFile(join(folder, 'a.json'), 'new');
    expect(readFileSync(join(folder, 'other'), 'utf8')).toBe('untouched');
    expect(() => readlinkSync(join(folder, 'a.json'))).toThrow('EINVAL');
  });

  it('stays as it was, with nothing beside it, where it cannot be replaced', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'a.json', 'full'), { recursive: true });
    await expect(replaceFile(join(folder, 'a.json'), 'new')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(folder)).toEqual(['a.json']);
    await expect(replaceFile(join(folder, 'absent', 'a.json'), 'new')).rejects.toThrow('ENOENT');
    expect(existsSync(join(folder, 'absent'))).toBe(false);
  });

  it('is whole at every moment, though several processes replace it', async () => {
    const path = join(temporaryFolder(), 'a.json');
    await replaceFile(path, JSON.stringify({ text: '' }));
    const writers = together(
      3,
      `const { replaceFile } = await import(${moduleOf('replace.ts')});
       for (let n = 0; n < 10; n += 1)
         await replaceFile(${JSON.stringify(path)}, JSON.stringify({ text: String(at).repeat(50_000 * (n % 3)) }));`,
    );
    let reads = 0;
    const state = { isWriting: true };
    const written = writers.finally(() => {
      state.isWriting = false;
    });
    while (state.isWriting) {
      const { text } = JSON.parse(readFileSync(path, 'utf8')) as { text: string };
      expect(new Set(text).size).toBeLessThan(2);
      reads += 1;
      await new Promise((go) => setImmediate(go));
    }
    expect(await written).toEqual([0, 0, 0]);
    expect(reads).toBeGreaterThan(0);
  });
});

it('a folder of the user is closed to others, with those above it, and may exist already', async () => {
  const root = temporaryFolder();
  await ownFolder(join(root, 'a', 'b'));
  await ownFolder(join(root, 'a', 'b'));
  expect([statSync(join(root, 'a')).mode & 0o777, statSync(join(root, 'a', 'b')).mode & 0o777]).toEqual([0o700, 0o700]);
});

it('what processes do under one lock is never done by two of them at once', async () => {
  const folder = temporaryFolder();
  const count = join(folder, 'count');
  writeFileSync(count, '0');
  const codes = await together(
    4,
    `const { withLock } = await import(${moduleOf('lock.ts')});
     const { readFileSync, writeFileSync } = await import('node:fs');
     for (let n = 0; n < 25; n += 1)
       await withLock(${JSON.stringify(join(folder, 'a.lock'))}, async () => {
         const before = Number(readFileSync(${JSON.stringify(count)}, 'utf8'));
         await new Promise((go) => setImmediate(go));
         writeFileSync(${JSON.stringify(count)}, String(before + 1));
       });`,
  );
  expect([codes, readFileSync(count, 'utf8'), readdirSync(folder)]).toEqual([[0, 0, 0, 0], '100', ['count']]);
});
