import { array, assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALPHANUMERIC, BASE64_ANY, charset, decodeText, HEX, union, WORD } from './charset.ts';

const bytesOf = (set: Uint8Array): string =>
  Array.from(set, (flag, byte) => (flag === 1 ? String.fromCharCode(byte) : '')).join('');
const bytesLike = (pattern: RegExp): string =>
  Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte))
    .filter((letter) => pattern.test(letter))
    .join('');

describe('a set of bytes', () => {
  it.each([
    ['A-Za-z0-9_', /^[A-Za-z0-9_]$/, WORD],
    ['A-Za-z0-9', /^[A-Za-z0-9]$/, ALPHANUMERIC],
    ['0-9a-fA-F', /^[0-9a-fA-F]$/, HEX],
    ['A-Za-z0-9+/=_-', /^[A-Za-z0-9+/=_-]$/, BASE64_ANY],
  ])('%s is the class of a regular expression', (spec, pattern, set) => {
    expect(bytesOf(set)).toBe(bytesLike(pattern));
    expect(charset(spec)).toBe(set);
  });

  it('is what a regular expression reads, for any parts', () => {
    const part = constantFrom('a-f', 'A-Z', '0-9', '5', 'x', '_', '+', '/', '.', '~', '!-/', ' ');
    assert(
      property(array(part, { minLength: 1, maxLength: 5 }), constantFrom('', '-'), (parts, hyphen) => {
        const spec = `${parts.join('')}${hyphen}`;
        expect(bytesOf(charset(spec))).toBe(bytesLike(new RegExp(`^[${spec.replaceAll('/', '\\/')}]$`)));
      }),
      { numRuns: 300 },
    );
  });

  it('may begin with a hyphen, and be empty', () => {
    expect(bytesOf(charset('-a'))).toBe('-a');
    expect(bytesOf(charset(''))).toBe('');
  });
});

describe('the union of sets', () => {
  it('has the bytes of all, and changes none of them', () => {
    const [one, other] = [charset('a-c'), charset('c-e')];
    expect(bytesOf(union(one, other))).toBe('abcde');
    expect([bytesOf(one), bytesOf(other)]).toEqual(['abc', 'cde']);
    expect(bytesOf(union())).toBe('');
    expect(union(one)).toBe(one);
  });
});

const decode = (text: string): string => Buffer.from(decodeText(Buffer.from(text, 'latin1'))).toString('latin1');

/** A quote of every level. */
const QUOTES = [1, 2, 3, 4, 5].map((level) => String.fromCharCode(level));

describe('decodeText', () => {
  it.each([
    ['plain text', 'plain text'],
    ['a\\nb\\tc\\rd', 'a\nb\tc\rd'],
    ['a\\\\nb', 'a\nb'],
    ['https:\\/\\/h', 'https://h'],
    ['\\u0067hp\\u005f', 'ghp_'],
    ['\\\\u0067', 'g'],
    ['\\x41\\x7', 'A\\x7'],
    ['\\u00e9', '\xff'],
    ['\\d+\\.', '\\d+\\.'],
    ['C:\\dir', 'C:\\dir'],
    ['say \\"hi\\"', 'say \x01hi\x01'],
    ['say \\\\\\"hi', 'say \x02hi'],
    ['ends with \\\\"', 'ends with \\"'],
    ["it\\'s", 'it\x04s'],
    ['\\u0022', '\x01'],
    ['\\', '\\'],
    ['\\u12', '\\u12'],
  ])('%j reads as %j', (text, expected) => {
    expect(decode(text)).toBe(expected);
  });

  it('reads the same for a text encoded as JSON any number of times, except quotes', () => {
    const unquoted = (text: string): string => QUOTES.reduce((rest, quote) => rest.replaceAll(quote, '"'), text);
    assert(
      property(string(), (text) => {
        const ascii = text.replaceAll(/[^\x20-\x7e]|['`]/g, '.');
        const once = JSON.stringify(ascii).slice(1, -1);
        const twice = JSON.stringify(once).slice(1, -1);
        expect(unquoted(decode(once))).toBe(unquoted(decode(ascii)));
        expect(unquoted(decode(twice))).toBe(unquoted(decode(ascii)));
      }),
      { numRuns: 500 },
    );
  });

  it('is linear on backslashes alone', () => {
    expect(decodeText(Buffer.alloc(1_000_000, '\\')).length).toBeLessThanOrEqual(62_500);
  });
});
