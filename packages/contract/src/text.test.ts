import { expect, it } from 'vitest';
import { characters, firstCharacters, instant, isStorable, storable, storableText } from './text.ts';

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

it('a text is as long as people count it, so thirty locks fit where thirty letters do', () => {
  const shape = storableText(1, 30);
  expect(shape.safeParse('🔒'.repeat(30)).success).toBe(true);
  const messages = ['🔒'.repeat(31), '', 'a\0', '\ud800', 7].map((value) => shape.safeParse(value).error?.issues);
  expect(messages.map((issues) => issues?.map(({ message }) => message))).toEqual([
    ['must contain at most 30 characters'],
    ['must not be empty'],
    ['must be well-formed Unicode without NUL'],
    ['must be well-formed Unicode without NUL'],
    ['must be text'],
  ]);
});

it.each([
  ['0001-01-01T00:00:00Z', true],
  ['0001-01-01T00:00:00+00:01', false],
  ['9999-12-31T23:59:59.999Z', true],
  ['9999-12-31T23:59:59-00:01', false],
  ['2030-01-31T08:00:00+14:00', true],
  ['2030-01-31T08:00:00', false],
  ['2030-02-30T08:00:00Z', false],
  ['tomorrow', false],
])('an instant that can be written again in UTC: %s %s', (text, isValid) => {
  expect(instant.safeParse(text).success).toBe(isValid);
});
