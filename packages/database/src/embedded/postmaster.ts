import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { commandOf, runs } from './process.ts';

/** What PostgreSQL writes about itself into postmaster.pid (src/include/utils/pidfile.h). */
export interface Postmaster {
  readonly pid: number;
  readonly ready: boolean;
}

function pidFile(data: string): string {
  return join(data, 'postmaster.pid');
}

export function readPostmaster(data: string): Postmaster | null {
  let lines: string[];
  try {
    lines = readFileSync(pidFile(data), 'utf8').split('\n');
  } catch {
    return null;
  }
  const pid = Number(lines[0]);
  return pid > 0 ? { pid, ready: lines[7]?.trim() === 'ready' } : null;
}

/** Waits for the end of a process; false when it takes longer. */
export async function goneWithin(pid: number, milliseconds: number): Promise<boolean> {
  const end = Date.now() + milliseconds;
  for (;;) {
    if (!runs(pid)) return true;
    if (Date.now() > end) return false;
    await pause(20);
  }
}

/**
 * Prepares a start. A server left by an earlier run (which was killed) is stopped in order. A pid file without its server (which
 * was killed) is removed: PostgreSQL would not start if another process has that number.
 */
export async function clearLeftover(data: string): Promise<void> {
  const left = readPostmaster(data);
  if (!left) return;
  if (left.pid !== process.pid && commandOf(left.pid).includes(data)) {
    process.kill(left.pid, 'SIGCONT');
    process.kill(left.pid, 'SIGINT');
    if (!(await goneWithin(left.pid, 15_000))) {
      process.kill(left.pid, 'SIGQUIT');
      await goneWithin(left.pid, 10_000);
    }
  }
  rmSync(pidFile(data), { force: true });
}
