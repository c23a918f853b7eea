import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  childrenSeen,
  closeInherited,
  descendantsOf,
  descendantsThisTurn,
  endAll,
  leftovers,
  MARK,
  markOf,
  readInheritedDescriptors,
  readMarked,
  readMarkedNow,
  relativesOf,
  signalAll,
} from './processes.ts';
import { gone, processesWith, running, uniqueSleep, until } from './testing/processes.ts';
import { makeWorkdir } from './testing/run.ts';

describe('the descendance of a process', () => {
  it('contains only its children and their descendants', async () => {
    const marker = uniqueSleep();
    const child = spawn('sh', ['-c', `sh -c "sleep ${marker}; true" & sleep ${marker}; true`]);
    await until(() => processesWith(`sleep\0${marker}`).length === 2);
    const found = descendantsOf(child.pid ?? 0);
    expect(new Set(found)).toEqual(new Set(processesWith(marker).filter((pid) => pid !== child.pid)));
    expect(descendantsOf(process.pid)).toEqual(expect.arrayContaining([child.pid, ...found]));
    signalAll([child.pid ?? 0, ...found], 'SIGKILL');
    await gone(marker);
  });
  it('is shared by all calls in one turn, and read again in the next', async () => {
    const marker = uniqueSleep();
    const mark = markOf(marker);
    const before = [descendantsThisTurn(process.pid), readMarkedNow(mark)];
    const child = spawn('sleep', [marker], { env: { PATH: '/usr/bin:/bin', [MARK]: mark } });
    expect([descendantsThisTurn(process.pid), readMarkedNow(mark)]).toEqual(before);
    await running(`sleep\0${marker}`);
    await expect.poll(() => descendantsThisTurn(process.pid), { timeout: 300_000 }).toContain(child.pid);
    await expect.poll(() => readMarkedNow(mark), { timeout: 300_000 }).toEqual([child.pid]);
    signalAll([child.pid ?? 0], 'SIGKILL');
    await gone(marker);
  });
  it('is empty for a process that is not there', () => {
    expect(descendantsOf(4_000_000)).toEqual([]);
    signalAll([4_000_000], 'SIGTERM');
  });
  it('is identified by its mark where it left parent and group', async () => {
    const marker = uniqueSleep();
    const mark = markOf(marker);
    const child = spawn('sh', ['-c', `(setsid sleep ${marker} &); exec true`], {
      env: { [MARK]: mark, PATH: '/usr/bin:/bin' },
    });
    await new Promise((resolve) => child.once('exit', resolve));
    let left: number[] = [];
    await until(() => {
      left = processesWith(`sleep\0${marker}`);
      return left.length === 1;
    });
    // It may still be setsid, about to become sleep: a process that changes its program has no environment for a moment.
    await expect.poll(() => relativesOf(4_000_000, mark), { timeout: 300_000 }).toEqual(expect.arrayContaining(left));
    await expect.poll(() => readMarkedNow(mark), { timeout: 300_000 }).toEqual(left);
    expect(readMarkedNow(mark.slice(0, -1))).toEqual([]);
    signalAll(processesWith(marker), 'SIGKILL');
    await gone(marker);
  });
});

it('what a killed gateway left is ended, and nothing that another one runs', async () => {
  const [left, other, unmarked] = [uniqueSleep(), uniqueSleep(), uniqueSleep()];
  const start = (marker: string, mark: Record<string, string>) =>
    spawn('sleep', [marker], { env: { PATH: '/usr/bin:/bin', ...mark } });
  const children = [
    start(left, { [MARK]: '4000000-one' }),
    start(other, { [MARK]: `${process.ppid}-one` }),
    start(unmarked, {}),
  ];
  // Nothing here waits until the first is seen to run: a gateway that another test starts would end it, too.
  for (const marker of [other, unmarked]) await running(`sleep\0${marker}`);
  const ended = new Promise((resolve) => children[0]?.once('exit', (_, signal) => resolve(signal)));
  await endAll(leftovers);
  expect(await ended).toBe('SIGKILL');
  expect([other, unmarked].map((marker) => processesWith(marker).length)).toEqual([1, 1]);
  for (const child of children) child.kill('SIGKILL');
});

it('what a killed gateway left is ended also where it starts one process after the other', async () => {
  const marker = uniqueSleep();
  const forking = `i=0; while [ $i -lt 400 ]; do i=$((i + 1)); sleep ${marker} & done; wait`;
  const child = spawn('sh', ['-c', forking], { env: { PATH: '/usr/bin:/bin', [MARK]: '4000000-two' } });
  await until(() => child.signalCode !== null || processesWith(`sleep\0${marker}`).length > 0);
  await endAll(leftovers);
  const left = processesWith(marker);
  signalAll(left, 'SIGKILL');
  expect(left).toEqual([]);
});

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
