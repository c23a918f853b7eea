import { assert, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dice, draw } from '../testing/specimen.ts';
import { checksumOf, crc32Base62 } from './token.ts';

describe('the checksum of a token', () => {
  it('is CRC-32 in base 62, with leading zeros, digits before capitals before small letters', () => {
    expect(checksumOf('')).toBe('000000');
    expect(checksumOf('a')).toBe('4GEHKN'); // 0xe8b7be43
  });

  it('distinguishes a token from one with any character changed', () => {
    assert(
      property(integer({ min: 1, max: 1e9 }), integer({ min: 0, max: 35 }), (seed, place) => {
        const random = draw('A-Za-z0-9', 30, dice(String(seed)));
        const token = random + checksumOf(random);
        expect(crc32Base62(token)).toBe(true);
        const other = token[place] === 'x' ? 'y' : 'x';
        expect(crc32Base62(token.slice(0, place) + other + token.slice(place + 1))).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  it('is nothing of a text that is shorter', () => {
    expect(crc32Base62('000000')).toBe(false);
    expect(crc32Base62('')).toBe(false);
  });
});
