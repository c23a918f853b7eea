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

/** What a byte is to a run. */
const OUTSIDE = 0;
const MARK = 1;
const DIGIT = 2;
const LETTER = 3;
const KIND_OF = new Uint8Array(256).map((_, byte) => {
  if (RUN[byte] === 0) return OUTSIDE;
  if (byte > 0x40) return LETTER;
  return byte >= 0x30 && byte <= 0x39 ? DIGIT : MARK;
});

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
  const run = new Uint8Array(LONGEST + 1);
  const weight = new Surprise();
  let length = 0;
  let digits = 0;
  let letters = 0;
  let hexadecimal = true;
  let generated = false;

  function clear(): void {
    length = 0;
    digits = 0;
    letters = 0;
    hexadecimal = true;
    generated = false;
    weight.clear();
  }

  return {
    get length() {
      return generated && length <= LONGEST ? length : 0;
    },
    add(byte) {
      const kind = KIND_OF[byte] as number;
      if (kind === OUTSIDE) {
        if (length > 0) clear();
        return;
      }
      if (length > LONGEST) return;
      run[length++] = byte;
      if (kind === LETTER) letters++;
      else if (kind === DIGIT) digits++;
      hexadecimal &&= HEX[byte] === 1;
      // Without a digit nothing reads as generated: most runs are words, and never weighed.
      if (digits === 0 || length < LEAST || letters < 2) return;
      while (weight.length < length) weight.add(run[weight.length] as number);
      const bits = generated ? STILL_BITS : BITS;
      generated = weight.mean >= bits || (hexadecimal && digits > 1 && length >= HEX_LEAST);
    },
  };
}
