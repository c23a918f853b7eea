import type { Random } from '../support/random.ts';

/** What came of an input: taken as valid, or refused. A target whose inputs are all refused tests too little. */
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
  /** What must hold once no case runs: the process lives, nothing was relayed that must not be. */
  readonly check?: () => Promise<void>;
  /** Bytes that the program under test holds; those of this process where it is absent. */
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
