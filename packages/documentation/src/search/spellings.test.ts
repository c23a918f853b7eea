import { array, assert, property, string } from 'fast-check';
import { expect, it } from 'vitest';
import { spellingsOf } from './spellings.ts';

const WORDS = ['configuration', 'revocation', 'address', 'stack', 'résumé', 'sha256', 'gateway', 'gateways', 'rare'];
const { correct } = spellingsOf(
  WORDS.map((word, at): [string, number] => [word, at]),
  (term) => (WORDS[term] === 'rare' ? 0 : WORDS[term] === 'gateway' ? 9 : 2),
);

it.each([
  ['cofiguration', 'configuration', true],
  ['revokation', 'revocation', true],
  ['adress', 'address', true],
  ['resmue', 'resume', true],
  ['gatway', 'gateway', true],
  ['slack', 'stack', false],
  ['sha265', null, false],
  ['sha512', null, false],
  ['rarre', null, false],
  ['zeppelin', null, false],
  ['', null, false],
  ['a', null, false],
  ['x'.repeat(1000), null, false],
])('%s', (typed, word, sure) => {
  const correction = correct(typed);
  expect([correction?.word ?? null, correction?.sure ?? false]).toEqual([word, sure]);
});

it('another form of the word is no correction', () => {
  const list = ['licence', 'licences', 'license'];
  const spellings = spellingsOf(
    list.map((word, at): [string, number] => [word, at]),
    () => 1,
  );
  expect(spellings.correct('licence')?.word).toBe('license');
});

it('the word that occurs more often is the likelier', () => {
  expect(correct('gatewayy')?.word).toBe('gateway');
});

it('any word is looked up, in the same way each time', () => {
  assert(
    property(array(string({ unit: 'binary' })), string({ unit: 'binary' }), (words, typed) => {
      const spellings = () =>
        spellingsOf(
          words.map((word, at): [string, number] => [word, at]),
          (term) => term + 1,
        );
      expect(spellings().correct(typed)).toEqual(spellings().correct(typed));
    }),
    { numRuns: 500 },
  );
});
