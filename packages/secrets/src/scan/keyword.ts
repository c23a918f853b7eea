import { type Charset, union } from '../text/charset.ts';
import type { RuleCard } from '../verify/rule.ts';
import type { StartOf } from '../verify/token.ts';
import type { Verdict, View } from '../verify/view.ts';

/** What is asked when a keyword was met, and the rule that answers. */
export interface Check {
  readonly rule: RuleCard;
  /** Bytes that can follow the keyword; null when any can. Spares the call where the very next byte decides. */
  readonly follows: Charset | null;
  readonly run: (view: View, from: number, to: number) => Verdict;
}

/** A keyword of the automaton with its checks, in the order they are asked. */
export interface Keyword {
  readonly text: string;
  readonly checks: readonly Check[];
  /** Bytes after which any of the checks can succeed; null when all can. */
  readonly follows: Charset | null;
  /** Set where the keyword is itself part of the secret: a stream must not let its beginning go. */
  readonly beginnings: readonly Beginning[];
  /** A secret may begin before the keyword: a form with something before its literal. */
  readonly behind: boolean;
}

/** A keyword, in exactly the letters it is written with. */
export interface Beginning {
  readonly text: string;
  /** Where the secret of this keyword begins; -1 when none can. */
  readonly startOf: StartOf;
}

/** What one rule adds to a keyword. */
export interface Part {
  readonly check: Check;
  readonly beginnings?: readonly Beginning[];
  readonly behind?: boolean;
}

/** A keyword that is compiled at its first occurrence: of a thousand, a short text has a few. */
export class LazyKeyword implements Keyword {
  readonly text: string;
  readonly #rules: (() => Part)[] = [];
  #compiled: Omit<Keyword, 'text'> | null = null;

  constructor(text: string) {
    this.text = text;
  }

  add(rule: () => Part): void {
    this.#rules.push(rule);
  }

  get checks(): Keyword['checks'] {
    return (this.#compiled ??= this.#compile()).checks;
  }

  get follows(): Keyword['follows'] {
    return (this.#compiled ??= this.#compile()).follows;
  }

  get beginnings(): Keyword['beginnings'] {
    return (this.#compiled ??= this.#compile()).beginnings;
  }

  get behind(): boolean {
    return (this.#compiled ??= this.#compile()).behind;
  }

  #compile(): Omit<Keyword, 'text'> {
    const parts = this.#rules.map((rule) => rule());
    const checks = parts.map(({ check }) => check);
    const follows = checks.map((check) => check.follows).filter((set) => set !== null);
    return {
      checks,
      follows: follows.length === checks.length ? union(...follows) : null,
      beginnings: parts.flatMap(({ beginnings = [] }) => beginnings),
      behind: parts.some(({ behind }) => behind === true),
    };
  }
}
