import { envelopeOf, type Refusal } from '@gateway/contract';
import type { Framing } from '@gateway/secrets';

/** Characters in which the first event shows whether it has a name; comments may precede it. */
const BEGINNING = 4096;
const NAME = /^\ufeff?event:/m;
const LINE_FEED = 0x0a;
const LINES = /^\s*application\/(?:(?:x-)?(?:ndjson|jsonl(?:ines)?)|stream\+json)\s*(?:;|$)/i;
const EVENTS = /^\s*text\/event-stream\s*(?:;|$)/i;

/** How an answer of this content type is cut into events; null where it is not made of them. */
export function framingOf(type: string): Framing | null {
  if (EVENTS.test(type)) return 'sse';
  return LINES.test(type) ? 'ndjson' : null;
}

/** The event that ends a stream too early, in the form of the previous events: clients ignore other forms. */
export class LastEvent {
  readonly #framing: Framing;
  #begun = '';
  /** The last two bytes. */
  #end: readonly [number, number] = [LINE_FEED, LINE_FEED];

  constructor(framing: Framing) {
    this.#framing = framing;
  }

  /** Sees bytes of the stream. */
  see(chunk: Buffer): void {
    const { length } = chunk;
    if (length === 0) return;
    if (this.#begun.length < BEGINNING) this.#begun += chunk.toString('utf8', 0, BEGINNING);
    this.#end = [length > 1 ? (chunk[length - 2] as number) : this.#end[1], chunk[length - 1] as number];
  }

  saying(refused: Refusal): Buffer {
    const envelope = envelopeOf(refused);
    const payload = JSON.stringify({ ...envelope, code: envelope['code'] ?? refused.code });
    if (this.#framing === 'ndjson') return Buffer.from(`${this.#endsLine ? '' : '\n'}${payload}\n`);
    const name = NAME.test(this.#begun) ? 'event: error\n' : '';
    return Buffer.from(`${this.#lineEnds}${name}data: ${payload}\n\n`);
  }

  get #endsLine(): boolean {
    return this.#end[1] === LINE_FEED;
  }

  /** What ends an event that was cut in its middle. */
  get #lineEnds(): string {
    if (!this.#endsLine) return '\n\n';
    return this.#end[0] === LINE_FEED ? '' : '\n';
  }
}

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
