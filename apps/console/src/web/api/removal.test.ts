import { expect, it } from 'vitest';
import { withoutRow } from './change.tsx';

const rows = [{ id: 'a' }, { id: 'b', parts: [{ id: 'a' }] }];

it.each([
  [
    'a page of a list',
    { page: { plans: rows, next: null }, counted: 1 },
    { page: { plans: rows.slice(1), next: null }, counted: 1 },
  ],
  ['a whole list', rows, rows.slice(1)],
  ['an answer', { users: rows }, { users: rows.slice(1) }],
])('takes the row out of %s', (_what, data, left) => {
  expect(withoutRow(data, 'a')).toEqual(left);
});
it.each([[{ page: { plans: rows } }], [rows], [null], [undefined], ['a'], [{ id: 'a' }]])(
  'returns what has no such row as it is: %j',
  (data) => {
    expect(withoutRow(data, 'c')).toBe(data);
  },
);
