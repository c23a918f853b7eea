import { Checkbox } from '@mantine/core';
import { useState } from 'react';

/** Rows of a table that were selected, over all its pages. */
export interface Selection<Row> {
  readonly rows: readonly Row[];
  readonly has: (key: string) => boolean;
  readonly set: (rows: readonly Row[], selected: boolean) => void;
  readonly clear: () => void;
  readonly keyOf: (row: Row) => string;
  /** What a row is called. */
  readonly nameOf: (row: Row) => string;
}

/** Keeps the selection while other pages are read. */
export function useSelection<Row>(keyOf: (row: Row) => string, nameOf: (row: Row) => string): Selection<Row> {
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map());
  return {
    rows: [...selected.values()],
    has: (key) => selected.has(key),
    set: (rows, isMarked) => {
      const next = new Map(selected);
      for (const row of rows)
        if (isMarked) next.set(keyOf(row), row);
        else next.delete(keyOf(row));
      setSelected(next);
    },
    clear: () => setSelected(new Map()),
    keyOf,
    nameOf,
  };
}

/** Marks one row, or all that are shown. */
export function SelectionBox<Row>({
  selection,
  rows,
  label,
}: {
  selection: Selection<Row>;
  rows: readonly Row[];
  label: string;
}) {
  const selected = rows.filter((row) => selection.has(selection.keyOf(row))).length;
  return (
    <Checkbox
      size="xs"
      aria-label={label}
      checked={selected === rows.length}
      indeterminate={selected > 0 && selected < rows.length}
      onChange={(event) => selection.set(rows, event.currentTarget.checked)}
    />
  );
}
