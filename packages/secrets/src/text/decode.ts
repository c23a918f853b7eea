import { readEscape } from './unescape.ts';

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
