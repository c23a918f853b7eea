import { describe, expect, it } from 'vitest';
import { nextSort, sortBy } from './data-table.tsx';

describe('a column', () => {
  it.each([
    ['username', null, 'username', 'ascending'],
    ['at', null, '-at', 'descending'],
    ['plan', null, 'username', null],
    ['plan', '-plan', 'username', 'descending'],
    ['username', '-plan', 'username', null],
    ['plan', 'plan', undefined, 'ascending'],
    ['plan', null, undefined, null],
  ])('%s is, of the order %s and usually %s, %s', (column, sort, usual, direction) => {
    expect(sortBy(column, sort, usual)).toBe(direction);
  });
  it.each([
    ['begins with its least value', 'plan', null, false, 'plan'],
    ['of numbers begins with the greatest', 'spent', null, true, '-spent'],
    ['is turned round', 'plan', 'plan', false, '-plan'],
    ['of numbers is turned round', 'spent', '-spent', true, 'spent'],
    ['that the list goes by is turned round', 'username', null, false, '-username'],
    ['goes back to the order of the list', 'username', '-username', false, null],
  ])('%s', (_, column, sort, isNumber, next) => {
    expect(nextSort(column, sort, 'username', isNumber)).toBe(next);
  });
});
