import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphemesOf, type Line, plainText, widthOf } from '../text/line.ts';
import { editorOf } from './editor.ts';
import { inputView, layOut } from './frame.ts';
import { initialState, type UiState } from './state.ts';

const shown = (lines: readonly Line[]): string => lines.map((each) => plainText(each).trimEnd()).join('\n');
const stateWith = (change: Partial<UiState>): UiState => ({ ...initialState(), model: 'Model', ...change });

describe('the input', () => {
  it('shows the part around the cursor of a long message, and how much is hidden', () => {
    const text = Array.from({ length: 20 }, (_, at) => `line ${at}`).join('\n');
    const { lines, cursor } = inputView(stateWith({ editor: editorOf(text) }), 40, 5);
    expect(shown(lines)).toBe('  line 15\n  line 16\n  line 17\n  line 18\n  line 19\n  … 15 more lines');
    expect(cursor).toEqual({ row: 4, column: 9 });
  });

  it('counts the columns of wide characters for the cursor', () => {
    expect(inputView(stateWith({ editor: editorOf('日本') }), 40, 5).cursor).toEqual({ row: 0, column: 6 });
    const { lines, cursor } = inputView(stateWith({ editor: editorOf('日本語日本語') }), 12, 5);
    expect(shown(lines)).toBe('> 日本語日本\n  語');
    expect(cursor).toEqual({ row: 1, column: 4 });
  });

  it('is a command of the user in another colour', () => {
    const colored = (text: string): unknown =>
      inputView(stateWith({ editor: editorOf(text) }), 40, 5).lines[0]?.at(-1)?.style.color;
    expect([colored('!ls'), colored('ls!')]).toEqual(['magenta', undefined]);
  });

  it('says what is edited, and which question is answered', () => {
    const argumentEdit = {
      label: 'the command',
      draft: editorOf(''),
      apply: () => null,
    } as unknown as UiState['argumentEdit'];
    expect(shown(inputView(stateWith({ argumentEdit }), 80, 5).lines)).toMatch(
      /^Edit the command\. Enter approves the edited call/,
    );
    const questions = [{ id: 'q', question: 'Which\none?', options: [], selected: 0 }];
    expect(shown(inputView(stateWith({ questions }), 20, 5).lines).split('\n')[0]).toBe('Your answer to: Whi…');
  });
});

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
