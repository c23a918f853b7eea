/** Finds the names that contain the query's letters in this order, the best first. */
export type FuzzySearch = (query: string, names: readonly string[], most: number) => string[];

/** Loads the search: with the first `@`. */
export async function loadFuzzySearch(): Promise<FuzzySearch> {
  const { default: fuzzysort } = await import('fuzzysort');
  return (query, names, most) => {
    if (query === '') return shortestFirst(names).slice(0, most);
    return fuzzysort.go(query, names, { limit: most, threshold: 0.2 }).map(({ target }) => target);
  };
}

/** Without a query: what is near the root. */
function shortestFirst(names: readonly string[]): string[] {
  const depth = (name: string): number => name.split('/').length;
  return names.toSorted((left, right) => depth(left) - depth(right) || left.localeCompare(right, 'en'));
}
