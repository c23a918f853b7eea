import { charset, HEX } from '../text/charset.ts';
import { Surprise } from '../verify/surprise.ts';

/** Bytes of what stands before the telling middle of a token (`….atlasv1.…`, Azure's `…+ASt…`, `…-us12`). */
const RUN = charset('A-Za-z0-9+/_');
/** Most bytes that any form has there. */
const LONGEST = 76;
/** A run of so many bytes, and of so many bits a character, reads as generated. */
const LEAST = 4;
const BITS = 5.8;
/** A run that turns out to read like words need not wait any longer. */
const STILL_BITS = 5.2;
/** Hexadecimal digits surprise less. */
const HEX_LEAST = 6;

/**
 * Follows the run of letters and digits at the end of a text. A token whose telling part stands in its middle has no
 * beginning to look for; a run that reads as generated may be one, and waits until it has ended or is longer than any.
 * Its first bytes have left by the time it shows.
 */
export interface Suspect {
  /** Bytes at the end of the text that have to wait. */
  readonly length: number;
  add(byte: number): void;
}

export function createSuspect(): Suspect {
  const weight = new Surprise();
  let digits = 0;
  let letters = 0;
  let hexadecimal = true;
  let generated = false;
  return {
    get length() {
      return generated && weight.length <= LONGEST ? weight.length : 0;
    },
    add(byte) {
      if (RUN[byte] === 0) {
        weight.clear();
        digits = 0;
        letters = 0;
        hexadecimal = true;
        generated = false;
        return;
      }
      if (weight.length > LONGEST) return;
      weight.add(byte);
      if (byte >= 0x30 && byte <= 0x39) digits++;
      else if (byte > 0x40) letters++;
      hexadecimal &&= HEX[byte] === 1;
      if (weight.length < LEAST || letters < 2) return;
      const bits = generated ? STILL_BITS : BITS;
      generated = (digits > 0 && weight.mean >= bits) || (hexadecimal && digits > 1 && weight.length >= HEX_LEAST);
    },
  };
}
