import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usageLine } from '@gateway/domain/usage/gateway';
import { aUsageRecord } from '@gateway/domain/usage/testing/usage-record';
import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSpool } from './spool.ts';
import { USAGE_RECORD } from './state-directory.ts';

const unexpected = (path: string): void => {
  throw new Error(`${path} was set aside`);
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the spool', () => {
  it('is empty without records, and makes its folder', () => {
    expect(openSpool(join(folder, 'a', 'b'), USAGE_RECORD, unexpected).kept()).toEqual([]);
  });
  it('returns a record unchanged, also to another process', () => {
    const one = aUsageRecord({ subject: 'ünïcode "quoted"\n', interrupted: true, usageSource: 'estimated' });
    openSpool(folder, USAGE_RECORD, unexpected).add(usageLine(one));
    expect(openSpool(folder, USAGE_RECORD, unexpected).kept()).toEqual([usageLine(one)]);
  });
  it('stores a record once, even if it is added repeatedly', () => {
    const spool = openSpool(folder, USAGE_RECORD, unexpected);
    const one = aUsageRecord();
    spool.add(usageLine(one));
    spool.add(usageLine(one));
    expect(spool.kept()).toEqual([usageLine(one)]);
  });
  it('forgets a removed record, and ignores one that it never had', () => {
    const spool = openSpool(folder, USAGE_RECORD, unexpected);
    const one = aUsageRecord();
    spool.add(usageLine(one));
    spool.remove(one.id);
    spool.remove(v7());
    expect(spool.kept()).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.json'))).toEqual([]);
  });
  it('skips a file that a killed process had not finished', () => {
    writeFileSync(join(folder, `${v7()}.json.writing`), '{"id":');
    expect(openSpool(folder, USAGE_RECORD, unexpected).kept()).toEqual([]);
  });
  it('sets a file aside that contains no record, and reports it', () => {
    writeFileSync(join(folder, 'x.json'), '{"id":"nonsense"}');
    writeFileSync(join(folder, 'y.json'), '{"id":');
    const aside: string[] = [];
    const spool = openSpool(folder, USAGE_RECORD, (path) => aside.push(path));
    expect(spool.kept()).toEqual([]);
    expect(aside.toSorted()).toEqual([join(folder, 'x.json.unreadable'), join(folder, 'y.json.unreadable')]);
    expect(spool.kept()).toEqual([]);
    expect(aside).toHaveLength(2);
  });
  it('leaves a file where it is that cannot be read, and does not begin without it', () => {
    mkdirSync(join(folder, 'x.json'));
    const spool = openSpool(folder, USAGE_RECORD, unexpected);
    expect(() => spool.kept()).toThrow(/EISDIR/);
    expect(readdirSync(folder)).toContain('x.json');
  });
  it('keeps a record whole or not at all, where the disk takes a part of it', () => {
    const program = `
      const { openSpool } = await import(process.argv[1]);
      const spool = openSpool(process.argv[2], {}, () => {});
      try {
        spool.add({ id: 'long', text: 'x'.repeat(5000) });
      } catch (error) {
        process.stdout.write(error.code);
      }`;
    // Files may have two blocks of a kilobyte at most: what is written beyond is refused as by a full disk.
    const words = ['-c', 'ulimit -f 2 && exec "$0" "$@"', process.execPath, '--input-type=module', '--eval', program];
    const ran = spawnSync('sh', [...words, new URL('./spool.ts', import.meta.url).href, folder]);
    expect([ran.stderr.toString(), ran.stdout.toString()]).toEqual(['', 'EFBIG']);
    expect(readdirSync(folder).filter((name) => name.startsWith('long'))).toEqual([]);
  });
});
