import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { descendantsOf, relativesOf, signalAll } from './descendants.ts';
import { gone, processesWith, uniqueSleep, until } from './testing/processes.ts';

describe('the descendance of a process', () => {
  it('holds its children and theirs, and none but them', async () => {
    const marker = uniqueSleep();
    const child = spawn('sh', ['-c', `sh -c "sleep ${marker}; true" & sleep ${marker}; true`]);
    await until(() => processesWith(`sleep\0${marker}`).length === 2);
    const found = descendantsOf(child.pid ?? 0);
    expect(new Set(found)).toEqual(new Set(processesWith(marker).filter((pid) => pid !== child.pid)));
    expect(descendantsOf(process.pid)).toEqual(expect.arrayContaining([child.pid, ...found]));
    signalAll([child.pid ?? 0, ...found], 'SIGKILL');
    await gone(marker);
  });
  it('is empty for a process that is not there', () => {
    expect(descendantsOf(4_000_000)).toEqual([]);
    signalAll([4_000_000], 'SIGTERM');
  });
  it('is told by its mark where it left parent and group', async () => {
    const marker = uniqueSleep();
    const child = spawn('sh', ['-c', `(setsid sleep ${marker} &); exec true`], {
      env: { MARK: marker, PATH: '/usr/bin:/bin' },
    });
    await new Promise((resolve) => child.once('exit', resolve));
    await until(() => processesWith(`sleep\0${marker}`).length === 1);
    expect(relativesOf(4_000_000, `MARK=${marker}`)).toEqual(processesWith(marker));
    expect(relativesOf(4_000_000, `MARK=${marker.slice(0, -1)}`)).toEqual([]);
    signalAll(processesWith(marker), 'SIGKILL');
    await gone(marker);
  });
});
