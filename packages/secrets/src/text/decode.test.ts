import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from './decode.ts';

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
