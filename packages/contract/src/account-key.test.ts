import { describe, expect, it } from 'vitest';
import { isAccountKey, isWeakAccountKey } from './account-key.ts';

const ofDigits = (digits: string) => `gwk_${digits.padEnd(48, digits)}`;

describe('an account key (roles-2)', () => {
  it.each([
    ofDigits('0123456789abcdef').slice(0, -1),
    `${ofDigits('0123456789abcdef')}0`,
    ofDigits('0123456789ABCDEF'),
    ofDigits('0123456789abcdeg'),
    `x${ofDigits('0123456789abcdef')}`,
    `${ofDigits('0123456789abcdef')}\n`,
    '',
  ])('is not %j', (text) => {
    expect(isAccountKey(text)).toBe(false);
    expect(isWeakAccountKey(text)).toBe(true);
  });
  it('of an operator has ten distinct digits or is too weak, after any prefix (refusals-22)', () => {
    expect(isAccountKey(ofDigits('012345678'))).toBe(true);
    expect(isWeakAccountKey(ofDigits('012345678'))).toBe(true);
    expect(isWeakAccountKey(ofDigits('0123456789'))).toBe(false);
  });
});
