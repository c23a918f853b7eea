import { editsBetween } from '@gateway/contract/edit-distance';

/** What separates a word that was typed from the one that was meant. */
export interface Slip {
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
