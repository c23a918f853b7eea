import { readdirSync, readFileSync } from 'node:fs';
import type { Peer } from './peer.ts';

/** Processor time in microseconds (Linux: /proc). */
export interface ProcessorTime {
  /** Of the peer's own process. */
  readonly own: number;
  /** Of the PostgreSQL server behind it, all of its processes; 0 where it has none. */
  readonly database: number;
}

/** Time of all threads of a process: the first number of `schedstat` is nanoseconds on a processor. */
function timeOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
      const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
      return sum + Number(nanoseconds) / 1000;
    }, 0);
  } catch {
    return 0; // exited meanwhile
  }
}

function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** The process that started the one with this id, or null where there is no /proc. */
export function parentProcess(pid: number): number | null {
  return parentOf(pid) || null;
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((one) => one > 0 && parentOf(one) === pid);
}

/** What a peer has used since its start. NaN where this cannot be known. */
export function processorTime({ pid, postmaster }: Pick<Peer, 'pid' | 'postmaster'>): ProcessorTime {
  if (pid === null) return { own: Number.NaN, database: Number.NaN };
  const servers = postmaster === null ? [] : [postmaster, ...childrenOf(postmaster)];
  return { own: timeOf(pid), database: servers.reduce((sum, one) => sum + timeOf(one), 0) };
}
