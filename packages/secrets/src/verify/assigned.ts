import { type Strength, strengthOf } from './name.ts';

/** How a value was written down. */
export const QUOTED = 0;
export const BARE = 1;
export const ARGUMENT = 2;
export const ELEMENT = 3;
/** Only a word or a blank stands between the name and the value, as in a sentence. */
export const LOOSE = 4;
export type Form = typeof QUOTED | typeof BARE | typeof ARGUMENT | typeof ELEMENT | typeof LOOSE;

/** Names that are remembered, at most. */
const MOST_NAMES = 128;

/** Nothing is known yet. */
export const UNKNOWN = -1;

/**
 * What was read around the last name, kept because a name holds several keywords, because a text that arrives in pieces
 * is asked about again and again, and because values overlap: each byte is then read a bounded number of times.
 */
export class Assigned {
  /** The first keyword that was met in the name. */
  wordFrom = 0;
  nameFrom = UNKNOWN;
  nameTo = 0;
  /** The decision for every keyword from `wordFrom` to `nameTo`. */
  verdict = UNKNOWN;
  /** The value was weighed, and does not read as generated. */
  dismissed = false;
  /** The text ended before the answer: where it ended, and from where the answer holds. */
  askedAt = UNKNOWN;
  hold = 0;
  /** What the name says of its value, once asked. */
  strength: Strength | typeof UNKNOWN = UNKNOWN;

  from = 0;
  to = 0;
  form: Form = QUOTED;
  /** The byte that ends the value, 0 at the end of the text. */
  closer = 0;
  /** The value is longer than the evidence that is weighed. */
  open = false;
  /** The text ends in the value: `from` to `to` is what it shows so far. */
  partial = false;

  /** Bytes of an identifier, known from a name that was too long. */
  runFrom = 0;
  runTo = 0;
  /** Bytes that do not end a value with this closer. */
  insideFrom = 0;
  insideTo = 0;
  insideCloser = UNKNOWN;

  /** Forgets the first bytes of the text: all positions move. */
  drop(bytes: number): void {
    this.wordFrom -= bytes;
    if (this.nameFrom !== UNKNOWN) this.nameFrom = Math.max(0, this.nameFrom - bytes);
    this.nameTo -= bytes;
    this.from -= bytes;
    this.to -= bytes;
    this.runFrom -= bytes;
    this.runTo -= bytes;
    this.insideFrom -= bytes;
    this.insideTo -= bytes;
    this.askedAt = UNKNOWN;
  }

  /** What names said that were asked before: a text names the same things again and again. */
  #strengths: Map<string, Strength> | null = null;

  strengthOf(name: string): Strength {
    this.#strengths ??= new Map();
    let strength = this.#strengths.get(name);
    if (strength === undefined) {
      strength = strengthOf(name);
      if (this.#strengths.size === MOST_NAMES) this.#strengths.clear();
      this.#strengths.set(name, strength);
    }
    return strength;
  }
}
