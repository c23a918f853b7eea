import { randomUUID } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { systemCodeOf } from '../fault.ts';

/** Longest wait for another process, unless the caller says otherwise. Locks are held for milliseconds. */
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
 * Runs `work` while no other process does so under the same lock file. A lock whose owner has died is taken over.
 * Linking a complete file is atomic on every file system that home directories lie on; `flock` is not available in Node.
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
  await writeOwn(mine);
  try {
    await acquire(path, mine, patienceMs);
  } finally {
    await rm(mine, { force: true });
  }
  return () => rm(path, { force: true });
}

async function writeOwn(path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(JSON.stringify({ host: hostname(), pid: process.pid, started: await startOf(process.pid) }));
  } finally {
    await file.close();
  }
}

async function acquire(path: string, mine: string, patienceMs: number): Promise<void> {
  const until = performance.now() + patienceMs;
  for (;;) {
    if (await linked(mine, path)) return;
    const owner = await read(path);
    if (owner === null) continue; // released meanwhile
    if (await hasEnded(owner)) {
      await removeStale(path, mine, owner);
      continue;
    }
    if (performance.now() >= until) {
      throw new Locked(path, `process ${pidIn(owner)}`);
    }
    await pause(RETRY_MS);
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Under a lock of its own: of two that find the same stale lock, the slower would else remove the lock of the quicker. */
async function removeStale(path: string, mine: string, stale: string): Promise<void> {
  const guard = `${path}.stale`;
  if (!(await linked(mine, guard))) {
    const owner = await read(guard);
    if (owner !== null && (await hasEnded(owner))) await rm(guard, { force: true });
    await pause(RETRY_MS);
    return;
  }
  try {
    if ((await read(path)) === stale) await rm(path, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}

async function read(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
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
async function hasEnded(text: string): Promise<boolean> {
  const { host, pid, started } = ownerIn(text);
  if (typeof pid !== 'number') return true; // nobody of ours wrote this
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return systemCodeOf(error) === 'ESRCH';
  }
  const now = await startOf(pid);
  return now !== null && typeof started === 'string' && now !== started;
}

/** When a process started, in the system's own words: its 22nd field in /proc, counted behind the program's name. Null elsewhere. */
async function startOf(pid: number): Promise<string | null> {
  const stat = await read(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}
