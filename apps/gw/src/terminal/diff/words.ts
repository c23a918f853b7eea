import type { diffWordsWithSpace } from 'diff';
import type { Hunk } from './hunks.ts';

/** Parts of a line; those that changed are set off. */
export type Parts = readonly { readonly text: string; readonly changed: boolean }[];

/** Longer lines are compared as a whole: a minified file has no words worth looking at. */
const LONGEST = 500;
/** Where less of two lines is alike, marking words only makes them hard to read. */
const LEAST_ALIKE = 0.3;

/** The parts of every changed line of a hunk: a removed line is compared with the added line that replaces it. */
export function findChangedWords(words: typeof diffWordsWithSpace, hunk: Hunk): Map<number, Parts> {
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
