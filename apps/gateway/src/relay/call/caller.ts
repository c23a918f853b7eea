import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, refusal } from '@gateway/contract';
import { answerRefusal } from '../../http/answer.ts';
import { cutSaying, discardRest } from '../../http/linger.ts';
import type { CappedCall, DurationCap } from './duration-cap.ts';

/** Why what runs for a caller has to end. */
export type Interruption = 'left' | 'cap' | 'revoked';

/**
 * The caller's side of one call: its request and answer, whether it is still connected, and the call's deadline. Work on its
 * behalf registers one interruption, which a disconnect or the duration cap calls once.
 */
export class Caller implements CappedCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Set once the caller has left, or was cut off: no further work may start for it. */
  gone = false;
  #interrupt: ((cause: Interruption) => void) | null = null;
  readonly begun = performance.now();
  slot = -1;
  readonly #cap: DurationCap;

  /** @param cap of every call (limits-1). */
  constructor(request: IncomingMessage, response: ServerResponse, cap: DurationCap) {
    this.request = request;
    this.response = response;
    this.#cap = cap;
    cap.add(this);
    response.on('close', () => this.#leave());
  }

  /** From now on this is what a departure or the cap interrupts. */
  onInterruption(interrupt: (cause: Interruption) => void): void {
    this.#interrupt = interrupt;
  }

  /** Answers with a refusal, unless the caller has left or an answer has begun. */
  refuse(refused: Refusal): void {
    discardRest(this.request);
    answerRefusal(this.response, refused);
  }

  /** The caller may no longer call: it is refused, or its answer is aborted if it has begun. */
  revoke(refused: Refusal): void {
    const { response } = this;
    const begun = response.headersSent;
    this.#end('revoked');
    if (begun) cutSaying(response, refused);
    else this.refuse(refused);
  }

  #leave(): void {
    this.#cap.delete(this);
    this.#end('left');
  }

  /** Before the answer's head: 504. After it: the answer is cut, and a stream says why. */
  expire(): void {
    const begun = this.response.headersSent;
    const refused = refusal('duration-cap', { details: { seconds: String(this.#cap.milliseconds / 1000) } });
    this.#end('cap');
    if (begun) cutSaying(this.response, refused);
    else this.refuse(refused);
  }

  #end(cause: Interruption): void {
    this.gone = true;
    const interrupt = this.#interrupt;
    this.#interrupt = null;
    interrupt?.(cause);
  }
}
