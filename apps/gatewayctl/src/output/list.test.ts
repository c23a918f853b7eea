import { describe, expect, it } from 'vitest';
import type { Context } from '../context/context.ts';
import { WrongUsage } from '../context/fault.ts';
import { printList } from './list.ts';

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
