import { describe, expect, it } from 'vitest';
import { FILLER, indexOf } from '../testing/corpus.ts';
import { coverageOf, isAnswered } from './confidence.ts';
import { readQuestion } from './question.ts';
import { rank } from './rank.ts';

const index = indexOf({
  ...FILLER,
  'The turbine': 'The turbine drives the pump of the harbour.\n\n## Repair\n\nHow to repair a turbine blade.',
  Images: 'How to send an image to the harbour.',
});

function ask(question: string) {
  const asked = readQuestion(index, question);
  const ranked = rank(index, asked, 5);
  const first = ranked[0];
  return { answered: isAnswered(index, asked, ranked), coverage: first ? coverageOf(index, asked, first.passage) : 0 };
}

describe('a question is answered', () => {
  it.each([
    'turbine',
    'How do I repair a turbine blade?',
    'turbine pump harbour',
    'send an image',
    'which setting drains a queue',
    'what does turbine mean, and is repair supported',
    'repair the turbine blade of a zeppelin',
    'turbine blade setup',
    'an awful mistake: is there an easy way to repair a turbine blade afterwards?',
  ])('%s', (question) => {
    expect(ask(question).answered).toBe(true);
  });
});

describe('a question is not answered', () => {
  it.each([
    'zeppelin',
    'zeppelin mortgage',
    'how does the penguin on a glacier sing',
    'repair a zeppelin',
    'repair a turbine with a zeppelin and a mortgage',
    'turbine of a zeppelin harbour image',
    'an awful zeppelin, is there an easy way to repair it?',
    'weird and awful',
    'the of and',
    "' OR 1=1 --",
    '',
  ])('%s', (question) => {
    expect(ask(question).answered).toBe(false);
  });
});

describe('coverage', () => {
  it('is 1 when the passage contains all terms', () => {
    expect(ask('turbine blade').coverage).toBe(1);
  });
  it('is less for terms only on the page, and for synonyms', () => {
    expect(ask('harbour turbine blade').coverage).toBeGreaterThan(0.9);
    expect(ask('harbour turbine blade').coverage).toBeLessThan(1);
    expect(ask('tell about the harbour').coverage).toBe(1);
  });
  it('is low for a word missing from the corpus, even with a synonym', () => {
    expect(ask('picture').coverage).toBeCloseTo(0.21);
  });
  it('is not less for a plain word, unless the question is made of plain words alone', () => {
    expect(ask('awful harbour turbine').coverage).toBe(ask('harbour turbine').coverage);
    expect(ask('awful').coverage).toBe(0);
  });
  it('falls most for a word missing from the corpus', () => {
    expect(ask('turbine zeppelin').coverage).toBeLessThan(0.5);
    expect(ask('turbine zeppelin').coverage).toBeGreaterThan(0);
  });
  it('is 0 for a question without words', () => {
    expect(ask('the of').coverage).toBe(0);
  });
});
