import { NARROWED } from './bytes.ts';

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

const MARK = 0xfeff;
const SPACE = 0x20;
const MOST_CODE_POINT = 0x10_ffff;
/** JSON5's blanks outside ASCII, except its line ends. */
const BLANKS = new Set([0xa0, 0x1680, 0x202f, 0x205f, 0x3000, MARK]);
for (let code = 0x2000; code <= 0x200a; code++) BLANKS.add(code);

/**
 * Converts UTF-16 or UTF-32, in parts of any size, to one byte per unit, so that a tokenizer's offsets count units. Other
 * characters than ASCII, which JSON allows only in strings, become a placeholder byte.
 */
export class Narrower {
  readonly #encoding: Encoding;
  readonly #width: number;
  /** The bytes of an incomplete unit. */
  #rest: Uint8Array = new Uint8Array(0);
  #isFirst = true;
  #isWhole = true;
  #high = false;

  constructor(encoding: Exclude<Encoding, 'utf-8'>) {
    this.#encoding = encoding;
    this.#width = UNIT_BYTES[encoding];
  }

  /** Whether all input was whole characters, without lone surrogates or values beyond Unicode. */
  get isWellFormed(): boolean {
    return this.#isWhole && !this.#high && this.#rest.length === 0;
  }

  /** One byte for each complete unit. A leading byte order mark becomes a space. */
  push(chunk: Uint8Array): Uint8Array {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const count = Math.floor(bytes.length / this.#width);
    const narrow = new Uint8Array(count);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const isLittle = this.#encoding.endsWith('le');
    for (let index = 0; index < count; index++) {
      const unit = this.#width === 2 ? view.getUint16(2 * index, isLittle) : view.getUint32(4 * index, isLittle);
      if (this.#isFirst && unit === MARK) narrow[index] = SPACE;
      else if (unit >= 0x80 || this.#high) narrow[index] = this.#foreign(unit);
      else narrow[index] = unit;
      this.#isFirst = false;
    }
    this.#rest = Buffer.from(bytes.subarray(count * this.#width));
    return narrow;
  }

  #foreign(unit: number): number {
    const isLow = unit >= 0xdc00 && unit <= 0xdfff;
    if (isLow !== this.#high || (this.#width === 4 && (isSurrogate(unit) || unit > MOST_CODE_POINT)))
      this.#isWhole = false;
    this.#high = this.#width === 2 && unit >= 0xd800 && unit <= 0xdbff;
    if (unit < 0x80) return unit;
    if (unit === 0x2028 || unit === 0x2029) return NARROWED.lineEnd;
    return BLANKS.has(unit) ? NARROWED.blank : NARROWED.other;
  }
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** The encodings in which parsers of bytes read JSON. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

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
