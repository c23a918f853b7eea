import { expect, it } from 'vitest';
import { characters, firstCharacters, isStorable, storable } from './text.ts';

it('a storable text contains no NUL and no lone surrogate', () => {
  expect(isStorable('a\0b\ud800c😀')).toBe(false);
  expect(storable('a\0b\ud800c😀')).toBe('a\ufffdb\ufffdc😀');
  expect(storable('as it is')).toBe('as it is');
});

it('the first characters of a text are whole, and of the requested number', () => {
  expect(firstCharacters('a🔒b', 2)).toBe('a🔒');
  expect(firstCharacters('🔒'.repeat(300), 300)).toBe('🔒'.repeat(300));
  expect(characters(firstCharacters(`a${'🔒'.repeat(400)}`, 300))).toBe(300);
  expect(firstCharacters('', 3)).toBe('');
});
