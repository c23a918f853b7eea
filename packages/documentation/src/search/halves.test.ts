import { describe, expect, it } from 'vitest';
import { FILLER, indexOf } from '../testing/corpus.ts';
import { halvesOf } from './question.ts';

const index = indexOf({
  ...FILLER,
  Closing: 'A gateway should fail closed. The log/export is near, and the check-point is signed.',
  Apart: 'A turbine is here.\n\nA harbour is there.',
  'Rate limits': 'Nothing else.',
});
const split = (word: string, passages = 600) => halvesOf(index, word, { passages });

describe('a word that the corpus writes as two', () => {
  it.each([
    ['failclosed', ['fail', 'closed']],
    ['logexport', ['log', 'export']],
    ['checkpoint', ['check', 'point']],
    ['ratelimits', ['rate', 'limits']],
  ])('%s is split into %j', (word, halves) => {
    expect(split(word)).toEqual(halves);
  });

  it.each(['turbineharbour', 'closedfail', 'failzeppelin', 'thegateway', 'gateway', 'ab', '', 'failclosedly'])(
    '%j is not split: its halves are neighbours nowhere',
    (word) => {
      expect(split(word)).toBeNull();
    },
  );

  it('is not split by a pattern in its letters', () => {
    for (const word of ['fail.closed', 'fail(closed', 'fail[closed', 'fail\\closed', '.*.*'])
      expect(split(word)).toBeNull();
  });

  it('is looked for in no more passages than are left, and those are counted', () => {
    expect(split('failclosed', 0)).toBeNull();
    const budget = { passages: 10 };
    halvesOf(index, 'failclosed', budget);
    expect(budget.passages).toBe(9);
  });
});
