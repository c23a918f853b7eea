import { expect, it } from 'vitest';
import { storableText } from './text.ts';

it('storable text holds no NUL and no half of a surrogate pair', () => {
  expect(storableText('a\0b\ud800c😀')).toBe('a\ufffdb\ufffdc😀');
  expect(storableText('as it is')).toBe('as it is');
});
