import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FILLER, indexOf } from '../testing/corpus.ts';
import { readingsOf } from './question.ts';
import { wordsOf } from './words.ts';

const index = indexOf({
  ...FILLER,
  Variables:
    'Set GATEWAY_LICENSE_FILE to the licence of the organization, and GATEWAY_DOCS_DIR. Call getSession or maxSteps.',
  Failing:
    'The gateway is fail-closed. An API key goes with its revocation; its configuration is recorded in the stack.',
});
const read = (question: string) => readingsOf(index, wordsOf(question)).map(({ word }) => word.whole);

describe('a question is corrected as meant', () => {
  it.each([
    ['cofiguration', ['configuration']],
    ['revokation', ['revocation']],
    ['GATEWAY_LICENCE_FILE', ['gatewaylicensefile']],
    ['GATEWAY_LICENCE_FIEL', ['gatewaylicensefile']],
    ['gatewaylicencefile', ['gatewaylicensefile']],
    ['GATEWAY_DOSC_DIR', ['gatewaydocsdir']],
    ['failclosed', ['fail', 'closed']],
    ['failClosed', ['fail', 'closed']],
    ['apikey', ['api', 'key']],
    ['wiht the recroded', ['with', 'the', 'recorded']],
  ])('%s', (question, words) => {
    expect(read(question)).toEqual(words);
  });
});

describe('known words, and uncertain ones, stay as typed', () => {
  it.each([
    ['licence', ['licence']],
    ['slack', ['slack']],
    ['setSession', ['setsession']],
    ['GATEWAY_DATA_DIR', ['gatewaydatadir']],
    ['GATEWAY_LICENSE_FILES_2', ['gatewaylicensefiles2']],
    // Both halves occur, but never next to each other.
    ['closedrecorded', ['closedrecorded']],
    ['zeppelin', ['zeppelin']],
    ['403', ['403']],
  ])('%s', (question, words) => {
    expect(read(question)).toEqual(words);
  });
  it('and gets a suggestion where it resembles a word of the corpus', () => {
    expect(readingsOf(index, wordsOf('slack'))[0]?.suggestion).toBe('stack');
    expect(readingsOf(index, wordsOf('zeppelin'))[0]?.suggestion).toBeNull();
  });
  it('and a word of everyday speech is no slip of another', () => {
    expect(readingsOf(index, wordsOf('stuck'))).toMatchObject([{ word: { whole: 'stuck' }, suggestion: null }]);
  });
});

it('no more than a dozen spellings of a question are looked up', () => {
  let looked = 0;
  const correct = () => {
    looked += 1;
    return null;
  };
  const counting = { ...index, spellings: { correct } };
  readingsOf(counting, wordsOf('zeppelin_mortgage_penguin glacier '.repeat(30)));
  expect(looked).toBeLessThanOrEqual(12);
});

it('any question is read, in the same way each time', () => {
  assert(
    property(string({ unit: 'binary', maxLength: 200 }), (question) => {
      expect(readingsOf(index, wordsOf(question))).toEqual(readingsOf(index, wordsOf(question)));
    }),
    { numRuns: 500 },
  );
});
