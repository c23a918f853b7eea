/** How the rows are sorted by a column now; null where they are not. */
export function sortBy(
  column: string,
  sort: string | null,
  usual: string | undefined,
): 'ascending' | 'descending' | null {
  const now = sort ?? usual;
  if (now === column) return 'ascending';
  return now === `-${column}` ? 'descending' : null;
}

/**
 * What a press on the column's heading asks for: the other way round where it goes by it now; else numbers the greatest first, and
 * the rest from its beginning. Null is the list's own order, which needs no word in the address.
 */
export function nextSort(
  column: string,
  sort: string | null,
  usual: string | undefined,
  isNumber: boolean,
): string | null {
  const now = sortBy(column, sort, usual);
  const isDown = now === null ? isNumber : now === 'ascending';
  const next = isDown ? `-${column}` : column;
  return next === usual ? null : next;
}
