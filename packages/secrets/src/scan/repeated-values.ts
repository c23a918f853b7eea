import { ALPHANUMERIC } from '../text/charset.ts';
import { crossEntropy } from '../verify/cross-entropy.ts';
import type { Match } from './engine.ts';

/** Maximum number of values searched again: the time stays linear for any body. */
const MOST_VALUES = 16;
/** A shorter value, or one with fewer bits a character, may be a word that occurs independently. */
const LEAST = 8;
const BITS = 5;
/** Bytes searched between two pauses. */
const SLICE = 512 * 1024;

/**
 * Finds further occurrences of certain findings' values without an identifying context: a password as the user's name, in a log
 * line, in a table. Masking only the identified one would still show the value. Yields between slices; returns all matches, in
 * order.
 */
export function* matchRepeatedValues(text: Buffer, matches: readonly Match[]): Generator<undefined, readonly Match[]> {
  const values = new Map<string, Match>();
  for (const match of matches) {
    if (values.size === MOST_VALUES) break;
    if (match.rule.confidence !== 'high' || match.to - match.from < LEAST) continue;
    if (crossEntropy(text, match.from, match.to) >= BITS)
      values.set(text.toString('latin1', match.from, match.to), match);
  }
  const more: Match[] = [];
  for (const [value, { rule }] of values) {
    for (let from = 0; from < text.length; from += SLICE) {
      if (from > 0) yield;
      const part = text.subarray(from, from + SLICE + value.length - 1);
      for (let at = part.indexOf(value, 0, 'latin1'); at >= 0; at = part.indexOf(value, at + value.length, 'latin1')) {
        const [start, end] = [from + at, from + at + value.length];
        if (standsAlone(text, start, end)) more.push({ rule, from: start, to: end, committed: end, closed: true });
      }
    }
  }
  return merge(matches, more);
}

function standsAlone(text: Buffer, from: number, to: number): boolean {
  return ALPHANUMERIC[text[from - 1] ?? 0] === 0 && ALPHANUMERIC[text[to] ?? 0] === 0;
}

/** The first of overlapping matches stays; those found by their own form come first. */
function merge(matches: readonly Match[], more: readonly Match[]): readonly Match[] {
  const sorted = [...more].sort((a, b) => a.from - b.from);
  const merged: Match[] = [];
  let next = 0;
  let end = 0;
  const addUntil = (limit: number): void => {
    for (; next < sorted.length && (sorted[next] as Match).from < limit; next++) {
      const candidate = sorted[next] as Match;
      if (candidate.from < end || candidate.to > limit) continue;
      merged.push(candidate);
      end = candidate.to;
    }
  };
  for (const match of matches) {
    addUntil(match.from);
    merged.push(match);
    end = match.to;
  }
  addUntil(Number.MAX_SAFE_INTEGER);
  return merged;
}
