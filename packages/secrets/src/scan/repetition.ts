/** Repetitions of a longer period are not looked for. */
const LONGEST_PERIOD = 64;
/** No check reads farther back from its keyword, or farther on, than so many bytes. */
const BACK = 176;
const AHEAD = 640;
const NEVER = -1_000_000;
/** Places that are remembered of each keyword: it may stand in a period more than once. */
const PLACES = 4;

/**
 * Remembers where keywords led nowhere. What a check says depends on the bytes around its keyword alone: where a text
 * repeats itself, the answer is the one given a period earlier. A body made of one trigger is then read almost as fast as
 * any other (issue: adversarial repeats). Each byte is compared once for each period.
 */
export class Repetition {
  /** The bytes after each keyword, where it last led nowhere, the last one first. */
  readonly #nowhere: Int32Array;
  /** For each period, the bytes that are known to equal those a period before. */
  readonly #from = new Int32Array(LONGEST_PERIOD + 1);
  readonly #to = new Int32Array(LONGEST_PERIOD + 1).fill(NEVER);

  constructor(keywords: number) {
    this.#nowhere = new Int32Array(keywords * PLACES).fill(NEVER);
  }

  /** The keyword that ends before `at` leads nowhere. */
  note(keyword: number, at: number): void {
    const first = keyword * PLACES;
    this.#nowhere.copyWithin(first + 1, first, first + PLACES - 1);
    this.#nowhere[first] = at;
  }

  /** Whether the keyword that ends before `at` leads nowhere because the text repeats itself there. */
  leadsNowhere(keyword: number, at: number, bytes: Uint8Array, end: number): boolean {
    for (let place = 0; place < PLACES; place++) {
      const period = at - (this.#nowhere[keyword * PLACES + place] as number);
      if (period > LONGEST_PERIOD) return false;
      if (period > 0 && this.#repeats(period, at, bytes, end)) return true;
    }
    return false;
  }

  #repeats(period: number, at: number, bytes: Uint8Array, end: number): boolean {
    const from = at - BACK;
    const until = at + AHEAD;
    if (from < period || until > end) return false;
    let to = this.#to[period] as number;
    if (from > to || from < (this.#from[period] as number)) {
      this.#from[period] = from;
      to = from;
    }
    while (to < until && bytes[to] === bytes[to - period]) to++;
    this.#to[period] = to;
    return to >= until;
  }
}
