import { array, assert, constantFrom, integer, oneof, property, string, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENCODING_BYTES, type Encoding, encode, encodingOf, UNIT_BYTES } from './narrow.ts';

const ENCODINGS = Object.keys(UNIT_BYTES) as readonly Encoding[];
const WIDE = ENCODINGS.filter((encoding) => encoding !== 'utf-8');

/** Characters of every length in each encoding. */
const character = oneof(
  integer({ min: 0, max: 0x7f }),
  integer({ min: 0x80, max: 0xd7ff }),
  integer({ min: 0xe000, max: 0xffff }),
  integer({ min: 0x1_0000, max: 0x10_ffff }),
);
const text = array(character).map((codes) => String.fromCodePoint(...codes));

/** Decodes without the encoder's help: UTF-32 by code points, the others by the runtime. */
function decode(bytes: Buffer, encoding: Encoding): string {
  if (!encoding.startsWith('utf-32')) return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const codes = Array.from({ length: bytes.length / 4 }, (_, at) => view.getUint32(4 * at, encoding === 'utf-32le'));
  return String.fromCodePoint(...codes);
}

describe('a text in an encoding', () => {
  it.each(ENCODINGS)('can be decoded from %s again', (encoding) => {
    assert(
      property(text, (written) => {
        const bytes = encode(written, encoding);
        expect(decode(bytes, encoding)).toBe(written);
        expect(bytes.length % UNIT_BYTES[encoding]).toBe(0);
      }),
    );
  });

  it.each(ENCODINGS)('is empty in %s if it is empty', (encoding) => {
    expect(encode('', encoding)).toHaveLength(0);
  });

  it('has the bytes of the standard, for one character of each length', () => {
    const hex = (text: string) => ENCODINGS.map((encoding) => encode(text, encoding).toString('hex'));
    expect(hex('A')).toEqual(['41', '4100', '0041', '41000000', '00000041']);
    expect(hex('é')).toEqual(['c3a9', 'e900', '00e9', 'e9000000', '000000e9']);
    expect(hex('€')).toEqual(['e282ac', 'ac20', '20ac', 'ac200000', '000020ac']);
    expect(hex('😀')).toEqual(['f09f9880', '3dd800de', 'd83dde00', '00f60100', '0001f600']);
  });
});

describe('the encoding of a JSON text', () => {
  it.each(ENCODINGS)('is found to be %s for every text of ASCII characters', (encoding) => {
    const ascii = string({ unit: 'grapheme-ascii', minLength: 4 });
    assert(
      property(ascii, (written) => {
        expect(encodingOf(encode(written, encoding))).toBe(encoding);
      }),
    );
  });

  it.each(WIDE)('is found to be %s by a byte order mark before any character', (encoding) => {
    assert(
      property(text, (written) => {
        // After the mark of UTF-16, only a NUL could be taken for UTF-32, and no JSON text begins with one.
        expect(encodingOf(encode(`\ufeff ${written}`, encoding))).toBe(encoding);
      }),
    );
  });

  it('is UTF-8 for anything shorter than four bytes, in any encoding', () => {
    expect(ENCODING_BYTES).toBe(4);
    assert(
      property(uint8Array({ maxLength: 3 }), (bytes) => {
        expect(encodingOf(bytes)).toBe('utf-8');
      }),
    );
  });

  it('depends on the first four bytes alone', () => {
    assert(
      property(uint8Array({ minLength: 4, maxLength: 4 }), uint8Array(), (first, rest) => {
        expect(encodingOf(Buffer.concat([first, rest]))).toBe(encodingOf(first));
      }),
    );
  });

  it('is the one that Python’s json.detect_encoding finds, for all patterns of zeros and marks', () => {
    /** The function of the standard library, json/__init__.py, for four bytes or more. */
    const byPython = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]): Encoding => {
      if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return 'utf-32be';
      if (a === 0xff && b === 0xfe && c === 0 && d === 0) return 'utf-32le';
      if (a === 0xfe && b === 0xff) return 'utf-16be';
      if (a === 0xff && b === 0xfe) return 'utf-16le';
      if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
      if (a === 0) return b === 0 ? 'utf-32be' : 'utf-16be';
      if (b === 0) return c === 0 && d === 0 ? 'utf-32le' : 'utf-16le';
      return 'utf-8';
    };
    const byte = constantFrom(0, 0, 0x7b, 0x22, 0xef, 0xbb, 0xbf, 0xfe, 0xff);
    assert(
      property(byte, byte, byte, byte, (...bytes) => {
        expect(encodingOf(Uint8Array.from(bytes))).toBe(byPython(bytes));
      }),
      { numRuns: 3000 },
    );
  });
});
