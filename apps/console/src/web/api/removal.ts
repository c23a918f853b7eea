import type { QueryClient } from '@tanstack/react-query';

const isObject = (data: unknown): data is object => typeof data === 'object' && data !== null;

/** What was read, without the row of this id; the same object if it has no such row. */
export function withoutRow(data: unknown, id: string): unknown {
  if (Array.isArray(data)) {
    const kept = data.filter((row) => !(isObject(row) && 'id' in row && row.id === id));
    return kept.length === data.length ? data : kept;
  }
  if (!isObject(data)) return data;
  const members = Object.entries(data).map(([name, member]) => {
    // A page of a list, or its rows. Members of rows are not searched.
    const isSearched = Array.isArray(member) || name === 'page';
    return [name, isSearched ? withoutRow(member, id) : member, member] as const;
  });
  return members.some(([, now, before]) => now !== before)
    ? Object.fromEntries(members.map(([name, now]) => [name, now]))
    : data;
}

/** Removes the row of a deleted object from every list that was read: reloading them takes longer than the deletion. */
export function removeFromLists(queries: QueryClient, path: string): void {
  const id = path.split('/').at(-1) ?? '';
  queries.setQueriesData({}, (data: unknown) => withoutRow(data, id));
}
