import type { Answer, AnswerHead, Settlement, Work } from './answer.ts';
import type { KeyMask } from './key-mask.ts';
import { afterWork } from './paced.ts';

const NO_BYTES = Buffer.alloc(0);

/** The head of an answer without the provider's key, in any header. */
export function maskHead(head: AnswerHead, mask: KeyMask): AnswerHead {
  return { ...head, reason: mask.text(head.reason), headers: head.headers.map((text) => mask.text(text)) };
}

/**
 * Takes the provider's key out of an answer before anything else sees it (relay-23). Only bytes that may be the
 * beginning of the key wait for those that follow.
 */
export class MaskedAnswer implements Answer {
  readonly #inner: Answer;
  readonly #mask: KeyMask;
  readonly #found: () => void;
  #held: Buffer = NO_BYTES;

  /** @param found called once, at the first occurrence of the key */
  constructor(inner: Answer, mask: KeyMask, found: () => void) {
    this.#inner = inner;
    this.#mask = mask;
    this.#found = found;
  }

  write(chunk: Buffer): boolean | Work {
    const came = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const { bytes, clear, found } = this.#mask.bytes(came, false);
    if (found) this.#found();
    this.#held = clear === bytes.length ? NO_BYTES : bytes.subarray(clear);
    if (clear === 0) return true;
    return this.#inner.write(clear === bytes.length ? bytes : bytes.subarray(0, clear));
  }

  end(settlement: Settlement): Work | null {
    return this.#flush(() => this.#inner.end(settlement));
  }

  breakOff(): Work | null {
    return this.#flush(() => this.#inner.breakOff());
  }

  refuse(refused: Parameters<Answer['refuse']>[0]): void {
    this.#inner.refuse(refused);
  }

  /** What waited turned out to be the beginning only. */
  #flush(next: () => Work | null): Work | null {
    const held = this.#held;
    this.#held = NO_BYTES;
    const written = held.length === 0 || this.#inner.write(this.#mask.bytes(held, true).bytes);
    return typeof written === 'boolean' ? next() : afterWork(written, next);
  }
}
