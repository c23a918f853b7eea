import { BLANK, type Line, line, type Style, span, truncated } from '../text/line.ts';
import { explicitText } from '../text/safe.ts';
import { wrapCharacters } from '../text/wrap.ts';
import { type FileDiff, fileDiff, type Hunk } from './hunks.ts';
import { changedWords, type Parts } from './words.ts';

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
    const numbers = String(Math.max(...diff.hunks.flat().map(({ before, after }) => after ?? before ?? 0), 1)).length;
    const rows = diff.hunks.flatMap((hunk, index) => [
      ...(index > 0 ? [line(`${' '.repeat(numbers)} ⋮`, { dim: true })] : []),
      ...hunkRows(hunk, changedWords(diffWordsWithSpace, hunk), numbers, columns),
    ]);
    return [heading(file, diff, columns), ...cut(rows, most)];
  };
}

function heading(file: ShownFile, diff: FileDiff, columns: number): Line {
  const what = file.before === null ? ' (new file)' : diff.onlyLineEnds ? ' (only line ends change)' : '';
  const numbers = [span(`+${diff.added}`, ADDED), span(' '), span(`-${diff.removed}`, REMOVED)];
  return truncated(
    [
      span(explicitText(file.path).replaceAll('\n', '<U+000A>'), { bold: true }),
      span(`${what} `, { dim: true }),
      ...numbers,
    ],
    columns,
  );
}

function hunkRows(hunk: Hunk, words: Map<number, Parts>, numbers: number, columns: number): Line[] {
  return hunk.flatMap(({ kind, text, before, after }, index) => {
    const style: Style = kind === 'added' ? ADDED : kind === 'removed' ? REMOVED : {};
    const number = String(after ?? before ?? '').padStart(numbers);
    const parts = words.get(index) ?? [{ text, changed: false }];
    const content = parts.map((part) =>
      span(explicitText(part.text), part.changed ? { ...style, inverse: true } : style),
    );
    // Broken by hand, so that what follows begins below the text and not below the number.
    return wrapCharacters(content, Math.max(10, columns - numbers - 3)).map((row, at) => [
      span(at === 0 ? `${number} ` : ' '.repeat(numbers + 1), { dim: true }),
      span(`${at === 0 ? MARKS[kind] : ' '} `, style),
      ...row,
    ]);
  });
}

function cut(rows: readonly Line[], most: number): readonly Line[] {
  if (rows.length <= most) return rows.length === 0 ? [BLANK] : rows;
  return [...rows.slice(0, most), line(`… ${rows.length - most} more lines`, { dim: true })];
}
