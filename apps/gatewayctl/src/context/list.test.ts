import { describe, expect, it } from 'vitest';
import { type Context, WrongUsage } from './context.ts';
import { printList, table } from './list.ts';

/** What a listing of numbers prints. */
async function printed(values: readonly number[], limit?: string, json = false): Promise<string> {
  let text = '';
  const terminal = {
    write: async (more: string) => void (text += more),
    report: () => {},
    watched: false,
    columns: null,
  };
  const listing = { header: ['NUMBER'], values, row: (value: number) => [String(value)], none: 'There is none.' };
  await printList({ json, terminal } as unknown as Context, listing, limit);
  return text;
}

describe('a list', () => {
  it('is a table of all its values', async () => {
    expect(await printed([1, 2])).toBe('NUMBER\n1\n2\n');
  });

  it('that is empty is a sentence, and an empty list in JSON', async () => {
    expect(await printed([])).toBe('There is none.\n');
    expect(await printed([], '5', true)).toBe('[]\n');
  });

  it('is cut at the limit, and says how many are left out', async () => {
    expect(await printed([1, 2, 3], '2')).toBe('NUMBER\n1\n2\n2 of 3 shown. Raise --limit to see more.\n');
    expect(await printed([1, 2, 3], '3')).toBe('NUMBER\n1\n2\n3\n');
    expect(await printed([1, 2, 3], '999999999')).toBe('NUMBER\n1\n2\n3\n');
    expect(JSON.parse(await printed([1, 2, 3], '2', true))).toEqual([1, 2]);
  });

  it.each(['0', '-1', '1.5', 'all', '', ' 1', '01', '9999999999'])(
    'is not cut at %j, which is wrong usage',
    async (limit) => {
      await expect(printed([1], limit)).rejects.toThrow(WrongUsage);
      await expect(printed([1], limit)).rejects.toThrow(`--limit takes a whole number from 1 on, not "${limit}".`);
    },
  );
});

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
