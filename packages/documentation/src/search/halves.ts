import type { SearchIndex } from './build-index.ts';
import type { Postings } from './postings.ts';
import { stem } from './stem.ts';
import { isStopWord } from './stop-words.ts';

/** Halves are checked in at most this many passages that contain both, the first ones. */
const LOOKED_INTO = 150;
/** The shortest half of a joined word. */
const SHORTEST = 2;

/**
 * Splits a word that the corpus writes as two: `failclosed` is `fail closed`. Two known words are no evidence, because any word
 * may be made of some: they must be adjacent somewhere.
 * @param word lower case
 * @param budget how many passages may still be checked for this question; checked ones are subtracted
 * @returns the halves, or null
 */
export function halvesOf(
  index: SearchIndex,
  word: string,
  budget: { passages: number },
): readonly [string, string] | null {
  for (let at = SHORTEST; at <= word.length - SHORTEST; at += 1) {
    const [left, right] = [word.slice(0, at), word.slice(at)];
    if (isStopWord(left) || isStopWord(right)) continue;
    const [one, other] = [index.vocabulary.find(stem(left)), index.vocabulary.find(stem(right))];
    if (one === undefined || other === undefined) continue;
    const both = inBoth(index.inPassages, [one, other], Math.min(budget.passages, LOOKED_INTO));
    budget.passages -= both.length;
    if (areNeighbours(index, [left, right], both)) return [left, right];
  }
  return null;
}

function areNeighbours(
  index: SearchIndex,
  [left, right]: readonly [string, string],
  passages: readonly number[],
): boolean {
  if (!/^[\p{L}\p{N}]+$/u.test(left + right)) return false;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${left}[\\s_./-]${right}(?![\\p{L}\\p{N}])`, 'iu');
  return passages.some((passage) => {
    const { page = 0, headings = [], text = '' } = index.passages[passage] ?? {};
    return [index.pages[page]?.title ?? '', ...headings, text].some((part) => pattern.test(part));
  });
}

/** The first documents that contain two terms. */
function inBoth({ offsets, numbers }: Postings, [one, other]: readonly [number, number], most: number): number[] {
  const both: number[] = [];
  let [at, next] = [offsets[one] ?? 0, offsets[other] ?? 0];
  const [end, last] = [offsets[one + 1] ?? 0, offsets[other + 1] ?? 0];
  while (at < end && next < last && both.length < most) {
    const [mine, theirs] = [numbers[at] ?? 0, numbers[next] ?? 0];
    if (mine === theirs) both.push(mine);
    if (mine <= theirs) at += 1;
    if (theirs <= mine) next += 1;
  }
  return both;
}
