import { describe, expect, it } from 'vitest';
import { type Line, plainText } from '../text/line.ts';
import { pickerLines } from './frame.ts';

const shown = (lines: readonly Line[]): string => lines.map((each) => plainText(each).trimEnd()).join('\n');

describe('a list', () => {
  const items = Array.from({ length: 20 }, (_, at) => `item ${at}`);

  it.each([
    [0, 'item 0', 'item 3'],
    [10, 'item 8', 'item 11'],
    [19, 'item 16', 'item 19'],
  ])('with item %i chosen shows %s to %s', (selected, first, last) => {
    const rows = shown(pickerLines({ title: 'Choose', items, selected, choose: () => undefined }, 60, 4)).split('\n');
    expect(rows).toHaveLength(6);
    expect([rows[1]?.slice(2), rows[4]?.slice(2)]).toEqual([first, last]);
    expect(rows).toContain(`› item ${selected}`);
    expect(rows.at(-1)).toContain(`(${selected + 1} of 20)`);
  });

  it('that is short is shown whole', () => {
    const picker = { title: 'Choose\nnow', items: ['one\ntwo'], selected: 0, choose: () => undefined };
    expect(shown(pickerLines(picker, 60, 10))).toBe(
      'Choose now\n› one two\n↑ ↓ choose, Enter selects, Esc closes (1 of 1)',
    );
  });
});
