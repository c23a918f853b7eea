/** Repetitions of a longer period are not looked for. */
const LONGEST_PERIOD = 256;
/** No check reads farther back from the end of its keyword, or farther on, than so many bytes. */
export const BACK = 208;
export const AHEAD = 640;
/** Bytes that must equal those a period earlier before more are compared. */
const SHOWN = 24;
/** Keywords between two looks for a period: in ordinary text there is none, and looking shall cost next to nothing. */
const BETWEEN_LOOKS = 64;
const NEVER = -1_000_000;

/**
 * Detects where a text only repeats rejected keywords. A check depends only on the bytes around its keyword: if a text repeats
 * itself, and all keywords of a period were rejected, all later ones are too. They are skipped, so that a body made of one
 * trigger is read as fast as any other.
 */
export class Repetition {
  /** Keywords that end at or before this byte are rejected. */
  quietUntil = NEVER;
  #period = 0;
  /** Bytes before this one are known to equal those a period earlier. */
  #repeatsUntil = NEVER;
  /** The last keyword that was not rejected, or not checked. */
  #somewhere = NEVER;
  #looksIn = BETWEEN_LOOKS;

  /** The keyword that ends before `at` was checked, and was not rejected: it made a finding, or is part of one. */
  accepted(at: number): void {
    this.#somewhere = at;
  }

  /** The keyword that ends before `at` was checked and rejected. Now and then checks whether the text repeats itself. */
  rejected(at: number, bytes: Uint8Array, end: number): void {
    if (--this.#looksIn > 0) return;
    this.#looksIn = BETWEEN_LOOKS;
    this.#period = this.#periodAt(at, bytes);
    if (this.#period === 0) return;
    this.#repeatsUntil = at;
    this.extend(bytes, end);
  }

  /** There is more text, up to `end`: it may continue the repetition. */
  extend(bytes: Uint8Array, end: number): void {
    if (this.#period === 0) return;
    let at = this.#repeatsUntil;
    while (at < end && bytes[at] === bytes[at - this.#period]) at++;
    this.#repeatsUntil = at;
    this.quietUntil = Math.max(this.quietUntil, at - AHEAD);
    if (at < end) this.#period = 0;
  }

  /** The period of all bytes that the last period's keywords before `at` can have read; 0 for none. */
  #periodAt(at: number, bytes: Uint8Array): number {
    const longest = Math.min(LONGEST_PERIOD, at - BACK - LONGEST_PERIOD, at - this.#somewhere - 1);
    for (let period = 1; period <= longest; period++) {
      if (repeats(bytes, at - SHOWN, at, period) && repeats(bytes, at - BACK, at - SHOWN, period)) return period;
    }
    return 0;
  }
}

function repeats(bytes: Uint8Array, from: number, to: number, period: number): boolean {
  for (let at = to - 1; at >= from; at--) if (bytes[at] !== bytes[at - period]) return false;
  return true;
}
