import type { Catalogue } from '../scan/catalogue.ts';
import type { Beginning } from '../scan/keyword.ts';
import type { View } from '../verify/view.ts';

/** The first letters of keywords that are themselves part of a secret, in one way of writing them. */
interface Spelling {
  readonly letters: string;
  readonly starts: ReadonlySet<Beginning['startOf']>;
}

/** The spellings of one length that a state of the automaton may represent. */
interface Part {
  readonly length: number;
  readonly spellings: readonly Spelling[];
}

export interface Beginnings {
  /**
   * Where a secret may have begun whose keyword is not complete at `end`; `end` for none.
   * @param state of the automaton at `end`.
   */
  startsAt(view: View, state: number, end: number): number;
}

/**
 * So many small letters are a word in most texts (`packa…`, `githu…`), and the same for every secret of the form: they
 * may leave.
 */
const WORD = /^[a-z]{5,}$/;

const CACHE = new WeakMap<Catalogue, Beginnings>();

/** Reads from the automaton's state which keywords the end of the text may be the beginning of. One serves all texts. */
export function beginningsOf(catalogue: Catalogue): Beginnings {
  const beginnings = CACHE.get(catalogue) ?? createBeginnings(catalogue);
  CACHE.set(catalogue, beginnings);
  return beginnings;
}

function createBeginnings(catalogue: Catalogue): Beginnings {
  const known = new Map<number, readonly Part[]>();

  function ofState(state: number): readonly Part[] {
    const cached = known.get(state);
    if (cached !== undefined) return cached;
    const parts: Part[] = [];
    const { automaton, keywords } = catalogue;
    for (let node = state; node !== 0; node = automaton.failOf(node)) {
      const { length, keywords: through } = automaton.prefixOf(node);
      const of = through
        .flatMap((index) => keywords[index]?.beginnings ?? [])
        .filter(({ text }) => !WORD.test(text.slice(0, length)));
      const bySpelling = Map.groupBy(of, ({ text }) => text.slice(0, length));
      // Keywords with the same beginning mostly check the same bytes before them: they are checked once.
      const spellings = [...bySpelling].map(([letters, all]) => ({
        letters,
        starts: new Set(all.map(({ startOf }) => startOf)),
      }));
      if (of.length > 0) parts.push({ length, spellings });
    }
    known.set(state, parts);
    return parts;
  }

  return {
    startsAt(view, state, end) {
      let earliest = end;
      for (const { length, spellings } of ofState(state)) {
        const from = end - length;
        if (from < 0) continue;
        for (const { letters, starts } of spellings) {
          if (!view.spells(letters, from)) continue;
          for (const startOf of starts) {
            const start = startOf(view, from);
            if (start >= 0 && start < earliest) earliest = start;
          }
        }
      }
      return earliest;
    },
  };
}
