import { stem } from './stem.ts';
import { GROUPS } from './synonym-groups.ts';

const SYNONYMS: ReadonlyMap<string, readonly string[]> = (() => {
  const all = new Map<string, Set<string>>();
  for (const line of GROUPS.trim().split('\n')) {
    const group = line.split(' ').map(stem);
    for (const term of group) {
      const others = all.get(term) ?? new Set<string>();
      for (const other of group) if (other !== term) others.add(other);
      all.set(term, others);
    }
  }
  return new Map([...all].map(([term, others]) => [term, [...others]]));
})();

/** Synonyms of a term, as stems. */
export function synonymsOf(term: string): readonly string[] {
  return SYNONYMS.get(term) ?? [];
}
