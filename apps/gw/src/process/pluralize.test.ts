import { expect, it } from 'vitest';
import { pluralize } from './pluralize.ts';

it.each([
  [0, '0 files'],
  [1, '1 file'],
  [2, '2 files'],
])('%i is named with its noun: %s', (count, text) => {
  expect(pluralize(count, 'file')).toBe(text);
});

it('a noun may have a plural of its own', () => {
  expect([1, 2].map((count) => pluralize(count, 'entry', 'entries'))).toEqual(['1 entry', '2 entries']);
});
