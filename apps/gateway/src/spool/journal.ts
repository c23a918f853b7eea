import { randomUUID } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Records that are on their way into the database while the caller already has its whole answer. */
export interface Journal<Entry> {
  /** They survive the death of this process when it returns, though not that of the machine: that is the spool's part. */
  append(records: readonly Entry[]): void;
  /** One appended record needs the journal no more. */
  settle(): void;
  close(): void;
}

/** Past this size an empty journal begins anew. */
const LARGE = 64 * 1024;

/** A journal of another machine is forgotten after so long, in milliseconds. */
const OLD = 30 * 86_400_000;

/** Journals that this process writes. */
const OWN = new Set<string>();

const NAME = /^(.+)\.(\d+)\.[0-9a-f-]{36}\.journal$/;

/**
 * An append-only file a process. Writing to it costs a few microseconds, for it waits for no disk: the page cache keeps
 * what a killed process wrote.
 */
export function openJournal<Entry>(directory: string): Journal<Entry> {
  const path = join(directory, `${hostname()}.${process.pid}.${randomUUID()}.journal`);
  const descriptor = openSync(path, 'ax', 0o600);
  OWN.add(path);
  let outstanding = 0;
  let size = 0;
  let torn = false;
  return {
    append(records) {
      outstanding += records.length;
      // A full disk takes part of a line, which must not spoil the next one.
      const lines = Buffer.from(
        `${torn ? '\n' : ''}${records.map((record) => `${JSON.stringify(record)}\n`).join('')}`,
      );
      torn = true;
      const written = writeSync(descriptor, lines);
      size += written;
      if (written < lines.length) throw new Error(`the disk took ${written} of ${lines.length} bytes`);
      torn = false;
    },
    settle() {
      outstanding -= 1;
      if (outstanding > 0 || size < LARGE) return;
      ftruncateSync(descriptor, 0);
      size = 0;
    },
    close() {
      closeSync(descriptor);
      OWN.delete(path);
      if (outstanding === 0) rmSync(path, { force: true });
    },
  };
}

/**
 * The records of journals that earlier processes left; most are in the database already, which takes each once. A journal
 * whose process may still live is read and left alone.
 * @param adopted called with each line's value. @returns removes the journals that nobody writes any more.
 */
export function readLeftJournals(directory: string, adopted: (value: unknown) => void): () => void {
  const left: string[] = [];
  for (const name of readdirSync(directory)) {
    const [, host, pid] = NAME.exec(name) ?? [];
    const path = join(directory, name);
    if (host === undefined || OWN.has(path)) continue;
    for (const line of readFileSync(path, 'utf8').split('\n')) adopted(valueOf(line));
    const dead = host === hostname() && (Number(pid) === process.pid || !lives(Number(pid)));
    if (dead || Date.now() - statSync(path).mtimeMs > OLD) left.push(path);
  }
  return () => {
    for (const path of left) rmSync(path, { force: true });
  };
}

/** The last line of a killed process may be cut. */
function valueOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
