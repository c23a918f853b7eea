import { expect, it } from 'vitest';
import { accent, foreignWords, join, mistype, unspaced } from './variations.ts';

it('a slip is in one word, and another one for each number', () => {
  const typed = Array.from({ length: 5 }, (_, number) => mistype('how does a gateway start', number));
  expect(new Set(typed).size).toBe(5);
  for (const question of typed) {
    const changed = question.split(' ').filter((word) => !'how does a gateway start'.split(' ').includes(word));
    expect(changed).toHaveLength(1);
  }
  expect(mistype('how is it', 0)).toBe('how is it');
});

it('accents occur in plain words only', () => {
  expect(accent('see the gateway at /gateway/start.html, set GATEWAY_DIR')).toBe(
    'see the gátewáy at /gateway/start.html, set GATEWAY_DIR'.replace('gátewáy', 'gáteway'),
  );
});

it('words are joined that the corpus sets apart', () => {
  expect(join('revoke an agent session now', 'an agent session ends')).toBe('revoke an agentsession now');
  expect(join('revoke an agent session now', 'an agent of a session, and agentsession')).toBe(
    'revoke an agent session now',
  );
});

it('without spaces a word is always the same two characters', () => {
  const [one, other] = [unspaced('the gateway'), unspaced('gateway starts')];
  expect(one).toMatch(/^\p{Script=Han}{4}$/u);
  expect(one.slice(2)).toBe(other.slice(0, 2));
  expect(unspaced('# Title (/the-page)')).toMatch(/^# \p{Script=Han}{2} \(\/the-page\)$/u);
});

it('foreign words are not forms of words in the corpus', () => {
  const corpora = new Map([
    ['one', 'gateways acting starting'],
    ['other', 'gateway acted penguin'],
  ]);
  expect(foreignWords(corpora, 10).map(({ corpus, question }) => [corpus, question])).toEqual([
    ['one', 'penguin'],
    ['other', 'starting'],
  ]);
});
