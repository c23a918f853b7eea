import { BLANK, type Line, line, type Style, span, truncate } from '../text/line.ts';
import { explicitText } from '../text/safe.ts';
import { wrapCharacters } from '../text/wrap.ts';
import { type DiffLine, type FileDiff, fileDiff } from './hunks.ts';
import { findChangedWords, type Parts } from './words.ts';

export interface ShownFile {
  readonly path: string;
  /** Null where the file is new. */
  readonly before: string | null;
  readonly after: string;
}
/** Shows a change: a heading with the numbers of lines, then the hunks, cut after `most` rows. */
export type ShowDiff = (file: ShownFile, columns: number, most: number) => Line[];

const ADDED: Style = { color: 'green' };
const REMOVED: Style = { color: 'red' };
const MARKS = { context: ' ', added: '+', removed: '-' } as const;

/** Loads the comparison of texts: only where a change is shown. */
export async function loadDiff(): Promise<ShowDiff> {
  const { diffWordsWithSpace, structuredPatch } = await import('diff');
  return (file, columns, most) => {
    const diff = fileDiff(structuredPatch, file.before, file.after);
    const lines = diff.hunks.flat();
    const numbers = String(lines.reduce((last, each) => Math.max(last, each.after ?? each.before ?? 0), 1)).length;
    const rows: Line[] = [];
    let more = 0;
    for (const [at, hunk] of diff.hunks.entries()) {
      if (at > 0) rows.push(line(`${' '.repeat(numbers)} ⋮`, { dim: true }));
      const words = rows.length < most ? findChangedWords(diffWordsWithSpace, hunk) : new Map<number, Parts>();
      for (const [index, each] of hunk.entries()) {
        // What is not shown is not laid out: a file may have more lines than anybody waits for.
        if (rows.length >= most) more += 1;
        else rows.push(...lineRows(each, words.get(index), numbers, columns));
      }
    }
    return [heading(file, diff, columns), ...cut(rows, most, more)];
  };
}

function heading(file: ShownFile, diff: FileDiff, columns: number): Line {
  const what = file.before === null ? ' (new file)' : diff.onlyLineEnds ? ' (only line ends change)' : '';
  const numbers = [span(`+${diff.added}`, ADDED), span(' '), span(`-${diff.removed}`, REMOVED)];
  return truncate(
    [
      span(explicitText(file.path).replaceAll('\n', '<U+000A>'), { bold: true }),
      span(`${what} `, { dim: true }),
      ...numbers,
    ],
    columns,
  );
}

function lineRows(
  { kind, text, before, after }: DiffLine,
  words: Parts | undefined,
  numbers: number,
  columns: number,
): Line[] {
  const style: Style = kind === 'added' ? ADDED : kind === 'removed' ? REMOVED : {};
  const number = String(after ?? before ?? '').padStart(numbers);
  const parts = words ?? [{ text, changed: false }];
  const content = parts.map((part) =>
    span(explicitText(part.text), part.changed ? { ...style, inverse: true } : style),
  );
  // Broken by hand, so that what follows begins below the text and not below the number.
  return wrapCharacters(content, Math.max(10, columns - numbers - 3)).map((row, at) => [
    span(at === 0 ? `${number} ` : ' '.repeat(numbers + 1), { dim: true }),
    span(`${at === 0 ? MARKS[kind] : ' '} `, style),
    ...row,
  ]);
}

function cut(rows: readonly Line[], most: number, more: number): readonly Line[] {
  const left = rows.length > most ? more + 1 : more; // the line that did not fit wholly
  if (left === 0) return rows.length === 0 ? [BLANK] : rows;
  return [...rows.slice(0, most), line(`… ${left} more ${left === 1 ? 'line' : 'lines'}`, { dim: true })];
}
