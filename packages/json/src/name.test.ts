import { array, assert, constantFrom, integer, nat, oneof, property, string, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeName, LONGEST_NAME, NameDecoder } from './name.ts';
import { cut } from './testing/read.ts';

const WHOLE = Number.POSITIVE_INFINITY;

function decodeParts(parts: readonly Uint8Array[], longest: number): string {
  const decoder = new NameDecoder(longest);
  for (const part of parts) decoder.push(part);
  return decoder.end();
}

/** Characters that JSON writes in different ways: as they are, by a letter, by digits, by two escapes. */
const character = constantFrom(
  ...Array.from('aZ0 "\\/\b\f\n\r\t\u0000\u007fé€\u2028\ufeff\ufffd😀'),
  '\ud800',
  '\udc00',
);
const text = array(character, { maxLength: 40 }).map((list) => list.join(''));
/** The content of a string of JSON, with all characters outside ASCII as they are or as escapes. */
const asJson = (value: string): string => JSON.stringify(value).slice(1, -1);
const asDigits = (value: string): string =>
  Array.from({ length: value.length }, (_, at) => `\\u${value.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

describe('the name of a member', () => {
  it('is the text from which JSON.stringify wrote it', () => {
    assert(
      property(text, (name) => {
        expect(decodeName(Buffer.from(asJson(name)), true, WHOLE)).toBe(name);
        expect(decodeName(Buffer.from(asDigits(name).toUpperCase().replaceAll('\\U', '\\u')), true, WHOLE)).toBe(name);
      }),
      { numRuns: 1000 },
    );
  });

  it('is what JSON.parse reads, for escapes of every kind', () => {
    const escape = constantFrom(
      '\\n',
      '\\"',
      '\\\\',
      '\\/',
      '\\b',
      '\\u0041',
      '\\uD83D',
      '\\ude00',
      '\\u0000',
      'x',
      'é',
    );
    assert(
      property(array(escape), (parts) => {
        const json = parts.join('');
        expect(decodeName(Buffer.from(json), true, WHOLE)).toBe(JSON.parse(`"${json}"`));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['\\v\\0', '\v\0'],
    ['\\x41\\x7a', 'Az'],
    ["\\'\\q\\é\\😀", "'qé😀"],
    ['a\\\nb\\\rc\\\r\nd\\\u2028e\\\u2029f', 'abcdef'],
    ['\\\r\\n', '\n'],
    ['\\\r\\\n\\\rx', 'x'],
  ])('may have the escapes of JSON5: %j', (written, name) => {
    expect(decodeName(Buffer.from(written), true, WHOLE)).toBe(name);
  });

  it.each(['\\u00g1', '\\u 041', '\\xg1', '\\u-001', '\\u0x41', '\\x+1'])(
    'keeps an escape whose digits are none: %j',
    (written) => expect(decodeName(Buffer.from(written), true, WHOLE)).toBe(written),
  );

  it('is unchanged if nothing is escaped, a byte order mark included', () => {
    for (const name of ['', 'model', '\ufeffmodel', 'é€😀']) {
      expect(decodeName(Buffer.from(name), false, LONGEST_NAME)).toBe(name);
      expect(decodeParts([Buffer.from(name)], LONGEST_NAME)).toBe(name);
    }
  });
});

describe('a name that arrives in parts', () => {
  const piece = constantFrom('\\', 'u', '0041', 'd83d', '\\ude00', '\\x6', 'f', '\r', '\n', 'é', '😀', '"', 'model');

  it('is the same wherever it is divided', () => {
    assert(
      property(array(piece), array(nat(), { maxLength: 6 }), (pieces, places) => {
        const bytes = Buffer.from(pieces.join(''));
        expect(decodeParts(cut(bytes, places), WHOLE)).toBe(decodeName(bytes, true, WHOLE));
      }),
      { numRuns: 2000 },
    );
  });

  it('is the same if its bytes are no UTF-8, also where it ends within a character', () => {
    const bytes = oneof(uint8Array(), array(constantFrom(0x61, 0xc3, 0xa9, 0xe2, 0x82, 0xf0, 0x9f, 0xff)));
    assert(
      property(bytes, array(nat(), { maxLength: 4 }), (list, places) => {
        // A backslash would begin an escape, which only the decoder of parts resolves.
        const name = Uint8Array.from(list).filter((byte) => byte !== 0x5c);
        expect(decodeParts(cut(name, places), WHOLE)).toBe(decodeName(name, false, WHOLE));
      }),
      { numRuns: 2000 },
    );
    for (const end of [[0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98]]) {
      const name = Buffer.concat([Buffer.from('model'), Uint8Array.from(end)]);
      expect([decodeName(name, false, WHOLE), decodeName(name, true, WHOLE)]).toEqual(['model\ufffd', 'model\ufffd']);
    }
  });

  it('may be asked for more than once', () => {
    const decoder = new NameDecoder(WHOLE);
    decoder.push(Buffer.from('a\xc3', 'latin1'));
    expect([decoder.end(), decoder.end()]).toEqual(['a\ufffd', 'a\ufffd']);
  });
});

describe('a long name', () => {
  it('is cut to the bound, in UTF-16 units, in parts and in one piece', () => {
    assert(
      property(
        string({ unit: 'grapheme-composite', maxLength: 60 }).map((text) => text.replaceAll('\\', '')),
        integer({ min: 0, max: 40 }),
        (name, longest) => {
          const bytes = Buffer.from(name);
          const parts = cut(bytes, [7, 20]);
          const cutName = name.slice(0, longest);
          expect(decodeName(bytes, false, longest)).toBe(cutName);
          expect(decodeParts(parts, longest)).toBe(cutName);
        },
      ),
    );
  });

  it('is stored no further than the bound, whatever follows', () => {
    const decoder = new NameDecoder(4);
    for (let part = 0; part < 100; part++) decoder.push(Buffer.from('x'.repeat(10_000)));
    expect(decoder.end()).toBe('xxxx');
  });
});
