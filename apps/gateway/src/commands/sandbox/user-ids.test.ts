import { expect, it } from 'vitest';
import { formatIds, userIdsOf } from './host.ts';

const HOST = '         0          0 4294967295\n';
const CONTAINER = '         0     100000      65536\n';

it.each([
  ['all that are mapped', HOST, { first: 60_999, count: 185 }],
  ['all in a container with 65,536 ids', CONTAINER, { first: 60_999, count: 185 }],
  ['as many as a container has', '0 100000 61000\n', { first: 60_999, count: 1 }],
  ['one where none is mapped, so that the start reports the cause', '0 1000 1\n', { first: 60_999, count: 1 }],
  ['one where nothing is known', '', { first: 60_999, count: 1 }],
])('are %s', (_, map, expected) => {
  expect(userIdsOf(60_999, 185, map)).toEqual(expected);
});

it('are announced', () => {
  expect(formatIds({ first: 5, count: 1 })).toBe('user id 5, which all of them share');
  expect(formatIds({ first: 5, count: 3 })).toBe('user ids 5 to 7, one for each subject');
});
