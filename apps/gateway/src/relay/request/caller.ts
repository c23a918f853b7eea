import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, refusal } from '@gateway/contract';
import { answerRefusal } from '../../http/answer.ts';
import { cutSaying, discardRest } from '../../http/linger.ts';
import { PackedSet, type Slotted } from '../../process/packed-set.ts';

/** Milliseconds between two checks, and how late a call may be ended. */
const TICK = 250;

/** A call while it runs. */
export interface CappedCall extends Slotted {
  /** On the clock of `performance.now()`. */
  readonly begun: number;
  /** It has lasted too long. */
  expire(): void;
}

/** Ends calls that last too long, with one timer for all: nearly every call ends long before. No call is ended early. */
export class DurationCap {
  /** The longest duration of a call. */
  readonly milliseconds: number;
  readonly #calls = new PackedSet<CappedCall>();
  #timer: NodeJS.Timeout | null = null;

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds;
  }

  add(call: CappedCall): void {
    this.#calls.add(call);
    if (this.#timer === null) this.#arm();
  }

  /** The call has ended by itself. */
  delete(call: CappedCall): void {
    this.#calls.delete(call);
  }

  readonly #check = (): void => {
    const last = performance.now() - this.milliseconds;
    for (const call of this.#calls.all()) if (call.begun <= last && this.#calls.delete(call)) call.expire();
    this.#timer = null;
    if (this.#calls.size > 0) this.#arm();
  };

  #arm(): void {
    this.#timer = setTimeout(this.#check, TICK).unref();
  }
}

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
