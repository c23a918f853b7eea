/** A set of bytes, as 256 flags. */
export type Charset = Uint8Array;

/** Reads a set as written inside the brackets of a character class: `A-Za-z0-9_-`. A hyphen stands first or last. */
export function charset(spec: string): Charset {
  const set = new Uint8Array(256);
  for (let at = 0; at < spec.length; at++) {
    const first = spec.charCodeAt(at);
    const range = spec[at + 1] === '-' && at + 2 < spec.length;
    const last = range ? spec.charCodeAt(at + 2) : first;
    set.fill(1, first, last + 1);
    if (range) at += 2;
  }
  return set;
}

export function union(...sets: readonly Charset[]): Charset {
  return new Uint8Array(256).map((_, byte) => (sets.some((set) => set[byte] === 1) ? 1 : 0));
}

export const WORD: Charset = charset('A-Za-z0-9_');
export const ALPHANUMERIC: Charset = charset('A-Za-z0-9');
export const HEX: Charset = charset('0-9a-fA-F');
export const BASE64_ANY: Charset = charset('A-Za-z0-9+/=_-');
