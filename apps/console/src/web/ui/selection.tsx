import { Checkbox } from '@mantine/core';
import { useState } from 'react';

/** Rows of a table that were marked, over all its pages. */
export interface Selection<Row> {
  readonly rows: readonly Row[];
  readonly has: (key: string) => boolean;
  readonly set: (rows: readonly Row[], marked: boolean) => void;
  readonly clear: () => void;
  readonly keyOf: (row: Row) => string;
  /** What a row is called. */
  readonly nameOf: (row: Row) => string;
}

/** Keeps the selection while other pages are read. */
export function useSelection<Row>(keyOf: (row: Row) => string, nameOf: (row: Row) => string): Selection<Row> {
  const [marked, setMarked] = useState<ReadonlyMap<string, Row>>(new Map());
  return {
    rows: [...marked.values()],
    has: (key) => marked.has(key),
    set: (rows, isMarked) => {
      const next = new Map(marked);
      for (const row of rows)
        if (isMarked) next.set(keyOf(row), row);
        else next.delete(keyOf(row));
      setMarked(next);
    },
    clear: () => setMarked(new Map()),
    keyOf,
    nameOf,
  };
}

/** Marks one row, or all that are shown. */
export function Mark<Row>({
  selection,
  rows,
  label,
}: {
  selection: Selection<Row>;
  rows: readonly Row[];
  label: string;
}) {
  const marked = rows.filter((row) => selection.has(selection.keyOf(row))).length;
  return (
    <Checkbox
      size="xs"
      aria-label={label}
      checked={marked === rows.length}
      indeterminate={marked > 0 && marked < rows.length}
      onChange={(event) => selection.set(rows, event.currentTarget.checked)}
    />
  );
}
