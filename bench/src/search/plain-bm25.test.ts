import { describe, expect, it } from 'vitest';
import { plainBm25 } from './plain-bm25.ts';

const TEXTS = [
  'the gateway starts with a licence',
  'the console starts with a browser',
  'the gateway and the console and the licence of the gateway',
  'Über Zürich',
];
const search = plainBm25(TEXTS);
const order = (question: string, most = 5): number[] => search(question, most).map(({ document }) => document);

describe('plain BM25', () => {
  it('finds the texts with the words, and no others', () => {
    expect(order('browser')).toEqual([1]);
    expect(order('nothing')).toEqual([]);
    expect(order('')).toEqual([]);
  });

  it('has a text with a rare word before one with a frequent word', () => {
    expect(order('the browser')[0]).toBe(1);
    const [rare, frequent] = [search('browser', 1), search('starts', 1)].map(([first]) => first?.score ?? 0);
    expect(rare).toBeGreaterThan(frequent ?? Number.NaN);
  });

  it('has a text with more of the words before one with fewer', () => {
    expect(order('gateway licence starts')[0]).toBe(0);
  });

  it('has a short text before a long one that says the same', () => {
    const long = plainBm25(['licence', `licence ${'padding '.repeat(30)}`, 'other words']);
    expect(long('licence', 2).map(({ document }) => document)).toEqual([0, 1]);
  });

  it('counts a repeated word more in a text, with less for each repetition, and once in a question', () => {
    const repeated = plainBm25(['licence a b c', 'licence licence b c', 'licence licence licence c', 'd e f g']);
    const scores = [2, 1, 0].map(
      (document) => repeated('licence', 4).find((found) => found.document === document)?.score ?? Number.NaN,
    );
    const [three = 0, two = 0, one = 0] = scores;
    expect(three - two).toBeGreaterThan(0);
    expect(two - one).toBeGreaterThan(three - two);
    expect(repeated('licence licence', 4)).toEqual(repeated('licence', 4));
  });

  it('knows no case, and letters of any script', () => {
    expect(order('GATEWAY?')).toEqual(order('gateway'));
    expect(order('zürich')).toEqual([3]);
  });

  it('hands back no more than was asked for, the best ones', () => {
    expect(order('the gateway', 1)).toEqual([2]);
    expect(order('the', 2)).toHaveLength(2);
  });

  it('finds nothing in nothing', () => {
    expect(plainBm25([])('gateway', 5)).toEqual([]);
  });
});
