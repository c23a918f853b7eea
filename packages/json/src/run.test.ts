import { array, assert, constantFrom, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endOfRun, IN_DOUBLE, IN_SINGLE } from './tokenizer.ts';

const isControl = (byte: number): boolean => byte < 0x20;
const ENDS = {
  double: [IN_DOUBLE, (byte: number) => isControl(byte) || byte === 0x22 || byte === 0x5c],
  single: [IN_SINGLE, (byte: number) => isControl(byte) || byte === 0x27 || byte === 0x5c],
} as const;

describe.each(Object.entries(ENDS))('a run of ordinary bytes in %s quotes', (_, [ends, isEndByte]) => {
  it('ends at each byte that has a meaning there, and at no other', () => {
    for (let byte = 0; byte < 256; byte++) {
      const isEnd = isEndByte(byte);
      expect([byte, endOfRun(Uint8Array.of(byte), 0, ends)]).toEqual([byte, isEnd ? 0 : 1]);
    }
  });

  it('ends at the same byte at every distance from the beginning and the end', () => {
    for (let before = 0; before < 10; before++)
      for (let after = 0; after < 10; after++) {
        const chunk = Buffer.from(`${'x'.repeat(before)}\\${'x'.repeat(after)}`);
        expect([before, after, endOfRun(chunk, 0, ends)]).toEqual([before, after, before]);
      }
  });

  it('ends where a search byte by byte ends, from any offset', () => {
    const bytes = array(constantFrom(...Buffer.from('xxxxxyzé"\'\\\n')), { maxLength: 40 });
    assert(
      property(bytes, integer({ min: 0, max: 41 }), (list, offset) => {
        const chunk = Uint8Array.from(list);
        const from = Math.min(offset, chunk.length);
        const found = list.findIndex((byte, at) => at >= from && isEndByte(byte));
        expect(endOfRun(chunk, from, ends)).toBe(found < 0 ? chunk.length : found);
      }),
      { numRuns: 2000 },
    );
  });

  it('ends with the chunk if nothing ends it before', () => {
    for (const length of [0, 1, 3, 4, 5, 8, 65_537]) {
      expect(endOfRun(new Uint8Array(length).fill(0x78), 0, ends)).toBe(length);
    }
  });
});
