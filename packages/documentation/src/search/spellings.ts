import { fold } from './fold.ts';
import { isSure, type Slip, slipBetween } from './slip.ts';
import { stem } from './stem.ts';

/** A spelling of the corpus that may have been meant by another. */
export interface Correction {
  /** Lower case, as the corpus spells it. */
  readonly word: string;
  /** False where it is only worth a question back: a word that differs so little may well be another one. */
  readonly sure: boolean;
  readonly kind: Slip['kind'];
}

/** The spellings of a corpus, to correct a word that it does not contain. */
export interface Spellings {
  /** The likeliest correction of a lower-case word, or null. Its work is bounded by the number of spellings. */
  readonly correct: (typed: string) => Correction | null;
}

/** Shorter words are left alone: everything is like them. Longer ones are no words that anyone types. */
const [SHORTEST, SHORTEST_FOR_TWO, LONGEST] = [3, 8, 40];

/**
 * @param spellings lower-case words and the number of the term of each
 * @param frequencyOf in how many passages a term occurs
 */
export function spellingsOf(
  spellings: Iterable<readonly [word: string, term: number]>,
  frequencyOf: (term: number) => number,
): Spellings {
  const byLength: { words: string[]; frequencies: number[]; letters: number[] }[] = [];
  const usual = new Trigrams();
  for (const [spelling, term] of spellings) {
    const word = fold(spelling);
    const frequency = frequencyOf(term);
    if (frequency === 0 || word.length < SHORTEST || word.length > LONGEST) continue;
    const list = (byLength[word.length] ??= { words: [], frequencies: [], letters: [] });
    list.words.push(word);
    list.frequencies.push(frequency);
    list.letters.push(lettersOf(word));
    if (frequency > 1) usual.add(word);
  }
  return {
    correct: (typed) => {
      if (typed.length < SHORTEST || typed.length > LONGEST) return null;
      const letters = lettersOf(typed);
      const digits = digitsOf(typed);
      const family = stem(typed);
      let best: { word: string; order: number; frequency: number; slip: Slip } | null = null;
      // Two edits in a short word leave nothing of it.
      const most = typed.length < SHORTEST_FOR_TWO ? 1 : 2;
      for (let length = typed.length - most; length <= typed.length + most; length += 1) {
        const list = byLength[length];
        if (!list) continue;
        for (let at = 0; at < list.words.length; at += 1) {
          // An edit changes two letters of the sets at most; this leaves a few words of a hundred to compare.
          if (ones(letters ^ (list.letters[at] ?? 0)) > 2 * most) continue;
          const word = list.words[at] ?? '';
          const slip = slipBetween(typed, word, most);
          // The plural of a word is no correction of it.
          if (slip === null || digits !== digitsOf(word) || stem(word) === family) continue;
          const order = orderOf(slip);
          const frequency = list.frequencies[at] ?? 0;
          if (best !== null && (order > best.order || (order === best.order && frequency <= best.frequency))) continue;
          best = { word, order, frequency, slip };
        }
      }
      if (best === null || (typed.length === SHORTEST && best.slip.kind !== 'transposed')) return null;
      const sure = isSure(best.slip, typed.length, !usual.allIn(typed));
      return { word: best.word, sure, kind: best.slip.kind };
    },
  };
}

const LIKELIEST: readonly Slip['kind'][] = ['transposed', 'doubled', 'missing', 'sounding', 'extra', 'other', 'two'];

/** More probable corrections come first. */
function orderOf({ kind, first }: Slip): number {
  return LIKELIEST.indexOf(kind) + (first ? 3 : 0);
}

/** The sequences of three letters of some words. Foreign words and names are made of usual ones, slips often of others. */
class Trigrams {
  readonly #met = new Set<string>();

  add(word: string): void {
    for (let at = 3; at <= word.length; at += 1) this.#met.add(word.slice(at - 3, at));
  }

  allIn(word: string): boolean {
    for (let at = 3; at <= word.length; at += 1) if (!this.#met.has(word.slice(at - 3, at))) return false;
    return true;
  }
}

/** The set of a word's letters as bits; all that are no Latin ones share five. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) {
    const unit = word.charCodeAt(at);
    letters |= unit >= 0x61 && unit <= 0x7a ? 1 << (unit - 0x61) : 1 << (26 + (unit % 5));
  }
  return letters;
}

function ones(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x5555_5555);
  rest = (rest & 0x3333_3333) + ((rest >>> 2) & 0x3333_3333);
  return (((rest + (rest >>> 4)) & 0x0f0f_0f0f) * 0x0101_0101) >>> 24;
}

/** A digit is no slip: 403 is not 404, and `sha256` not `sha512`. */
function digitsOf(word: string): string {
  return word.replace(/\D+/g, '');
}
