import type { NamedRule } from '../verify/rule.ts';

/** One line a member, so that a table of rules stays short. */
export function named(
  id: string,
  title: string,
  kind: NamedRule['kind'],
  source: string,
  words: readonly string[],
  values: readonly string[],
): NamedRule {
  return { id, title, kind, source, words, values };
}
