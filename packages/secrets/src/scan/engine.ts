import { swallowPem, swallowXml } from '../verify/pem.ts';
import type { RuleCard } from '../verify/rule.ts';
import { FOUND, MORE, NO, type Tail, View } from '../verify/view.ts';
import { OUTPUT_CELL } from './automaton.ts';
import type { Catalogue } from './catalogue.ts';
import type { Keyword } from './keyword.ts';

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

/** A range of the decoded text that a rule claims: bytes `from` to `to`. */
export interface Match {
  readonly rule: RuleCard;
  from: number;
  /** End of what was weighed when the match was decided. */
  committed: number;
  /** End of the known part; advances while the rest of a long value is being read. */
  to: number;
  closed: boolean;
}

/** Most texts have no hit, or few: room is made at the first, so little that it takes no memory outside of V8's heap. */
const NO_HITS = new Int32Array(0);
const FIRST_HITS = 16;

/**
 * Turns keyword hits into matches, strictly in the order of the hits, so that every division of a text gives the same matches:
 * the first undecided hit delays all later ones.
 */
export class Engine {
  readonly view = new View();
  readonly matches: Match[] = [];
  readonly #catalogue: Catalogue;
  readonly #repetition: Repetition | null;
  /** Undecided hits: pairs of the byte after the keyword and the keyword's index. */
  #hits: Int32Array;
  #count = 0;
  #head = 0;
  #check = 0;
  /** A check found a value inside another match: that says nothing about the same bytes elsewhere. */
  #covered = false;
  #tail: Tail | null = null;
  /** Everything before this byte is decided. */
  #settled = 0;

  /**
   * @param whole the text is complete, or will be before the result is used: keywords wait until all bytes that their checks may
   * read have arrived. In a text that arrives in pieces they are checked immediately.
   * @param room reusable memory for hits, if available. Its content is not read.
   */
  constructor(catalogue: Catalogue, whole: boolean, room: Int32Array = NO_HITS) {
    this.#catalogue = catalogue;
    this.#hits = room;
    this.#repetition = whole ? new Repetition() : null;
  }

