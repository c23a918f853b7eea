import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { gone, processesWith, running, uniqueSleep, until } from '../testing/processes.ts';
import {
  descendantsOf,
  descendantsThisTurn,
  leftovers,
  MARK,
  markOf,
  readMarkedNow,
  relativesOf,
  signalAll,
} from './descendants.ts';
import { endAll } from './seen-processes.ts';

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
