import type { Target } from '../load/job.ts';

/** One of the things that are measured beside each other. */
export interface Peer {
  readonly name: string;
  readonly target: Target;
  /** Its process, where its memory and processor time are of interest. */
  readonly pid: number | null;
  /** First process of the PostgreSQL server that serves it alone; null where it has none. */
  readonly postmaster: number | null;
  stop(): Promise<void>;
}

/** A peer that could not be had on this machine, and how to get it. */
export class PeerAbsent extends Error {}
