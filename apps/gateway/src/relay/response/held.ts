import type { ServerResponse } from 'node:http';
import { type Refusal, refusal } from '@gateway/contract';
import { answerRefusal } from '../../http/answer.ts';
import { cut, onCut } from '../../http/linger.ts';
import { TURNS } from '../../process/turns.ts';
import type { AnswerHead, CallerAnswer, LastEvent, Settlement } from './last-event.ts';

interface PassingOptions {
  /** Whether the head is sent immediately, rather than together with the first bytes. */
  readonly promptHead: boolean;
  /** Milliseconds a caller may take nothing before it is cut off. */
  readonly idleTimeout: number;
  /** Called when the caller takes more again. */
  readonly drained: () => void;
  /** What ends it where the gateway cuts it; null where it is not made of events. */
  readonly last: LastEvent | null;
}

const NO_BYTES = Buffer.alloc(0);

/** Relays an answer as it arrives. Nothing is buffered; a caller who does not read pauses the provider, for a limited time. */
export class PassingAnswer implements CallerAnswer {
  readonly #response: ServerResponse;
  readonly #head: AnswerHead;
  readonly #options: PassingOptions;
  #stalled: NodeJS.Timeout | null = null;

  constructor(response: ServerResponse, head: AnswerHead, options: PassingOptions) {
    this.#response = response;
    this.#head = head;
    this.#options = options;
    // Head and first bytes often arrive in the same turn of the event loop: one write for both. The data of a turn is complete
    // after its ticks; this runs after them, and after the bytes where these wait for a turn.
    if (options.promptHead) queueMicrotask(this.#flushInTurn);
    const { last } = options;
    if (last !== null) onCut(response, (refused) => void response.write(last.saying(refused)));
  }

  write(chunk: Buffer): boolean {
    this.#sendHead();
    this.#options.last?.see(chunk);
    if (this.#response.write(chunk)) return true;
    this.#waitForDrain();
    return false;
  }

  end(settlement: Settlement): null {
    this.#sendHead();
    // Data that arrived with the end leaves with it, after the record is stored.
    this.#response.cork();
    settlement.later(() => {
      if (!this.#response.destroyed) this.#response.end();
    });
    return null;
  }

  whole(body: Buffer, settlement: Settlement): void {
    settlement.later(() => {
      if (this.#response.destroyed) return;
      this.#sendHead();
      endWith(this.#response, body);
    });
  }

  breakOff(): null {
    this.#flushHead();
    cut(this.#response);
    return null;
  }

  refuse(refused: Refusal): void {
    if (this.#response.headersSent) cut(this.#response);
    else answerRefusal(this.#response, refused);
  }

  readonly #flushInTurn = (): void => {
    if (this.#response.headersSent) return;
    const flush = (): void => this.#flushHead();
    if (!TURNS.now(flush)) TURNS.later(flush);
  };

  #flushHead(): void {
    if (this.#response.headersSent || this.#response.destroyed) return;
    this.#sendHead();
    // Not `flushHeaders`, which writes the head as UTF-8: the provider's bytes stay unchanged (Relay rule 8).
    this.#response.write(NO_BYTES);
  }

  #sendHead(): void {
    if (!this.#response.headersSent) writeHead(this.#response, this.#head);
  }

  #waitForDrain(): void {
    if (this.#stalled !== null) return;
    const response = this.#response;
    const over = (): void => {
      if (this.#stalled !== null) clearTimeout(this.#stalled);
      this.#stalled = null;
      response.off('drain', drained);
      response.off('close', over);
    };
    const drained = (): void => {
      over();
      this.#options.drained();
    };
    this.#stalled = setTimeout(() => response.destroy(), this.#options.idleTimeout);
    response.once('drain', drained);
    response.once('close', over);
  }
}

function writeHead(response: ServerResponse, head: AnswerHead): void {
  response.writeHead(head.status, encodeReason(head.reason), head.headers as string[]);
}

/**
 * A reason phrase as node:http writes it, one byte per character. Undici reads the provider's as UTF-8, so it is encoded again;
 * control characters, which a status line may not contain, become question marks.
 */
function encodeReason(reason: string): string {
  if (!UNWRITABLE.test(reason)) return reason;
  return Buffer.from(reason).toString('latin1').replaceAll(CONTROL, '?');
}

const UNWRITABLE = /[^\t\x20-\x7e]/;
const CONTROL = /[^\t\x20-\x7e\x80-\xff]/g;

/**
 * Bytes up to which a body is written as Latin-1, one byte per character: Node.js joins a text with the head in one write, but
 * sends a buffer as a second piece.
 */
const AS_TEXT = 16 * 1024;

function endWith(response: ServerResponse, body: Buffer): void {
  if (body.length > AS_TEXT) response.end(body);
  else response.end(body.toString('latin1'), 'latin1');
}

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
