import type { Random } from '../support/random.ts';

/** The result for an input: accepted as valid, or refused. A target whose inputs are all refused tests too little. */
export type Outcome = 'accepted' | 'refused';

/** Something that reads what others send. */
export interface Target {
  readonly name: string;
  /** Of all cases, in parts of 100. */
  readonly share: number;
  /** Cases that run at once: more than one where a case waits for another process. */
  readonly concurrency: number;
  readonly open: () => Promise<OpenTarget>;
}

export interface OpenTarget {
  /** Makes one input and hands it over. Throws where something happens that must not. The same numbers make the same input. */
  readonly run: (random: Random) => Outcome | Promise<Outcome>;
  /** Checks between cases: the process runs, and nothing was relayed without permission. */
  readonly check?: () => Promise<void>;
  /** Heap size in bytes of the program under test; of this process if absent. */
  readonly heldBytes?: () => number | Promise<number>;
  readonly close?: () => Promise<void>;
}

/** An input that something is wrong with. */
export class Finding extends Error {
  override readonly name = 'Finding';
  constructor(what: string, input: string | Uint8Array) {
    const bytes = typeof input === 'string' ? Buffer.from(input) : Buffer.from(input);
    super(`${what} Input (base64): ${bytes.subarray(0, 4000).toString('base64')}`);
  }
}
