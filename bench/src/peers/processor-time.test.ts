import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parentProcess, processorTime } from './processor-time.ts';

/** Says "ready", then uses the processor until it is killed. */
const BUSY = "process.stdout.write('ready'); for (;;) Math.sqrt(2)";

const linux = existsSync('/proc/self/schedstat');

it.runIf(linux)('grows while a process works, for the process and for the children of a server', async () => {
  const child = spawn(process.execPath, ['-e', BUSY], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(child.stdout, 'data');
    const pid = child.pid ?? 0;
    const peer = { pid, postmaster: process.pid };
    const before = processorTime(peer);
    // Its parent waits until it has used some more: no time is asserted.
    let after = processorTime(peer);
    while (after.own <= before.own) after = processorTime(peer);
    expect(after.database).toBeGreaterThan(before.database);
    expect(after.database).toBeGreaterThan(after.own);
    expect(parentProcess(pid)).toBe(process.pid);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

it('is not a number for a peer without a process', () => {
  expect(processorTime({ pid: null, postmaster: null })).toEqual({ own: Number.NaN, database: Number.NaN });
});

it.runIf(linux)('is no time of a database for a peer that has none', () => {
  expect(processorTime({ pid: process.pid, postmaster: null }).database).toBe(0);
});

it.runIf(linux)('does not fail for a process that has ended meanwhile', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  const pid = child.pid ?? 0;
  await once(child, 'exit');
  expect(processorTime({ pid, postmaster: pid })).toEqual({ own: 0, database: 0 });
  expect(parentProcess(pid)).toBeNull();
});
