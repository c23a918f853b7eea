import { editsBetween } from '@gateway/contract/edit-distance';
import { fold, stem } from './fold.ts';

/** What separates a word that was typed from the one that was meant. */
interface Slip {
  readonly kind: 'transposed' | 'doubled' | 'missing' | 'extra' | 'sounding' | 'other' | 'two';
  /** Whether it concerns the first letter, which people hardly ever mistype. */
  readonly first: boolean;
  /** Whether a letter at the end is missing or too many. */
  readonly last: boolean;
}

/** Letters that are confused because they sound alike: `licence` and `license`, `revokation`. */
const ALIKE = ['aeiouy', 'ckq', 'csz', 'gj', 'fv'];

/** The typing error between two spellings, or null for none, or for more than the given edits, two at most. */
export function slipBetween(typed: string, meant: string, most = 2): Slip | null {
  let at = 0;
  while (at < typed.length && typed[at] === meant[at]) at += 1;
  let same = 0;
  const shortest = Math.min(typed.length, meant.length) - at;
  while (same < shortest && typed[typed.length - 1 - same] === meant[meant.length - 1 - same]) same += 1;
  const edits = editsBetween(typed.slice(at, typed.length - same), meant.slice(at, meant.length - same), most);
  if (edits === 0 || edits > most) return null;
  const first = at === 0;
  if (edits === 2) return { kind: 'two', first, last: false };
  if (typed.length === meant.length) {
    const [one = '', other = ''] = [typed[at], meant[at]];
    const transposed = one === meant[at + 1] && other === typed[at + 1];
    const alike = ALIKE.some((letters) => letters.includes(one) && letters.includes(other));
    return { kind: transposed ? 'transposed' : alike ? 'sounding' : 'other', first, last: false };
  }
  const [longer, shorter] = typed.length > meant.length ? [typed, meant] : [meant, typed];
  if (longer[at] === longer[at - 1]) return { kind: 'doubled', first: false, last: false };
  return { kind: longer === typed ? 'extra' : 'missing', first, last: at === shorter.length };
}

/**
 * Minimum length of the typed word for a certain correction: the shorter a word, the more other words differ from it in one
 * letter (`slack` and `stack`, `sentry` and `entry`). Measured on the words of one real corpus that another lacks: each rule
 * corrects hardly two in a hundred wrongly. The first letter is rarely mistyped, and a transposed or doubled letter rarely makes
 * another word.
 */
const SURE_FROM: Readonly<Record<Slip['kind'], number>> = {
  transposed: 3,
  doubled: 4,
  missing: 5,
  sounding: 6,
  extra: 7,
  other: 8,
  two: 13,
};

/** From this length on a word is the likelier mistyped, the stranger its letters are. */
const STRANGE_FROM = 5;
/** A word with a letter sequence unknown to the corpus counts as this many letters longer. */
const STRANGE = 2;

/**
 * Whether a typed word of this length certainly meant the other one.
 * @param strange whether the typed word has a letter sequence that no word of the corpus has: foreign words and names consist of
 * usual ones, typing errors often of others
 */
export function isSure({ kind, first }: Slip, length: number, strange: boolean): boolean {
  // A letter in front makes another word: `asymmetric`, `react` and `preact`.
  if (first && kind !== 'transposed') return false;
  return length + (strange && length >= STRANGE_FROM ? STRANGE : 0) >= SURE_FROM[kind];
}

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
