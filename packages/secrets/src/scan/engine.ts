import type { RuleCard } from '../rules/rule.ts';
import { swallowPem } from '../verify/pem.ts';
import { FOUND, MORE, type Tail, View } from '../verify/view.ts';
import type { Catalogue } from './catalogue.ts';

/** A place in the decoded text that a rule claims: bytes `from` to `to`. */
export interface Match {
  readonly rule: RuleCard;
  readonly from: number;
  /** End of what is known; moves on while the rest of a long value is being swallowed. */
  to: number;
  closed: boolean;
}

/**
 * Turns keyword hits into matches, strictly in the order of the hits, so that a text gives the same matches however it
 * arrives: the first hit that cannot be decided yet makes all later ones wait.
 */
export class Engine {
  readonly view = new View();
  readonly matches: Match[] = [];
  readonly #catalogue: Catalogue;
  /** Hits not decided yet: pairs of the byte after the keyword and the keyword's index. */
  readonly #hits: number[] = [];
  #head = 0;
  #check = 0;
  #tail: Tail | null = null;
  /** Everything before this byte is decided. */
  #settled = 0;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Notes the keywords that end before byte `at` in an accepting state. */
  hit(at: number, state: number): void {
    const outputs = this.#catalogue.automaton.outputsOf(state);
    for (const keyword of outputs) this.#hits.push(at, keyword);
  }

  get idle(): boolean {
    return this.#hits.length === 0 && this.#tail === null;
  }

  /** Decides what the text seen so far allows. Returns the byte from which text may still become part of a match. */
  settle(): number {
    const { view } = this;
    if (this.#tail !== null && !this.#swallow()) return this.#settled;
    while (this.#head < this.#hits.length) {
      const to = this.#hits[this.#head] as number;
      const keyword = this.#catalogue.keywords[this.#hits[this.#head + 1] as number] as Catalogue['keywords'][number];
      const from = to - keyword.text.length;
      const verdict = from < this.#settled ? undefined : this.#ask(keyword.checks, from, to);
      if (verdict === MORE) return Math.min(view.hold, this.#earliestWaiting());
      this.#head += 2;
      this.#check = 0;
      if (verdict === FOUND && this.#tail !== null && !this.#swallow()) return this.#settled;
    }
    this.#hits.length = 0;
    this.#head = 0;
    return view.end;
  }

  #ask(
    checks: Catalogue['keywords'][number]['checks'],
    from: number,
    to: number,
  ): typeof MORE | typeof FOUND | undefined {
    const { view } = this;
    for (; this.#check < checks.length; this.#check++) {
      const check = checks[this.#check] as (typeof checks)[number];
      const verdict = check.run(view, from, to);
      if (verdict === MORE) return MORE;
      if (verdict !== FOUND || view.from < this.#settled) continue;
      this.matches.push({ rule: check.rule, from: view.from, to: view.to, closed: view.tail === null });
      this.#settled = view.to;
      this.#tail = view.tail;
      return FOUND;
    }
    return undefined;
  }

  /** Follows the rest of a long value; false when the text ended inside it. */
  #swallow(): boolean {
    const { view } = this;
    const match = this.matches.at(-1) as Match;
    const tail = this.#tail as Tail;
    const done = tail.type === 'pem' ? swallowPem(view, match.to) : swallowRun(view, tail, match.to);
    match.to = view.to;
    this.#settled = view.to;
    if (!done) return false;
    match.closed = true;
    this.#tail = null;
    return true;
  }

  /** Where a secret could begin behind the hit that waits. */
  #earliestWaiting(): number {
    let earliest = Number.MAX_SAFE_INTEGER;
    for (let index = this.#head + 2; index < this.#hits.length; index += 2) {
      const to = this.#hits[index] as number;
      const keyword = this.#catalogue.keywords[this.#hits[index + 1] as number] as Catalogue['keywords'][number];
      earliest = Math.min(earliest, keyword.beginnings.length > 0 ? to - keyword.text.length : to);
    }
    return earliest;
  }
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
