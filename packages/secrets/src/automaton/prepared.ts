import { type Automaton, automatonOf, buildAutomaton, isPackedFor } from './automaton.ts';

let read: (() => Int32Array | null) | null = null;

/**
 * Where the automaton of all rules was built before, as `loadAutomaton` gives it: a program that runs for a second would spend a tenth
 * of it building. One of other rules, or none, is built again.
 */
export function usePreparedAutomaton(reader: () => Int32Array | null): void {
  read = reader;
}

export function automatonFor(keywords: readonly string[]): Automaton {
  const packed = read?.() ?? null;
  return packed !== null && isPackedFor(packed, keywords) ? automatonOf(packed, keywords) : buildAutomaton(keywords);
}
