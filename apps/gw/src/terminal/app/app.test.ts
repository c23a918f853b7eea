import { expect, test } from 'vitest';
import { plainText } from '../text/line.ts';
import { paragraphs } from './app.ts';

const rows = (text: string): string[] => paragraphs(text, 30).map((row) => plainText(row).trimEnd());

test.each([
  ['one word', '/info  ', 'show the session and where it is kept'],
  ['several words', 'Shift+Enter, \\  ', 'new line, also with another key'],
  ['no word', '    ', 'an indented line that is too long'],
])('a text behind %s continues in its own column', (_, label, text) => {
  const [first = '', ...rest] = rows(label + text);
  expect(first.startsWith(label)).toBe(true);
  expect(rest.length).toBeGreaterThan(0);
  for (const row of rest) expect(row.search(/\S/)).toBe(label.length);
});

test('a sentence continues at the beginning of the row', () => {
  const [, second = ''] = rows('A sentence of several words that is longer than one row.');
  expect(second).toMatch(/^\S/);
});
