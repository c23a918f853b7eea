import { describe, expect, it } from 'vitest';
import { stem } from './fold.ts';
import { phrasesIn, synonymsOf } from './question.ts';
import { isPlainWord, isStopWord } from './synonym-groups.ts';

const phrases = (text: string): string[] => phrasesIn(text.split(' ').filter((word) => word !== ''));

describe('a turn of phrase', () => {
  it.each([
    ['how do i log in', ['login']],
    ['single sign on', ['sso']],
    ['can two run at the same time', ['parallel']],
    ['my request takes too long and times out', ['timeout']],
    ['turn off or turn on', ['disable', 'enable']],
    ['set up my own', ['setup', 'custom']],
    ['turn the endpoint off', ['disable']],
    ['roll the last upgrade back', ['rollback']],
  ])('in %j means %j', (text, meanings) => {
    expect(phrases(text).sort()).toEqual(meanings.map(stem).sort());
  });

  it.each([
    'log',
    'login',
    'in log',
    'log it in',
    'turn the fourth endpoint of ours off',
    'sign',
    'at the same',
    '',
    'catalog in',
  ])('is not in %j', (text) => {
    expect(phrases(text)).toEqual([]);
  });

  it('is named once, however often it is written', () => {
    expect(phrases('log in then log on then sign in')).toEqual([stem('login')]);
  });

  it('is found at the end and the beginning of a long question', () => {
    expect(phrases(`log in ${'word '.repeat(1000)}time out`)).toEqual(['login', 'timeout'].map(stem));
  });
});

describe('synonyms', () => {
  it('are mutual, stems, and never the word itself', () => {
    for (const word of ['delete', 'limit', 'login', 'error', 'price']) {
      const term = stem(word);
      const others = synonymsOf(term);
      expect([word, others.length > 0]).toEqual([word, true]);
      for (const other of others) {
        expect(other).not.toBe(term);
        expect([other, synonymsOf(other).includes(term)]).toEqual([other, true]);
        expect(other.includes(' ')).toBe(false);
      }
    }
  });

  it('of an unknown word are none, also of a name of every object', () => {
    for (const word of ['zeppelin', '', 'constructor', '__proto__', 'toString']) expect(synonymsOf(word)).toEqual([]);
  });
});

describe('a stop word', () => {
  it.each(['the', 'of', 'and', 'is', 'how'])('is %s', (word) => {
    expect(isStopWord(word)).toBe(true);
  });

  it.each(['database', 'constructor', 'The', '', 'revoke', '__proto__'])('is not %j', (word) => {
    expect(isStopWord(word)).toBe(false);
  });

  it('is no plain word of a subject, and neither is a name', () => {
    for (const word of ['zeppelin', 'gateway', '', 'constructor']) expect(isPlainWord(word)).toBe(false);
  });
});
