import type { Decision, Detection, Refusal } from '@gateway/contract';
import type { RelayFacts, RelayQuery } from '@gateway/domain/call/facts';

/** Reads everything one request needs from the database, after the request arrived. A rejection: no decision can be made. */
export interface FactsPort {
  /** @param deadline on the clock of `performance.now()`. */
  read(query: RelayQuery, deadline: number): Promise<RelayFacts>;
  /** Names of the active endpoints, sorted. */
  activeEndpointNames(deadline: number): Promise<readonly string[]>;
}

/** The decision log. `append` resolves once the entry is durable; its rejection means that nothing may be relayed. */
export interface DecisionsPort {
  /**
   * @param deadline on the clock of `performance.now()`.
   * @param detections what was found in the request: durable with the entry.
   */
  append(decision: Decision, deadline: number, detections?: readonly Detection[]): Promise<unknown>;
  /** Accepts a refusal for writing. @returns false where the queue is full. */
  appendLater(decision: Decision, detections?: readonly Detection[]): boolean;
}

/** Verifies an identity provider token. A refusal names its reason; the wire does not. */
export interface IdentityProviderPort {
  verify(token: string): Promise<{ readonly subject: string } | Refusal>;
  /** Queues a subject without an account for the registry. */
  met(subject: string): void;
}

/**
 * A check of one profile: a refusal, or null where the request may continue.
 * @param deadline on the clock of `performance.now()`
 */
export type Check<Subject> = (subject: Subject, deadline: number) => Refusal | null | Promise<Refusal | null>;
