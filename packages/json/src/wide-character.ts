import { BYTE_ORDER_MARK, NARROWED, WIDE_BLANKS } from './bytes.ts';

/** Bytes of the longest blank. */
const LONGEST = 3;

/** What a character outside ASCII is between two tokens; `other-before` if it ended before the byte that was read. */
type WideKind = 'incomplete' | 'blank' | 'byte-order-mark' | 'other' | 'other-before';

/** Reads a character outside ASCII byte by byte, only far enough to know whether it is a blank. */
export class WideCharacter {
  readonly #narrowed: boolean;
  #value = 0;
  #bytes = 0;

  /** @param narrowed whether the bytes are what a `Narrower` made. */
  constructor(narrowed: boolean) {
    this.#narrowed = narrowed;
  }

  begin(): void {
    this.#value = 0;
    this.#bytes = 0;
  }

  read(byte: number): WideKind {
    if (this.#narrowed) return byte === NARROWED.other ? 'other' : 'blank';
    if (this.#bytes > 0 && (byte & 0xc0) !== 0x80) return 'other-before';
    this.#value = this.#value * 256 + byte;
    this.#bytes++;
    if (this.#value === BYTE_ORDER_MARK) return 'byte-order-mark';
    if (WIDE_BLANKS.has(this.#value)) return 'blank';
    return this.#bytes < LONGEST ? 'incomplete' : 'other';
  }
}
