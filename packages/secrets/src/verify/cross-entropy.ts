import { CROSS_ENTROPY_TABLE } from './cross-entropy-table.ts';
import { STEP_BITS, SYMBOLS, symbolOf, trigramIndex } from './trigram.ts';

const packed = Buffer.from(CROSS_ENTROPY_TABLE, 'base64');
const STEPS = new Float64Array(SYMBOLS ** 3).map((_, at) => {
  const byte = packed[at >> 1] ?? 0;
  return (at % 2 === 0 ? byte >> 4 : byte & 15) * STEP_BITS;
});

/** Bits that a lower letter, a capital, a digit or a mark costs after another: words and camelCase are cheap, a random mix is not. */
const LOWER = 0;
const UPPER = 1;
const DIGIT = 2;
const MARK = 3;
const CHANGE = Float64Array.from(
  [
    [0, 1.6, 1.6, 0.6], // after a lower letter
    [0.6, 0.3, 1.6, 0.6],
    [1.8, 1.8, 0.4, 0.6],
    [0, 0.3, 0.6, 0],
  ].flat(),
);
const KINDS = 4;

/** Symbol and kind of every byte, precomputed for lookups. */
const SYMBOL_OF = new Uint8Array(256).map((_, byte) => symbolOf(byte));
const KIND_OF = new Uint8Array(256).map((_, byte) => kindOf(byte));

function kindOf(byte: number): number {
  if (byte >= 0x61 && byte <= 0x7a) return LOWER;
  if (byte >= 0x41 && byte <= 0x5a) return UPPER;
  return byte >= 0x30 && byte <= 0x39 ? DIGIT : MARK;
}

/**
 * How little a value reads like words: bits per character under a trigram model of source text, plus the cost of its changes of
 * case and between letters and digits. Words and identifiers stay below 4, generated values are above.
 */
export function crossEntropy(bytes: Uint8Array, start: number, end: number): number {
  let bits = 0;
  let first = 0;
  let second = 0;
  let before = MARK;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    const third = SYMBOL_OF[byte] as number;
    const kind = KIND_OF[byte] as number;
    bits += (STEPS[trigramIndex(first, second, third)] as number) + (CHANGE[before * KINDS + kind] as number);
    first = second;
    second = third;
    before = kind;
  }
  return end > start ? bits / (end - start) : 0;
}

/** Weighs a run of bytes as it grows: the same measure as `crossEntropy`, one byte at a time. */
export class CrossEntropy {
  length = 0;
  #bits = 0;
  #first = 0;
  #second = 0;
  #before = MARK;

  /** Bits a character so far. */
  get mean(): number {
    return this.length > 0 ? this.#bits / this.length : 0;
  }

  add(byte: number): void {
    const third = SYMBOL_OF[byte] as number;
    const kind = KIND_OF[byte] as number;
    this.#bits += STEPS[trigramIndex(this.#first, this.#second, third)] as number;
    this.#bits += CHANGE[this.#before * KINDS + kind] as number;
    this.#first = this.#second;
    this.#second = third;
    this.#before = kind;
    this.length++;
  }

  clear(): void {
    this.length = 0;
    this.#bits = 0;
    this.#first = 0;
    this.#second = 0;
    this.#before = MARK;
  }
}

/** A beginning of so many bytes, without a digit, that costs fewer bits a character: no generated value begins so. */
const WORDY = [
  [12, 3.4],
  [20, 3.9],
] as const;

/**
 * Whether a value begins like words, so that the rest of it need not be weighed (or awaited). Applies to every longer text once
 * it applies.
 */
export function readsLikeWords(view: { readonly bytes: Uint8Array }, from: number, to: number): boolean {
  for (const [length, bits] of WORDY) {
    if (to - from < length) return false;
    for (let at = length === 12 ? from : from + 12; at < from + length; at++) {
      const byte = view.bytes[at] as number;
      if (byte >= 0x30 && byte <= 0x39) return false;
    }
    if (crossEntropy(view.bytes, from, from + length) < bits) return true;
  }
  return false;
}
