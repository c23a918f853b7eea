import type { diffWordsWithSpace, structuredPatch } from 'diff';
import { BLANK, type Line, line, type Style, span, truncate } from '../text/line.ts';
import { explicitText } from '../text/safe.ts';
import { wrapCharacters } from '../text/wrap.ts';

interface DiffLine {
  readonly kind: 'context' | 'added' | 'removed';
  readonly text: string;
  /** Line numbers from one; null on the side where the line is not. */
  readonly before: number | null;
  readonly after: number | null;
}
/** Neighbouring lines; between two hunks, unchanged lines are left out. */
type Hunk = readonly DiffLine[];
export interface FileDiff {
  readonly hunks: readonly Hunk[];
  readonly added: number;
  readonly removed: number;
  /** Only line ends or the last line end changed, which no line shows. */
  readonly onlyLineEnds: boolean;
}

const CONTEXT = 3;
const KINDS = { ' ': 'context', '+': 'added', '-': 'removed' } as const;
/** A comparison that takes longer gives all lines as removed and added. */
const TIMEOUT_MS = 200;

/** Compares two texts line by line. `before` is null where the file is new. */
export function fileDiff(patch: typeof structuredPatch, before: string | null, after: string): FileDiff {
  const [old, now] = [withPlainEnds(before ?? ''), withPlainEnds(after)];
  const options = { context: CONTEXT, timeout: TIMEOUT_MS };
  const hunks = (patch('', '', old, now, '', '', options)?.hunks ?? [whole(old, now)]).map((hunk) => {
    let [left, right] = [hunk.oldStart, hunk.newStart];
    return hunk.lines.flatMap((text): DiffLine[] => {
      const kind = KINDS[text.charAt(0) as keyof typeof KINDS];
      if (kind === undefined) return []; // "\ No newline at end of file"
      const line = {
        kind,
        text: text.slice(1),
        before: kind === 'added' ? null : left,
        after: kind === 'removed' ? null : right,
      };
      if (kind !== 'added') left += 1;
      if (kind !== 'removed') right += 1;
      return [line];
    });
  });
  const lines = hunks.flat();
  return {
    hunks,
    added: lines.filter(({ kind }) => kind === 'added').length,
    removed: lines.filter(({ kind }) => kind === 'removed').length,
    onlyLineEnds: lines.length === 0 && before !== null && before !== after,
  };
}

function whole(before: string, after: string): { oldStart: number; newStart: number; lines: string[] } {
  const marked = (text: string, mark: string): string[] =>
    text === ''
      ? []
      : text
          .replace(/\n$/, '')
          .split('\n')
          .map((each) => mark + each);
  return { oldStart: 1, newStart: 1, lines: [...marked(before, '-'), ...marked(after, '+')] };
}

/** With one kind of line ends, and one after the last line: a line without it would be shown as removed and added. */
function withPlainEnds(text: string): string {
  const plain = text.replaceAll('\r\n', '\n');
  return plain === '' || plain.endsWith('\n') ? plain : `${plain}\n`;
}

/** Parts of a line; those that changed are set off. */
type Parts = readonly { readonly text: string; readonly changed: boolean }[];

/** Longer lines are compared as a whole: a minified file has no words worth looking at. */
const LONGEST = 500;
/** Where less of two lines is alike, marking words only makes them hard to read. */
const LEAST_ALIKE = 0.3;

/** The parts of every changed line of a hunk: a removed line is compared with the added line that replaces it. */
function findChangedWords(words: typeof diffWordsWithSpace, hunk: Hunk): Map<number, Parts> {
  const parts = new Map<number, Parts>();
  for (let at = 0; at < hunk.length; at += 1) {
    if (hunk[at]?.kind !== 'removed') continue;
    const removed = runLength(hunk, at, 'removed');
    const added = runLength(hunk, at + removed, 'added');
    for (let index = 0; index < Math.min(removed, added); index += 1) {
      const [left, right] = [at + index, at + removed + index];
      const pair = compareLines(words, hunk[left]?.text ?? '', hunk[right]?.text ?? '');
      if (pair !== null) {
        parts.set(left, pair[0]);
        parts.set(right, pair[1]);
      }
    }
    at += removed + added - 1;
  }
  return parts;
}

function compareLines(words: typeof diffWordsWithSpace, before: string, after: string): [Parts, Parts] | null {
  if (before.length > LONGEST || after.length > LONGEST) return null;
  const changes = words(before, after);
  const alike = changes
    .filter(({ added, removed }) => !added && !removed)
    .reduce((sum, { value }) => sum + value.trim().length, 0);
  if (alike < LEAST_ALIKE * Math.max(before.trim().length, after.trim().length)) return null;
  return [
    changes.filter(({ added }) => !added).map(({ value, removed }) => ({ text: value, changed: removed })),
    changes.filter(({ removed }) => !removed).map(({ value, added }) => ({ text: value, changed: added })),
  ];
}

function runLength(hunk: Hunk, from: number, kind: 'added' | 'removed'): number {
  let length = 0;
  while (hunk[from + length]?.kind === kind) length += 1;
  return length;
}

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