  /** Notes the keywords that end before byte `at` in an accepting state, except where the next byte rules them out. */
  hit(at: number, state: number): void {
    if (this.#repetition !== null && at <= this.#repetition.quietUntil) return;
    const { automaton, keywords } = this.#catalogue;
    const ended = automaton.outputsOf(automaton.next[state + OUTPUT_CELL] as number);
    const following = at < this.view.end ? (this.view.bytes[at] as number) : -1;
    while (this.#count + 2 * ended.length > this.#hits.length) this.#makeRoom();
    for (let index = 0; index < ended.length; index++) {
      const keyword = ended[index] as number;
      const { follows } = keywords[keyword] as Keyword;
      if (following >= 0 && follows !== null && follows[following] === 0) continue;
      this.#hits[this.#count++] = at;
      this.#hits[this.#count++] = keyword;
    }
  }

  #makeRoom(): void {
    const wider = new Int32Array(Math.max(FIRST_HITS, this.#hits.length * 4));
    wider.set(this.#hits.subarray(0, this.#count));
    this.#hits = wider;
  }

  get idle(): boolean {
    return this.#count === 0 && this.#tail === null;
  }

  /** Decides what the text seen so far allows. Returns the byte from which text may still become part of a match. */
  settle(): number {
    const { view } = this;
    if (this.#tail !== null && !this.#swallow()) return this.#passOver();
    while (this.#head < this.#count) {
      const to = this.#hits[this.#head] as number;
      const word = this.#hits[this.#head + 1] as number;
      if (this.#repetition !== null) {
        if (!view.final && to + AHEAD > view.end) return this.#keepWaiting();
        if (to <= this.#repetition.quietUntil) {
          this.#head += 2;
          continue;
        }
      }
      const keyword = this.#catalogue.keywords[word] as Keyword;
      const from = to - keyword.text.length;
      const verdict = from < this.#settled ? undefined : this.#ask(keyword.checks, from, to);
      if (verdict === MORE) return this.#earliest(view.hold);
      this.#head += 2;
      this.#check = 0;
      const nowhere = verdict === undefined && from >= this.#settled && !this.#covered;
      if (nowhere) this.#repetition?.rejected(to, view.bytes, view.end);
      else this.#repetition?.accepted(to);
      this.#covered = false;
      if (verdict === FOUND && this.#tail !== null && !this.#swallow()) return this.#passOver();
    }
    this.#count = 0;
    this.#head = 0;
    return view.end;
  }

  /**
   * Drops the keywords in a value that is being read, which may be endless: storing them until its end, and checking them with
   * every letter, would take quadratic time.
   */
  #passOver(): number {
    for (; this.#head < this.#count; this.#head += 2) {
      const to = this.#hits[this.#head] as number;
      const keyword = this.#catalogue.keywords[this.#hits[this.#head + 1] as number] as Keyword;
      if (to - keyword.text.length >= this.#settled) break;
      this.#repetition?.accepted(to);
    }
    return this.#keepWaiting();
  }

  /** More of a whole text has arrived: where it continues a repetition, no keyword need be noted. */
  extend(): void {
    this.#repetition?.extend(this.view.bytes, this.view.end);
  }

  #keepWaiting(): number {
    this.#hits.copyWithin(0, this.#head, this.#count);
    this.#count -= this.#head;
    this.#head = 0;
    return this.#settled;
  }

  #ask(checks: Keyword['checks'], from: number, to: number): typeof MORE | typeof FOUND | undefined {
    const { view } = this;
    for (; this.#check < checks.length; this.#check++) {
      const check = checks[this.#check] as (typeof checks)[number];
      if (check.follows !== null && to < view.end && check.follows[view.bytes[to] as number] === 0) continue;
      const verdict = check.run(view, from, to);
      if (verdict === MORE) return MORE;
      if (verdict === FOUND && view.from < this.#settled) this.#covered = true;
      if (verdict !== FOUND || view.from < this.#settled) continue;
      const sure = check.rule.confidence === 'high' && check.rule.yields !== true;
      return sure ? this.#record(check.rule) : this.#preferOwnForm(check.rule);
    }
    return undefined;
  }

  /**
   * A name, or a command, announced a value: if the value has a form of its own, or a standard context (a connection string), that form's rule
   * takes precedence. All keywords up to the value's end are known by now, so the result does not depend on the division of the
   * text.
   */
  #preferOwnForm(rule: RuleCard): typeof MORE | typeof FOUND {
    const { view } = this;
    const { from, to, tail } = view;
    for (let index = this.#head + 2; index < this.#count; index += 2) {
      const keyword = this.#catalogue.keywords[this.#hits[index + 1] as number] as Keyword;
      const inside = this.#hits[index] as number;
      if (inside > to) break;
      for (const check of keyword.checks) {
        if (check.rule.confidence !== 'high') continue;
        const verdict = check.run(view, inside - keyword.text.length, inside);
        if (verdict === MORE) {
          view.hold = Math.min(view.hold, from);
          return MORE;
        }
        if (verdict === FOUND && view.from >= from && view.from < to) return this.#record(check.rule);
      }
    }
    view.found(from, to, tail);
    return this.#record(rule);
  }

  #record(rule: RuleCard): typeof FOUND {
    const { view } = this;
    const { from, to } = view;
    this.matches.push({ rule, from, committed: to, to, closed: view.tail === null });
    this.#settled = to;
    this.#tail = view.tail;
    return FOUND;
  }

  /** First byte that a check may still be asked about. */
  needed(): number {
    let needed = this.#tail === null ? this.view.end : this.#settled;
    for (let index = this.#head; index < this.#count; index += 2) {
      const keyword = this.#catalogue.keywords[this.#hits[index + 1] as number] as Keyword;
      needed = Math.min(needed, (this.#hits[index] as number) - keyword.text.length);
    }
    return needed;
  }

  /** Forgets the first bytes of the text: every position moves. Nothing before them may be waiting. */
  drop(bytes: number): void {
    this.view.drop(bytes);
    this.#settled -= bytes;
    for (let index = this.#head; index < this.#count; index += 2)
      this.#hits[index] = (this.#hits[index] as number) - bytes;
    for (const match of this.matches) {
      match.from -= bytes;
      match.committed -= bytes;
      match.to -= bytes;
    }
  }

  /** Follows the rest of a long value; false when the text ended inside it. */
  #swallow(): boolean {
    const { view } = this;
    const match = this.matches.at(-1) as Match;
    const tail = this.#tail as Tail;
    const done = swallow(view, tail, match.to);
    match.to = view.to;
    this.#settled = view.to;
    if (!done) return false;
    match.closed = true;
    this.#tail = null;
    return true;
  }

  /**
   * Where the first secret could begin, when the first hit blocks from `hold` on: later hits whose secret could begin earlier are
   * checked, too. One that is rejected is dropped, since it stays rejected. The others wait for their turn: checking each after
   * every letter would cost a hundred times as much.
   */
  #earliest(hold: number): number {
    const { view } = this;
    let earliest = hold;
    let kept = this.#head + 2;
    for (let index = kept; index < this.#count; index += 2) {
      const to = this.#hits[index] as number;
      const word = this.#hits[index + 1] as number;
      const { checks, text, behind } = this.#catalogue.keywords[word] as Keyword;
      let waits = !behind && to - text.length >= hold;
      if (waits) {
        this.#hits[kept++] = to;
        this.#hits[kept++] = word;
        continue;
      }
      for (const check of checks) {
        if (check.follows !== null && to < view.end && check.follows[view.bytes[to] as number] === 0) continue;
        const verdict = check.run(view, to - text.length, to);
        if (verdict === NO) continue;
        waits = true;
        earliest = Math.min(earliest, verdict === MORE ? view.hold : view.from);
      }
      if (!waits) continue;
      this.#hits[kept++] = to;
      this.#hits[kept++] = word;
    }
    this.#count = kept;
    return earliest;
  }
}

function swallow(view: View, tail: Tail, from: number): boolean {
  if (tail.type === 'run') return swallowRun(view, tail, from);
  return tail.type === 'pem' ? swallowPem(view, from) : swallowXml(view, from);
}

function swallowRun(view: View, tail: Extract<Tail, { type: 'run' }>, from: number): boolean {
  let at = from;
  while (true) {
    at = view.runEnd(tail.set, at, Number.MAX_SAFE_INTEGER);
    view.to = at;
    if (view.waits(at)) return false;
    if (tail.joiners === null || tail.joiners[view.at(at)] !== 1) return true;
    if (view.waits(at + 1)) return false;
    if (tail.set[view.at(at + 1)] !== 1) return true;
    at++;
  }
}
