import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeWorkdir } from '../testing/run.ts';
import { closeInherited, readInheritedDescriptors } from './inherited-descriptors.ts';

describe('what the gateway was started with', () => {
  it('is identified by its missing close-on-exec flag', async () => {
    const directory = await makeWorkdir();
    mkdirSync(join(directory.path, 'fdinfo'));
    for (const [descriptor, flags] of [
      [0, '0100002'],
      [3, '02100000'],
      [9, '0100001'],
      [251, '0100001'],
    ]) {
      writeFileSync(join(directory.path, 'fdinfo', String(descriptor)), `pos:\t0\nflags:\t${flags}\nmnt_id:\t1\n`);
    }
    expect(readInheritedDescriptors(directory.path)).toEqual([251, 9]);
    await directory.remove();
  });
  it('is nothing where there is no such list', () => {
    expect(readInheritedDescriptors('/no/such')).toEqual([]);
  });
  it('is not passed on', () => {
    const stdio = closeInherited(['ignore', 'pipe', 'pipe'], [1, 9, 5]);
    expect(stdio).toHaveLength(10);
    expect(stdio.slice(0, 5)).toEqual(['ignore', 'pipe', 'pipe', 'ignore', 'ignore']);
    const { stdout } = spawnSync('readlink', ['/proc/self/fd/9', '/proc/self/fd/5'], { stdio });
    expect(String(stdout)).toBe('/dev/null\n/dev/null\n');
  });
});
