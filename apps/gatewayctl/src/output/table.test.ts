import { expect, it } from 'vitest';
import { table } from './table.ts';

const LONG = 'a-very-long-subject-of-an-identity-provider@example.org';
const ROWS = [
  ['alice', 'auditeur', 'root'],
  [LONG, 'utilisateur-standard', 'Olga Operator'],
];

it('makes each column as wide as its widest value where no terminal limits it', () => {
  const lines = table(['SUBJECT', 'ROLE', 'BY'], ROWS, null);
  expect(lines[2]).toBe(`${LONG}  utilisateur-standard  Olga Operator`);
  expect(lines[1]).toBe(`${'alice'.padEnd(LONG.length)}  ${'auditeur'.padEnd(20)}  root`);
});
it.each([40, 60, 80])('cuts the widest column so that a line fits %d columns', (columns) => {
  const lines = table(['SUBJECT', 'ROLE', 'BY'], ROWS, columns);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
  expect(lines[1]).toMatch(/^alice +auditeur +root$/);
  expect(lines[2]).toMatch(/^a-very-lon[^ ]*… {2}util/);
});
it('keeps columns readable on a terminal that is too narrow', () => {
  expect(table(['SUBJECT'], [[LONG]], 3)[1]).toBe('a-very-…');
});
it('does not split a character of two units', () => {
  expect(table(['S'], [['1234567😀😀😀']], 8)[1]).toBe('1234567…');
  expect(table(['S'], [['123456😀😀😀']], 8)[1]).toBe('123456…');
});
it('writes out what nobody would see in a value, and keeps the columns', () => {
  const lines = table(
    ['SUBJECT', 'BY'],
    [
      ['ad\u200bmin', '\u202eroot'],
      ['a\nb', '\u001b[2J'],
    ],
    null,
  );
  expect(lines).toEqual(['SUBJECT      BY', 'ad\\u200bmin  \\u202eroot', 'a\\u000ab     \\u001b[2J']);
});
it('shows the header of an empty table', () => {
  expect(table(['A', 'BC'], [], 80)).toEqual(['A  BC']);
});
