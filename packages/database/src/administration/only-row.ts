/** The row of a statement that always returns one. */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a statement that returns one row returned none');
  return row;
}
