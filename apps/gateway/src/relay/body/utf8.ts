import { scanJsonObject } from './json-object.ts';

const MOST_CODE_POINT = 0x10_ffff;
/** Bytes decoded at once: a body may be of any length, and as one text it would take many times its memory. */
const SLICE = 64 * 1024;
/** How the text of a JSON object begins; a byte order mark may stand before it. */
const OBJECT = /^\ufeff?[\t\n\r ]*(?:\{|$)/;

/** A part of a body as text; null where it is none. Parts are asked for in their order. */
type Decode = (part: Buffer) => string | null;

/**
 * A JSON object in UTF-16 or UTF-32 as UTF-8; anything else as it came. JSON between systems is UTF-8 (RFC 8259, section
 * 8.1), but parsers of bytes still tell the other encodings by their first bytes, as RFC 4627 (section 3) did: an engine with
 * one would read a `model` that was not replaced, and secrets that nobody looked for (specification, Relay rule 6).
 */
export function inUtf8(body: Buffer): Buffer {
  const decode = body.length < 4 ? null : decodeOf(body);
  const bytes = decode && decoded(body, decode);
  return bytes === null || scanJsonObject(bytes) === null ? body : bytes;
}

/** How a body is decoded whose first characters, which JSON takes from ASCII, are written in units of two or four bytes. */
function decodeOf(body: Buffer): Decode | null {
  const [first = 0, second = 0, third = 0, fourth = 0] = body;
  const bigMark = first === 0xfe && second === 0xff;
  const littleMark = first === 0xff && second === 0xfe;
  if (first === 0 && second === 0) return fromUtf32(body, (part, at) => part.readUInt32BE(at));
  if ((second === 0 || littleMark) && third === 0 && fourth === 0) {
    return fromUtf32(body, (part, at) => part.readUInt32LE(at));
  }
  if (body.length % 2 !== 0) return null;
  if (first === 0 || bigMark) return fromUtf16('utf-16be');
  return second === 0 || littleMark ? fromUtf16('utf-16le') : null;
}

/** Halves of surrogate pairs, which have no place in UTF-8, become U+FFFD. */
function fromUtf16(encoding: 'utf-16be' | 'utf-16le'): Decode {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return (part) => decoder.decode(part, { stream: true });
}

function fromUtf32(body: Buffer, codePointAt: (part: Buffer, at: number) => number): Decode | null {
  if (body.length % 4 !== 0) return null;
  return (part) => {
    const codePoints = Array.from({ length: part.length / 4 }, (_, index) => codePointAt(part, index * 4));
    return codePoints.every((codePoint) => codePoint <= MOST_CODE_POINT) ? String.fromCodePoint(...codePoints) : null;
  };
}

/** Null where the body is no text, or its first part shows that it is no JSON object. */
function decoded(body: Buffer, decode: Decode): Buffer | null {
  const parts: Buffer[] = [];
  for (let from = 0; from < body.length; from += SLICE) {
    const text = decode(body.subarray(from, from + SLICE));
    if (text === null || (from === 0 && !OBJECT.test(text))) return null;
    parts.push(Buffer.from(from === 0 ? text.replace(/^\ufeff/, '') : text));
  }
  return Buffer.concat(parts);
}
