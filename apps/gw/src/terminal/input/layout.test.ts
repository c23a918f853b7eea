import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphemesOf, widthOf } from '../text/width.ts';
import { layOut } from './layout.ts';

const TEXTS = fc.string({
  unit: fc.constantFrom('a', ' ', '\n', '\t', '東', '🔑', 'e\u0301', '👨‍👩‍👧'),
  maxLength: 40,
});

/** A text, and a position between two of its graphemes, as the editor keeps its cursor. */
const EDITED = TEXTS.chain((text) => {
  const ends = text.split('\n').flatMap((line, at, lines) => {
    const from = lines.slice(0, at).reduce((sum, { length }) => sum + length + 1, 0);
    let end = from;
    return [from, ...graphemesOf(line).map((grapheme) => (end += grapheme.length))];
  });
  return fc.record({ text: fc.constant(text), cursor: fc.constantFrom(...ends) });
});

describe('the layout of what is being written', () => {
  it('fits the window, and shows the row of the cursor', () => {
    fc.assert(
      fc.property(
        EDITED,
        fc.integer({ min: 2, max: 12 }),
        fc.integer({ min: 1, max: 5 }),
        (edited, columns, height) => {
          const { rows, row, column, above, below } = layOut(edited, columns, height);
          expect(Math.max(...rows.map(widthOf))).toBeLessThanOrEqual(columns);
          expect(rows.length).toBeLessThanOrEqual(height);
          expect(row >= 0 && row < rows.length).toBe(true);
          expect(column >= 0 && column <= widthOf(rows[row] ?? '')).toBe(true);
          const all = layOut(edited, columns, Number.POSITIVE_INFINITY).rows;
          expect(above + rows.length + below).toBe(all.length);
          expect(rows).toEqual(all.slice(above, above + rows.length));
          expect(all.join('')).toBe(edited.text.replaceAll('\n', '').replaceAll('\t', ' '));
        },
      ),
    );
  });
  it('puts the cursor behind exactly the text before it', () => {
    fc.assert(
      fc.property(EDITED, fc.integer({ min: 2, max: 12 }), ({ text, cursor }, columns) => {
        const { rows, row, column } = layOut({ text, cursor }, columns, 1000);
        let [before, width] = ['', 0];
        for (const grapheme of graphemesOf(rows[row] ?? '')) {
          if (width >= column) break;
          before += grapheme;
          width += widthOf(grapheme);
        }
        const shown = rows.slice(0, row).join('') + before;
        expect(shown.replaceAll('\n', '')).toBe(text.slice(0, cursor).replaceAll('\n', '').replaceAll('\t', ' '));
      }),
    );
  });
});
