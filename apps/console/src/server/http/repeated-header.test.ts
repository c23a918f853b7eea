import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findRepeatedHeader } from './repeated-header.ts';

describe('a header that may occur once', () => {
  it.each(['Authorization', 'COOKIE', 'host', 'Origin', 'Sec-Fetch-Site', 'X-API-Key'])(
    'is found when it occurs twice: %s',
    (name) => {
      expect(findRepeatedHeader(['Accept', '*/*', name, 'a', 'Accept', '*/*', name.toLowerCase(), 'a'])).toBe(
        name.toLowerCase(),
      );
    },
  );
  it('is not mistaken in a value', () => {
    expect(findRepeatedHeader(['host', 'host', 'x', 'host', 'accept', 'host'])).toBeUndefined();
  });
  it('is not a header that may be repeated', () => {
    expect(
      findRepeatedHeader(['accept', 'a', 'accept', 'b', 'x-forwarded-for', 'a', 'x-forwarded-for', 'b']),
    ).toBeUndefined();
  });
  it('is found at every position', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('accept', 'x-a', 'x-b')), fc.nat(), fc.nat(), (names, one, other) => {
        const lines: string[] = [...names];
        lines.splice(one % (lines.length + 1), 0, 'Host');
        lines.splice(other % (lines.length + 1), 0, 'hOST');
        expect(findRepeatedHeader(lines.flatMap((name) => [name, 'value']))).toBe('host');
      }),
      { verbose: true },
    );
  });
});
