import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ESCAPE_BEGUN, escapeStep, NOT_PART, WRONG } from './tokenizer.ts';

/** Reads what follows a backslash: whether RFC 8259 allows it, and how many bytes belong to the escape. */
function readEscape(text: string): { readonly isAllowed: boolean; readonly length: number } {
  let state = ESCAPE_BEGUN;
  let isAllowed = true;
  let length = 0;
  for (const byte of Buffer.from(text, 'latin1')) {
    const step = escapeStep(state, byte);
    if ((step & WRONG) !== 0) isAllowed = false;
    if ((step & NOT_PART) === 0) length += 1;
    state = step & ~(WRONG | NOT_PART);
    if (state === 0) break;
  }
  return { isAllowed: isAllowed && state === 0, length };
}

function isAllowedByJsonParse(text: string): boolean {
  try {
    JSON.parse(`"\\${text}"`);
    return true;
  } catch {
    return false;
  }
}

describe('an escape in a string', () => {
  it('of one letter is allowed where JSON.parse allows it, for every byte', () => {
    for (let byte = 0; byte < 256; byte++) {
      const letter = String.fromCharCode(byte);
      // What follows `u` is the subject of the next test.
      if (letter === 'u') continue;
      expect([letter, readEscape(letter).isAllowed]).toEqual([letter, isAllowedByJsonParse(letter)]);
    }
  });

  it('of four digits is allowed where JSON.parse allows it', () => {
    const digit = constantFrom(...Array.from('0189afAFgG:/@`"\\ é'));
    assert(
      property(array(digit, { minLength: 4, maxLength: 4 }), (digits) => {
        const text = `u${digits.join('')}`;
        expect(readEscape(text).isAllowed).toBe(/^u[\da-fA-F]{4}$/.test(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('takes no byte that is no digit: a quote still closes the string', () => {
    for (const digits of ['', '0', '00', '00e']) {
      expect(readEscape(`u${digits}"`)).toEqual({ isAllowed: false, length: 1 + digits.length });
    }
    expect(readEscape('u00e9"')).toEqual({ isAllowed: true, length: 5 });
  });
});
