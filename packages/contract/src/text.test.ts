import { expect, it } from 'vitest';
import { isStorable, storable } from './text.ts';

it('a storable text holds no NUL and no half of a surrogate pair', () => {
  expect(isStorable('a\0b\ud800c😀')).toBe(false);
  expect(storable('a\0b\ud800c😀')).toBe('a\ufffdb\ufffdc😀');
  expect(storable('as it is')).toBe('as it is');
});
