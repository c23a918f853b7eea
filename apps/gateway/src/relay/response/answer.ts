import type { Refusal } from '@gateway/contract';

/** Status line and headers of an answer, ready for the caller. */
export interface AnswerHead {
  readonly status: number;
  readonly reason: string;
  /** Flat: [name, value, …]. */
  readonly headers: readonly string[];
}

/** How a completed call is accounted for. */
export interface Settlement {
  /** Writes the usage record before the answer is served; false where it could not be written. */
  now(): Promise<boolean>;
  /** Queues the usage record. @param kept runs once the record is durable. */
  later(kept: () => void): void;
}

/**
 * What is left to do with an answer, in steps with other work in between. It must be done before anything else is called.
 * It returns whether the provider may send more, or must wait until `drained` is called.
 */
export type Work = Generator<undefined, boolean>;

/** The way of an answer to its caller. One of `end`, `breakOff` and `refuse` is called, once. */
export interface Answer {
  /** @returns false where the provider must wait until `drained` is called; or what is left to do. */
  write(chunk: Buffer): boolean | Work;
  /** The provider's answer is whole. @returns what is left to do; null for nothing. */
  end(settlement: Settlement): Work | null;
  /** The provider broke off: the caller must see a broken body, never a clean end. @returns what is left to do. */
  breakOff(): Work | null;
  /** The answer cannot be served: sends the cause if nothing was sent yet, otherwise aborts the answer. */
  refuse(refused: Refusal): void;
}

/** An answer at its last step, the connection to the caller. */
export interface CallerAnswer extends Answer {
  write(chunk: Buffer): boolean;
  end(settlement: Settlement): null;
  breakOff(): null;
  /** Instead of `write` and `end`: the whole body at once. */
  whole(body: Buffer, settlement: Settlement): void;
}
