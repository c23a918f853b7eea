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

/** The way of an answer to its caller. One of `end`, `breakOff` and `refuse` is called, once. */
export interface Answer {
  /** @returns false where the provider must wait until `drained` is called. */
  write(chunk: Buffer): boolean;
  /** The provider's answer is whole. */
  end(settlement: Settlement): void;
  /** The provider broke off: the caller must see a broken body, never a clean end. */
  breakOff(): void;
  /** The answer cannot be served: sends the cause if nothing was sent yet, otherwise aborts the answer. */
  refuse(refused: Refusal): void;
}

/** An answer at its last step, the connection to the caller. */
export interface CallerAnswer extends Answer {
  /** Instead of `write` and `end`: the whole body at once. */
  whole(body: Buffer, settlement: Settlement): void;
}
