import { randomUUID } from 'node:crypto';
import { closeSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCode } from '@gateway/contract/error-code';
import { withPath } from './replace.ts';

/** Longest wait for another process by default. Locks are held for milliseconds. */
const PATIENCE_MS = 10_000;
const RETRY_MS = 5;

/** Another process holds the lock; the message names the process and the file. */
export class Locked extends Error {
  override readonly name = 'Locked';
  /** The owner, as `process 12 on laptop`. */
  readonly owner: string;

  constructor(path: string, owner: string) {
    super(`${path} is locked by ${owner}. Wait for it, or end it; then try again.`);
    this.owner = owner;
  }
}

/**
 * Runs `work` while no other process does so under the same lock file. A lock whose owner has died is taken over. Linking a
 * complete file is atomic on every file system used for home directories; `flock` is not available in Node.
 * @param patienceMs how long to wait for another owner; 0 tries once.
 * @throws Locked where the other owner keeps it longer.
 */
export async function withLock<T>(path: string, work: () => Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  const release = await takeLock(path, patienceMs);
  try {
    return await work();
  } finally {
    await release();
  }
}

/**
 * Takes a lock until the function that is returned is called, or the process ends.
 * @throws Locked where another owner keeps it longer than `patienceMs`.
 */
export async function takeLock(path: string, patienceMs: number): Promise<() => Promise<void>> {
  const mine = `${path}.${randomUUID()}`;
  writeOwn(mine);
  try {
    await acquire(path, mine, patienceMs);
  } finally {
    rmSync(mine, { force: true });
  }
  return async () => rmSync(path, { force: true });
}

/** Synchronous, as all that follows but the waiting: each step takes microseconds, and another thread would take ten times as long. */
function writeOwn(path: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(
      file,
      JSON.stringify({ host: hostname(), pid: process.pid, started: (ownStart ??= startOf(process.pid)) }),
    );
  } catch (error) {
    rmSync(path, { force: true });
    throw withPath(error, path);
  } finally {
    closeSync(file);
  }
}

let ownStart: string | null = null;

async function acquire(path: string, mine: string, patienceMs: number): Promise<void> {
  // Asking for `performance` loads a module of Node.js.
  const deadline = process.uptime() + patienceMs / 1000;
  for (;;) {
    if (tryLink(mine, path)) return;
    const owner = read(path);
    if (owner === null) continue; // released meanwhile
    if (hasEnded(owner)) {
      await removeStale(path, mine, owner);
      continue;
    }
    if (process.uptime() >= deadline) {
      throw new Locked(path, `process ${pidIn(owner)}`);
    }
    await pause(RETRY_MS);
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Under a lock of its own: of two that find the same stale lock, the slower would else remove the lock of the quicker. */
async function removeStale(path: string, mine: string, stale: string): Promise<void> {
  const guard = `${path}.stale`;
  if (!tryLink(mine, guard)) {
    const owner = read(guard);
    if (owner !== null && hasEnded(owner)) rmSync(guard, { force: true });
    await pause(RETRY_MS);
    return;
  }
  try {
    if (read(path) === stale) rmSync(path, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

/** Null where there is no such file or process. A lock that cannot be read would be waited for without an end. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (/^(?:ENOENT|ESRCH)$/.test(errorCode(error))) return null;
    throw error;
  }
}

interface Owner {
  readonly host?: unknown;
  readonly pid?: unknown;
  readonly started?: unknown;
}

function ownerIn(text: string): Owner {
  try {
    return (JSON.parse(text) ?? {}) as Owner;
  } catch {
    return {};
  }
}

function pidIn(text: string): string {
  const { pid, host } = ownerIn(text);
  return `${String(pid)} on ${String(host)}`;
}

/** Whether the owner is a process of this machine that has ended. A restarted machine gives its number to another. */
function hasEnded(text: string): boolean {
  const { host, pid, started } = ownerIn(text);
  if (typeof pid !== 'number') return true; // nobody of ours wrote this
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
  const now = startOf(pid);
  return now !== null && typeof started === 'string' && now !== started;
}

/** When a process started, in the system's own words: its 22nd field in /proc, counted behind the program's name. Null elsewhere. */
function startOf(pid: number): string | null {
  const stat = read(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}
