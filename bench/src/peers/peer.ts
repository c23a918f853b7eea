import type { Target } from '../load/job.ts';

/** One of the things that are measured beside each other. */
export interface Peer {
  readonly name: string;
  readonly target: Target;
  /** Its process, where its memory is of interest. */
  readonly pid: number | null;
  stop(): Promise<void>;
}

/** A peer that could not be had on this machine, and what would mend it. */
export class PeerAbsent extends Error {}
