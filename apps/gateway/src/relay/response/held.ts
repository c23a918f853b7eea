import type { ServerResponse } from 'node:http';
import { type Refusal, refusal } from '@gateway/contract';
import { answerRefusal } from '../../http/answer.ts';
import { cut } from '../../http/last-words.ts';
import type { AnswerHead, CallerAnswer, Settlement } from './answer.ts';
import { endWith, type PassingAnswer, writeHead } from './passing.ts';

/** Memory for buffered answers, over all calls of the process. */
export interface HoldBudget {
  /** Most bytes of one answer. */
  readonly perAnswer: number;
  /** Most bytes of all of them. */
  readonly total: number;
  used: number;
}

/**
 * Buffers a plain answer until its usage record is written (relay-31). An answer above the budget is relayed as it arrives,
 * except its last part: without that part the caller cannot accept it as complete. It leaves only once the record is written.
 */
export class HeldAnswer implements CallerAnswer {
  readonly #response: ServerResponse;
  readonly #head: AnswerHead;
  readonly #budget: HoldBudget;
  readonly #passing: () => PassingAnswer;
  #chunks: Buffer[] = [];
  #held = 0;
  #overflow: PassingAnswer | null = null;

  /** @param passing makes the way that an answer past the budget takes. */
  constructor(response: ServerResponse, head: AnswerHead, budget: HoldBudget, passing: () => PassingAnswer) {
    this.#response = response;
    this.#head = head;
    this.#budget = budget;
    this.#passing = passing;
    response.on('close', () => this.#release());
  }

  write(chunk: Buffer): boolean {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    this.#budget.used += chunk.length;
    if (this.#overflow === null && this.#fits()) return true;
    return this.#letGo();
  }

  whole(body: Buffer, settlement: Settlement): void {
    this.write(body);
    this.end(settlement);
  }

  end(settlement: Settlement): null {
    settlement
      .now()
      .then(
        (written) => (written ? this.#serve() : this.refuse(refusal('answer-unmetered'))),
        () => this.refuse(refusal('answer-unmetered')),
      )
      .catch(() => cut(this.#response)); // a head that cannot be written costs its call alone
    return null;
  }

  /** Received data is passed on, then the answer is aborted, as it would be without buffering. */
  breakOff(): null {
    this.#overflow ??= this.#passing();
    for (const chunk of this.#chunks) this.#overflow.write(chunk);
    this.#release();
    return this.#overflow.breakOff();
  }

  refuse(refused: Refusal): void {
    this.#release();
    if (this.#overflow === null) answerRefusal(this.#response, refused);
    else this.#overflow.refuse(refused);
  }

  #serve(): void {
    const body = this.#take();
    if (this.#response.destroyed) return;
    if (!this.#response.headersSent) writeHead(this.#response, { ...this.#head, headers: this.#completeHead(body) });
    endWith(this.#response, body);
  }

  /** The length is known now: the caller gets it instead of a chunked body. */
  #completeHead(body: Buffer): readonly string[] {
    const { headers, status } = this.#head;
    const bodyless = status === 204 || status === 304 || this.#response.req.method === 'HEAD';
    if (bodyless || headers.some((name, at) => at % 2 === 0 && name.toLowerCase() === 'content-length')) {
      return headers;
    }
    return [...headers, 'content-length', String(body.length)];
  }

  #fits(): boolean {
    return this.#held <= this.#budget.perAnswer && this.#budget.used <= this.#budget.total;
  }

  /** Passes on all except the last part. */
  #letGo(): boolean {
    const last = this.#chunks.pop();
    this.#overflow ??= this.#passing();
    let more = true;
    for (const chunk of this.#chunks) more = this.#overflow.write(chunk) && more;
    this.#chunks = [];
    this.#account(0);
    if (last === undefined) return more;
    this.#chunks.push(last);
    this.#account(last.length);
    return more;
  }

  #take(): Buffer {
    const [first, ...more] = this.#chunks;
    const body = first === undefined ? Buffer.alloc(0) : more.length === 0 ? first : Buffer.concat(this.#chunks);
    this.#release();
    return body;
  }

  #release(): void {
    this.#chunks = [];
    this.#account(0);
  }

  #account(held: number): void {
    this.#budget.used += held - this.#held;
    this.#held = held;
  }
}
