import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALPHANUMERIC, BASE64_ANY, charset, HEX, union, WORD } from './charset.ts';

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
