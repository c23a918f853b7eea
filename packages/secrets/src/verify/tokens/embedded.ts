import { charset } from '../../text/charset.ts';
import { crossEntropy } from '../cross-entropy.ts';
import type { View } from '../view.ts';

const ENCODED = charset('A-Za-z0-9+/_-');

/** Bytes for looking back: more are kept after a stream's release. Longer paths and names exist, but read as words. */
const RUN = 64;
/** Bits a character. Of base64 of a picture, of sound, of anything compressed or encrypted it is 6.3 at least, of hexadecimal 5.5 at most. */
const BITS = 5.9;

/**
 * Whether the text at `at` continues with a long run of encoded bytes. Every short form occurs in such runs by chance: in one
 * picture of three, of half a megabyte.
 */
export function goesOnWithEncoded(view: View, at: number): boolean {
  return at - view.runStart(ENCODED, at, RUN) >= RUN && crossEntropy(view.bytes, at - RUN, at) >= BITS;
}
