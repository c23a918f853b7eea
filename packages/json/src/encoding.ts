/** The encodings in which parsers of bytes read JSON. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

/** Bytes that a unit of each takes. */
export const UNIT_BYTES: Readonly<Record<Encoding, 1 | 2 | 4>> = {
  'utf-8': 1,
  'utf-16le': 2,
  'utf-16be': 2,
  'utf-32le': 4,
  'utf-32be': 4,
};

/** Bytes needed to detect the encoding. */
export const ENCODING_BYTES = 4;

/**
 * The encoding of a JSON text by its first four bytes, as parsers detect it (RFC 4627, section 3; Python's `json`): by a byte
 * order mark, or by the zeros of its first two characters, which are ASCII in JSON. Shorter texts are UTF-8.
 */
export function encodingOf(first: Uint8Array): Encoding {
  if (first.length < ENCODING_BYTES) return 'utf-8';
  const [a, b, c, d] = first;
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? 'utf-32le' : 'utf-16le';
  if (a === 0) return b === 0 ? 'utf-32be' : 'utf-16be';
  if (b !== 0) return 'utf-8';
  return c === 0 && d === 0 ? 'utf-32le' : 'utf-16le';
}

/** Text as bytes of an encoding, without a byte order mark. */
export function encode(text: string, encoding: Encoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const characters = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const bytes = Buffer.alloc(4 * characters.length);
  for (const [index, code] of characters.entries()) {
    if (encoding === 'utf-32le') bytes.writeUInt32LE(code, 4 * index);
    else bytes.writeUInt32BE(code, 4 * index);
  }
  return bytes;
}
