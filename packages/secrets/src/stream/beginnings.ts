import type { Beginning, Catalogue } from '../scan/catalogue.ts';
import type { View } from '../verify/view.ts';

/** The first letters of keywords that are themselves part of a secret. */
interface Part {
  readonly length: number;
  readonly of: readonly Beginning[];
}

export interface Beginnings {
  /** Where, at the end of the text, a secret may have begun whose keyword is not complete; the end when none has. */
  startsAt(view: View, state: number): number;
}

const CACHE = new WeakMap<Catalogue, Map<number, readonly Part[]>>();

/** Reads from the automaton's state which keywords the end of the text may be the beginning of. */
export function createBeginnings(catalogue: Catalogue): Beginnings {
  const known = CACHE.get(catalogue) ?? new Map<number, readonly Part[]>();
  CACHE.set(catalogue, known);

  function ofState(state: number): readonly Part[] {
    const cached = known.get(state);
    if (cached !== undefined) return cached;
    const parts: Part[] = [];
    const { automaton, keywords } = catalogue;
    for (let node = state; node !== 0; node = automaton.failOf(node)) {
      const { length, keywords: through } = automaton.prefixOf(node);
      const of = through.flatMap((index) => keywords[index]?.beginnings ?? []);
      if (of.length > 0) parts.push({ length, of });
    }
    known.set(state, parts);
    return parts;
  }

  return {
    startsAt(view, state) {
      let earliest = view.end;
      for (const { length, of } of ofState(state)) {
        const from = view.end - length;
        if (from < 0) continue;
        for (const beginning of of) {
          if (!view.spells(beginning.text.slice(0, length), from)) continue;
          const start = beginning.startOf(view, from);
          if (start >= 0 && start < earliest) earliest = start;
        }
      }
      return earliest;
    },
  };
}
