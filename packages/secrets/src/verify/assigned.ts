import { type Strength, strengthOf } from './name.ts';

/** How a value was written down. */
export const QUOTED = 0;
export const BARE = 1;
export const ARGUMENT = 2;
export const ELEMENT = 3;
/** Only a word or a blank is between the name and the value, as in a sentence. */
export const LOOSE = 4;
export type Form = typeof QUOTED | typeof BARE | typeof ARGUMENT | typeof ELEMENT | typeof LOOSE;

/** Names that are remembered, at most. */
const MOST_NAMES = 128;

/** Empty. */
export const UNKNOWN = -1;

/**
 * The bytes read around the last name. They are cached because a name contains several keywords, a text that arrives in pieces is
 * checked repeatedly, and values overlap: each byte is then read a bounded number of times.
 */
export class Assigned {
  /** The first keyword found in the name. */
  wordFrom = 0;
  nameFrom = UNKNOWN;
  nameTo = 0;
  /** The decision for every keyword from `wordFrom` to `nameTo`. */
  verdict = UNKNOWN;
  /** The value was weighed, and does not read as generated. */
  dismissed = false;
  /** The text ended before the decision: its end, and the position from which the decision applies. */
  askedAt = UNKNOWN;
  hold = 0;
  /** The name's result for its value, once computed. */
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

  /** The results for earlier names: a text repeats its names. */
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
