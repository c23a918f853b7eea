import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, type JsonValue, NotCanonical } from './canonical.ts';

describe('canonical JSON', () => {
  it('is the example of RFC 8785 section 3.2.4', () => {
    const value = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts members by UTF-16 code units (RFC 8785 section 3.2.3)', () => {
    const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 };
    expect([...canonicalJson(value).matchAll(/:(\d)/g)].map(([, digit]) => digit).join('')).toBe('2467153');
  });

  it('writes minus zero as zero, and integers without an exponent up to 1e21', () => {
    expect(canonicalJson([-0, 1e21, 1e20, 9007199254740991])).toBe('[0,1e+21,100000000000000000000,9007199254740991]');
  });

  it('refuses values that JSON cannot represent, and names the path', () => {
    const bad = [Number.NaN, Number.POSITIVE_INFINITY, '\ud800', undefined, 1n, () => 1, Symbol('x')];
    for (const value of bad) {
      expect(() => canonicalJson({ a: [value as unknown as JsonValue] })).toThrow(NotCanonical);
      expect(() => canonicalJson({ a: [value as unknown as JsonValue] })).toThrow('/a/0');
    }
    expect(() => canonicalJson({ '\udfff': 1 })).toThrow(NotCanonical);
  });

  it('sorts the members of an object in a list with a text', () => {
    expect(canonicalJson({ a: ['x', { c: 1, b: 2 }] })).toBe('{"a":["x",{"b":2,"c":1}]}');
    expect(() => canonicalJson({ a: ['x', Number.NaN] })).toThrow('/a/1');
  });

  it('is the same whether an object can be written the quick way or not', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('\\ud800', '\\\\ud', 'é', '😀', '\u2028'));
    const flat = fc.dictionary(text, fc.oneof(text, fc.double(), fc.boolean(), fc.constant(null), fc.array(text)));
    fc.assert(
      fc.property(flat, (value) => {
        const sorted = Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
        const attempt = (one: object): string => {
          try {
            return canonicalJson(one as JsonValue);
          } catch (error) {
            return String(error);
          }
        };
        // In a list, an object takes the long way.
        expect(`[${attempt(sorted)}]`.replace(/^\[NotCanonical.*/, '')).toBe(
          attempt([value]).replace(/^NotCanonical.*/, ''),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('represents the same value, for any order of its members', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value as JsonValue);
        const shuffled = JSON.parse(JSON.stringify(value), (_, part: unknown) =>
          part && typeof part === 'object' && !Array.isArray(part)
            ? Object.fromEntries(Object.entries(part).reverse())
            : part,
        ) as JsonValue;
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(shuffled)).toBe(text);
      }),
    );
  });
});
