import { scanJsonObject } from './json-object.ts';

const MOST_CODE_POINT = 0x10_ffff;

/**
 * A JSON object in UTF-16 or UTF-32 as UTF-8; anything else as it came. JSON between systems is UTF-8 (RFC 8259, section
 * 8.1), but parsers of bytes still tell the other encodings by their first bytes, as RFC 4627 (section 3) did: an engine with
 * one would read a `model` that was not replaced, and secrets that nobody looked for (specification, Relay rule 6).
 */
export function inUtf8(body: Buffer): Buffer {
  const text = body.length < 4 ? null : otherwiseEncoded(body);
  if (text === null) return body;
  // Halves of surrogate pairs, which have no place in UTF-8, become U+FFFD.
  const bytes = Buffer.from(text.replace(/^\ufeff/, ''));
  return scanJsonObject(bytes) === null ? body : bytes;
}

/** The text of a body whose first characters, which JSON takes from ASCII, are written in units of two or four bytes. */
function otherwiseEncoded(body: Buffer): string | null {
  const [first = 0, second = 0, third = 0, fourth = 0] = body;
  const bigMark = first === 0xfe && second === 0xff;
  const littleMark = first === 0xff && second === 0xfe;
  if (first === 0 && second === 0) return fromUtf32(body, (at) => body.readUInt32BE(at));
  if ((second === 0 || littleMark) && third === 0 && fourth === 0)
    return fromUtf32(body, (at) => body.readUInt32LE(at));
  if (body.length % 2 !== 0) return null;
  if (first === 0 || bigMark) return Buffer.from(body).swap16().toString('utf16le');
  return second === 0 || littleMark ? body.toString('utf16le') : null;
}

function fromUtf32(body: Buffer, codePointAt: (at: number) => number): string | null {
  if (body.length % 4 !== 0) return null;
  let text = '';
  for (let at = 0; at < body.length; at += 4) {
    const codePoint = codePointAt(at);
    if (codePoint > MOST_CODE_POINT) return null;
    text += String.fromCodePoint(codePoint);
  }
  return text;
}
