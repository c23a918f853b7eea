import { charset, HEX } from '../text/charset.ts';
import { CrossEntropy } from '../verify/cross-entropy.ts';
import type { View } from '../verify/view.ts';

/** Bytes before the distinctive middle of a token (`….atlasv1.…`, Azure's `…+ASt…`, `…-us12`). */
const RUN = charset('A-Za-z0-9+/_');
/** Most bytes that any form has there. */
const LONGEST = 76;
/** A run of so many bytes, and of so many bits a character, reads as generated. */
const LEAST = 4;
const BITS = 5.8;
/** A run that turns out to read like words need not wait any longer. */
const STILL_BITS = 5.2;
/**
 * Hexadecimal digits surprise less. No form has more of them alone, except a password behind the user's name and a colon; six or
 * eight after a number sign are a colour.
 */
const HEX_LEAST = 6;
const HEX_LONGEST = 36;
const COLOUR = 8;
const NUMBER_SIGN = 0x23;
const SOLIDUS = 0x2f;
const COLON = 0x3a;
/** Marks of a following hash or encoded data (subresource integrity, digests of images, data addresses). */
const ANNOUNCEMENTS = ['sha1', 'sha256', 'sha384', 'sha512', 'base64'] as const;
const ANNOUNCED = charset(',:-');

/**
 * Checks the run of letters and digits at the end of a text. A token identified by its middle has no beginning to look for; a run
 * that reads as generated may be one, and waits until it has ended or exceeds the maximum. Its first bytes have left by then.
 */
export class PendingToken {
  readonly #weight = new CrossEntropy();
  /** The last weighed run, up to its end then. */
  #from = 0;
  #to = 0;
  #digits = 0;
  #letters = 0;
  #hexadecimal = true;
  #generated = false;
  #announced = false;
  #colour = false;
  #longestHex = HEX_LONGEST;

  /** How many bytes before `end` have to wait. */
  lengthAt(view: View, end: number): number {
    return this.#runLength(view, end) || keyInPath(view, end);
  }

  #runLength(view: View, end: number): number {
    const from = view.runStart(RUN, end, LONGEST + 1);
    // Without a digit nothing reads as generated: most runs are words, and never weighed.
    if (end - from > LONGEST || !hasDigit(view.bytes, from, end)) return 0;
    if (from !== this.#from || end < this.#to) this.#begin(view, from);
    if (this.#announced) return 0;
    while (this.#to < end) this.#add(view.bytes[this.#to++] as number);
    return this.#generated ? end - from : 0;
  }

  /** Forgets the first bytes, as the view does. */
  drop(bytes: number): void {
    this.#from -= bytes;
    this.#to -= bytes;
  }

  #begin(view: View, from: number): void {
    this.#announced = isAnnounced(view, from);
    this.#colour = view.at(from - 1) === NUMBER_SIGN;
    this.#longestHex = view.at(from - 1) === COLON ? LONGEST : HEX_LONGEST;
    this.#weight.clear();
    this.#from = from;
    this.#to = from;
    this.#digits = 0;
    this.#letters = 0;
    this.#hexadecimal = true;
    this.#generated = false;
  }

  #isHexKey(): boolean {
    const { length } = this.#weight;
    return this.#digits > 1 && length <= this.#longestHex && !(this.#colour && length <= COLOUR);
  }

  #add(byte: number): void {
    this.#weight.add(byte);
    if (byte >= 0x30 && byte <= 0x39) this.#digits++;
    else if (byte > 0x40) this.#letters++;
    this.#hexadecimal &&= HEX[byte] === 1;
    if (this.#weight.length < LEAST || this.#letters < 2) return;
    const bits = this.#generated ? STILL_BITS : BITS;
    this.#generated =
      this.#hexadecimal && this.#weight.length >= HEX_LEAST
        ? this.#isHexKey()
        : this.#digits > 0 && this.#weight.mean >= bits;
  }
}

/** The word before the mark before the run identifies the run. */
function isAnnounced(view: View, from: number): boolean {
  if (ANNOUNCED[view.at(from - 1)] === 0) return false;
  return ANNOUNCEMENTS.some((word) => {
    const at = from - 1 - word.length;
    return view.spells(word, at) && RUN[view.at(at - 1)] === 0;
  });
}

/** Length of the hexadecimal key that a path ends in: its solidus is a byte of base64, too, and begins no run. */
function keyInPath(view: View, end: number): number {
  const from = view.runStart(HEX, end, HEX_LONGEST + 1);
  const length = end - from;
  if (view.at(from - 1) !== SOLIDUS || length < HEX_LEAST || length > HEX_LONGEST) return 0;
  const digits = view.bytes.subarray(from, end).filter((byte) => byte <= 0x39).length;
  return digits > 1 && length - digits > 1 ? length : 0;
}

function hasDigit(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((bytes[at] as number) >= 0x30 && (bytes[at] as number) <= 0x39) return true;
  return false;
}
