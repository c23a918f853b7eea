import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { reasonOf } from './fault.ts';

const MODULE = fileURLToPath(new URL('machine.ts', import.meta.url));
/** A program that writes more than a pipe holds, and says on standard error where it is done. */
const PROGRAM = `
  const { watchStandardOutput } = await import(${JSON.stringify(MODULE)});
  watchStandardOutput();
  for (let at = 0; at < 50; at += 1) {
    if (!process.stdout.write('x'.repeat(100_000))) await new Promise((go) => process.stdout.once('drain', go));
  }
  process.stderr.write('done');
  process.exitCode = 5;`;
const WORDS = ['--input-type=module', '--eval', PROGRAM];

describe('a program whose output', () => {
  it('is read to its end ends by itself', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, WORDS, { maxBuffer: 2 ** 24 });
    expect([status, stdout.length, stderr.toString()]).toEqual([5, 5_000_000, 'done']);
  });

  it('is not read any more ends at once, without a fault', async () => {
    const child = spawn(process.execPath, WORDS, { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect([await once(child, 'close'), said]).toEqual([[0, null], '']);
  });

  it.skipIf(!existsSync('/dev/full'))('fills the disk says so, and fails', () => {
    const words = ['-c', 'exec "$0" "$@" > /dev/full', process.execPath, ...WORDS];
    const { status, stderr } = spawnSync('/bin/sh', words, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, 'gw: standard output cannot be written: the disk is full.\n']);
  });
});

describe('why the system did not write', () => {
  it.each([
    ['EACCES', 'you have no right to write there.'],
    ['ENOSPC', 'the disk is full.'],
    ['EROFS', 'the file system is read-only.'],
    ['EIO', 'the system refuses it (EIO).'],
  ])('%s is said in words', (code, words) => {
    expect(reasonOf(Object.assign(new Error('x'), { code }))).toBe(words);
  });

  it.each([null, undefined, 'text', new Error('no code'), { code: 7 }])('%s has no code', (error) => {
    expect(reasonOf(error)).toBe('the system refuses it (unknown).');
  });
});
