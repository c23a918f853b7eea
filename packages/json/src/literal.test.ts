import { array, assert, constantFrom, double, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LITERAL_START, literalKind, literalStep } from './literal.ts';

const kindOf = (text: string): string => literalKind(Buffer.from(text).reduce(literalStep, LITERAL_START));

/** The kind by JSON.parse, which reads exactly the words and numbers of RFC 8259. */
function kindByJsonParse(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'number' ? 'number' : String(value);
  } catch {
    return 'other';
  }
}

describe('the kind of a number or word', () => {
  it.each(['0', '-0', '7', '1234567890', '-1.50', '0.0', '1e5', '1E+5', '1e-5', '0e0', '-0.1E-10'])(
    'of %s is a number',
    (text) => expect(kindOf(text)).toBe('number'),
  );

  it.each([
    '',
    '-',
    '+1',
    '01',
    '-01',
    '00',
    '.5',
    '5.',
    '1.e5',
    '1e',
    '1e+',
    '1e5.0',
    '1.2.3',
    '--1',
    '0x1F',
    '1_000',
  ])('of %j is none of RFC 8259', (text) => expect(kindOf(text)).toBe('other'));

  it.each([
    'NaN',
    'Infinity',
    '-Infinity',
    'undefined',
    'True',
    'NULL',
    'tru',
    'truee',
    'nul',
    'falsey',
    'n',
    '$',
    '_',
  ])('of %s is no literal of JSON', (text) => expect(kindOf(text)).toBe('other'));

  it.each(['true', 'false', 'null'])('of %s is itself', (text) => expect(kindOf(text)).toBe(text));

  it('is a number for every number that JSON.stringify writes', () => {
    assert(
      property(double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(kindOf(JSON.stringify(number))).toBe('number');
      }),
      { numRuns: 1000 },
    );
  });

  it.each([Number.MAX_VALUE, Number.MIN_VALUE, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, Number.EPSILON, -0])(
    'is a number at the limit of a double: %d',
    (number) => expect(kindOf(JSON.stringify(number))).toBe('number'),
  );

  it('is a number beyond the limits of a double, which a tokenizer does not convert', () => {
    for (const text of ['1e999999', `1${'0'.repeat(5000)}`, `0.${'3'.repeat(5000)}`])
      expect(kindOf(text)).toBe('number');
  });

  it('agrees with JSON.parse for every short word of the characters of numbers and literals', () => {
    const characters = Array.from('-+.0123456789eEtrufalsn');
    const words = array(constantFrom(...characters, '-', '.', 'e', '0', 'true', 'null', 'false'), {
      minLength: 1,
      maxLength: 7,
    });
    assert(
      property(words, (parts) => {
        const text = parts.join('');
        expect(kindOf(text)).toBe(kindByJsonParse(text));
      }),
      { numRuns: 10_000 },
    );
  });

  it('is not that of a literal with any other byte in it', () => {
    assert(
      property(
        constantFrom('true', 'false', 'null', '12.5e3'),
        integer({ min: 0 }),
        integer({ min: 0x80, max: 0xff }),
        (text, at, byte) => {
          const bytes = Buffer.from(text);
          bytes[at % bytes.length] = byte;
          expect(literalKind(bytes.reduce(literalStep, LITERAL_START))).toBe('other');
        },
      ),
    );
  });
});
