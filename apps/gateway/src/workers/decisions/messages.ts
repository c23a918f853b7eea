import type { Decision, Detection } from '@gateway/contract';

/** Decisions of one turn of a worker's event loop. */
export interface DecisionsMessage {
  /** A number of the worker, milliseconds until the deadline, the decision, and what was found in the request. */
  readonly now: readonly (readonly [number, number, Decision, readonly Detection[]])[];
  /** Refusals that may be written later. */
  readonly later: readonly (readonly [Decision, readonly Detection[]])[];
}

/** What became of some of them. */
export interface DecisionsReply {
  /** Numbers of decisions that are durable. */
  readonly recorded: readonly number[];
  /** Numbers of decisions that are not confirmed, and the cause. */
  readonly failed: readonly (readonly [number, string])[];
  /** Refusals written or counted since the last reply. */
  readonly settled: number;
  /** Entries of each transaction since the last reply, for the metrics. */
  readonly batches: readonly number[];
}
