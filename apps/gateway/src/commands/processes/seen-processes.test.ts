import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gone, processesWith, uniqueSleep, until } from '../testing/processes.ts';
import { makeWorkdir } from '../testing/run.ts';
import { MARK, markOf, signalAll } from './descendants.ts';
import { childrenSeen, closeInherited, readInheritedDescriptors, readMarked } from './seen-processes.ts';

it.each([
  ['the lists of children', true],
  ['the table of all processes', false],
])('what runs below a process is seen by %s', async (_, listed) => {
  const marker = uniqueSleep();
  const child = spawn('sh', ['-c', `sh -c "sleep ${marker}; true" & sleep ${marker}; true`]);
  await until(() => processesWith(`sleep\0${marker}`).length === 2);
  const found = await childrenSeen(child.pid ?? 0, listed);
  expect(new Set(found)).toEqual(new Set(processesWith(marker).filter((pid) => pid !== child.pid)));
  expect(await childrenSeen(process.pid, listed)).toEqual(expect.arrayContaining([child.pid, ...found]));
  expect(await childrenSeen(4_000_000, listed)).toEqual([]);
  signalAll([child.pid ?? 0, ...found], 'SIGKILL');
  await gone(marker);
});

it('what a thread started is seen below its process', async () => {
  const marker = uniqueSleep();
  const script = `new (require('node:worker_threads').Worker)("require('node:child_process').spawn('sleep', ['${marker}'])", { eval: true })`;
  const child = spawn(process.execPath, ['-e', script]);
  await until(() => processesWith(`sleep\0${marker}`).length === 1);
  expect(await childrenSeen(child.pid ?? 0, true)).toEqual(processesWith(`sleep\0${marker}`));
  signalAll([child.pid ?? 0, ...processesWith(`sleep\0${marker}`)], 'SIGKILL');
  await gone(marker);
});

it('a process that left its parent is found by its mark, in all concurrent scans', async () => {
  const marker = uniqueSleep();
  const mark = markOf(marker);
  const child = spawn('sh', ['-c', `(setsid sleep ${marker} &); exec true`], {
    env: { [MARK]: mark, PATH: '/usr/bin:/bin' },
  });
  await new Promise((resolve) => child.once('exit', resolve));
  await until(() => processesWith(`sleep\0${marker}`).length === 1);
  const seen = await Promise.all([readMarked(mark), readMarked(mark), readMarked(mark.slice(0, -1))]);
  expect(seen).toEqual([processesWith(marker), processesWith(marker), []]);
  signalAll(processesWith(marker), 'SIGKILL');
  await gone(marker);
});

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
