import { screen } from '@testing-library/react';

/** The rows of a table below its heading. Asking for each cell by its role takes a second in a large table. */
export const rowsOf = (name: string): readonly HTMLTableRowElement[] => [
  ...screen.getByRole('table', { name }).querySelectorAll<HTMLTableRowElement>('tbody tr'),
];

/** What the cells of a table show, row by row. */
export const cellsOf = (name: string): readonly (readonly string[])[] =>
  rowsOf(name).map((row) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent ?? ''));
