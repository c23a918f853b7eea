import { array, assert, boolean, constantFrom, integer, nat, oneof, property, string, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Comment, commentStep, decodeName, LONGEST_NAME, NameDecoder } from './grammar.ts';
import { cut, read } from './testing/read.ts';

/** Bytes of a comment after its first solidus, up to its end; null where it does not end or is none. */
function lengthOf(text: string): number | null {
  let comment: Comment = 'begun';
  for (const [index, byte] of Buffer.from(text).entries()) {
    comment = commentStep(comment, byte, false);
    if (comment === 'ended') return index + 1;
    if (comment === 'none') return null;
  }
  return null;
}

describe('a comment', () => {
  it.each([
    ['/ x\ny', '/ x\n'],
    ['/\n', '/\n'],
    ['/ x\r\ny', '/ x\r'],
    ['/ é\u2028y', '/ é\u2028'],
    ['/ x\u2029y', '/ x\u2029'],
    ['* x */y', '* x */'],
    ['**/', '**/'],
    ['*/*/', '*/*/'],
    ['***/', '***/'],
    ['* * / \n // */', '* * / \n // */'],
  ])('that begins with /%j ends after %j', (text, comment) => {
    expect(lengthOf(text)).toBe(Buffer.byteLength(comment));
  });

  it.each(['/ to the end of the text', '* not closed *', '*/', '*', '', 'x', ' /', '/ \u2027 \u202a \u2128 \ue228'])(
    'does not end in /%j',
    (text) => expect(lengthOf(text)).toBeNull(),
  );

  it('ends where a pattern finds its end, for any text', () => {
    const pieces = array(constantFrom('*', '/', ' ', '\n', '\r', '\u2028', '\u2029', '\u2027', 'é', 'â', '\u2000'), {
      maxLength: 12,
    });
    assert(
      property(pieces, boolean(), (list, isBlock) => {
        const text = `${isBlock ? '*' : '/'}${list.join('')}`;
        const pattern = isBlock ? /^\*[^]*?\*\// : /^\/[^\n\r\u2028\u2029]*[\n\r\u2028\u2029]/;
        const comment = pattern.exec(text)?.[0];
        expect(lengthOf(text)).toBe(comment === undefined ? null : Buffer.byteLength(comment));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['{/*a*/"a"/**/:/***/1/*,*/,/*}*/"b":2}/**/', ['a', 'b']],
    ['// {"x":1}\n{"a":1}', ['a']],
    ['{"a":1 # "x":2,\n}', ['a']],
    ['{"a":"/* no comment */","b":"// none"}', ['a', 'b']],
    ['{"a":1/*"x":1', ['a']],
  ])('hides what is in it and nothing else, wherever %j is divided', (text, names) => {
    const bytes = Buffer.from(text);
    for (let at = 0; at <= bytes.length; at++) {
      const { events, isStrict } = read(cut(bytes, [at]));
      const found = events.filter((event) => event.startsWith('name')).map((event) => event.split('"')[1]);
      expect([found, isStrict]).toEqual([names, text.startsWith('{"a":"/*')]);
    }
  });
});

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
