import { editableText } from '../text/safe.ts';
import { graphemesOf, graphemeWidth, widthOf } from '../text/width.ts';
import type { Editor } from './editor.ts';

export interface EditorLayout {
  readonly rows: readonly string[];
  /** Of the cursor, within `rows`. Behind a full row, `column` is the number of columns. */
  readonly row: number;
  readonly column: number;
  /** Rows that are above and below what is shown. */
  readonly above: number;
  readonly below: number;
}

/** Breaks the text into rows and finds the cursor. A tab is shown as one blank, a control character as one sign. Of more than `height` rows, those around the cursor are given. */
export function layOut(
  { text, cursor }: Pick<Editor, 'text' | 'cursor'>,
  columns: number,
  height: number,
): EditorLayout {
  const rows: string[] = [];
  let position = 0;
  let at = { row: 0, column: 0 };
  for (const part of text.replaceAll('\t', ' ').split('\n')) {
    let row = '';
    let width = 0;
    if (position === cursor) at = { row: rows.length, column: 0 };
    for (const grapheme of graphemesOf(part)) {
      const sign = editableText(grapheme);
      const needs = sign === grapheme ? graphemeWidth(grapheme) : widthOf(sign);
      if (width + needs > columns && width > 0) {
        rows.push(row);
        if (position === cursor) at = { row: rows.length, column: 0 };
        row = '';
        width = 0;
      }
      row += sign;
      width += needs;
      position += grapheme.length;
      if (position === cursor) at = { row: rows.length, column: width };
    }
    rows.push(row);
    position += 1; // the line end
  }
  const from = Math.max(0, Math.min(at.row - Math.floor(height / 2), rows.length - height));
  const shown = rows.slice(from, from + height);
  return { rows: shown, row: at.row - from, column: at.column, above: from, below: rows.length - from - shown.length };
}
