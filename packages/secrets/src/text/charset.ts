import { readEscape } from './unescape.ts';

/** A set of bytes, as 256 flags. */
export type Charset = Uint8Array;

const READ = new Map<string, Charset>();

/**
 * Reads a set as written inside the brackets of a character class: `A-Za-z0-9_-`. A hyphen is first or last. Equal texts give the
 * same set, which must not be changed.
 */
export function charset(spec: string): Charset {
  const known = READ.get(spec);
  if (known !== undefined) return known;
  const set = new Uint8Array(256);
  for (let at = 0; at < spec.length; at++) {
    const first = spec.charCodeAt(at);
    const range = spec[at + 1] === '-' && at + 2 < spec.length;
    const last = range ? spec.charCodeAt(at + 2) : first;
    set.fill(1, first, last + 1);
    if (range) at += 2;
  }
  READ.set(spec, set);
  return set;
}

/** A single set is returned unchanged. */
export function union(...sets: readonly Charset[]): Charset {
  const [only] = sets;
  if (sets.length === 1 && only !== undefined) return only;
  const all = new Uint8Array(256);
  for (const set of sets) {
    for (let byte = set.indexOf(1); byte >= 0; byte = set.indexOf(1, byte + 1)) all[byte] = 1;
  }
  return all;
}

export const WORD: Charset = charset('A-Za-z0-9_');
export const ALPHANUMERIC: Charset = charset('A-Za-z0-9');
export const HEX: Charset = charset('0-9a-fA-F');
export const BASE64_ANY: Charset = charset('A-Za-z0-9+/=_-');

const BACKSLASH = 0x5c;

/** A text as detection reads it: with its escapes decoded, at any depth (see `readEscape`). */
export function decodeText(bytes: Uint8Array): Uint8Array {
  const text = new Uint8Array(bytes.length);
  let [at, to] = [0, 0];
  while (at < bytes.length) {
    const escape =
      bytes[at] === BACKSLASH ? readEscape(bytes, at, bytes.length, true) : (1 << 8) | (bytes[at] as number);
    at += escape >> 8;
    text[to++] = escape & 0xff;
  }
  return text.subarray(0, to);
}
