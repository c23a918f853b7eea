import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FILLER, indexOf } from '../testing/corpus.ts';
import { readQuestion } from './question.ts';

const index = indexOf({
  ...FILLER,
  Turbines: 'The turbine has a blade. Configure GATEWAY_DOCS_DIR, and delete the résumé. Use web sockets.',
});
const asked = (question: string) => readQuestion(index, question).filter((term) => term.asked);
const words = (question: string) => asked(question).map(({ word }) => word);

describe('the terms of a question', () => {
  it('are its words without stop words, each once and in their order', () => {
    expect(words('What is the turbine, and how is a blade of the turbines?')).toEqual(['turbine', 'blade']);
    for (const question of ['', 'the of and', '?!']) expect(words(question)).toEqual([]);
  });

  it('are without the prefix of a repetition', () => {
    expect(words('re-configure the turbine')).toEqual(['configure', 'turbine']);
  });

  it('are shown as they were written if they are identifiers', () => {
    expect(asked('where is GATEWAY_DOCS_DIR').map(({ word, shown }) => [word, shown])).toEqual([
      ['gatewaydocsdir', 'GATEWAY_DOCS_DIR'],
    ]);
  });

  it('are known or unknown, and the unknown ones weigh most', () => {
    const terms = asked('turbine zeppelin queue');
    expect(terms.map(({ word, known }) => [word, known])).toEqual([
      ['turbine', true],
      ['zeppelin', false],
      ['queue', true],
    ]);
    const [turbine = 0, zeppelin = 0, queue = 0] = terms.map(({ rarity }) => rarity);
    expect([zeppelin > turbine, turbine > queue]).toEqual([true, true]);
  });

  it('are known without their accents, as two words and as one', () => {
    for (const question of ['resume', 'RÉSUMÉ', 'websockets', 'web-sockets']) {
      expect(asked(question).map(({ known }) => known)).not.toContain(false);
    }
  });

  it('are read as the word that was meant, and the typed one is kept', () => {
    expect(asked('trubine').map(({ word, typed }) => [word, typed])).toEqual([['turbine', 'trubine']]);
  });

  it('have the turns of phrase beside them, which are no words of the question', () => {
    const terms = readQuestion(index, 'how do i log in to the turbine');
    expect(terms.filter((term) => !term.asked).map(({ word, significant }) => [word, significant])).toEqual([
      ['login', false],
    ]);
  });

  it('are all terms of the index, with a trust of at most 1, for any text', () => {
    assert(
      property(string({ unit: 'grapheme', maxLength: 80 }), (text) => {
        for (const { variants, rarity } of readQuestion(index, `${text} turbine`)) {
          expect(rarity).toBeGreaterThan(0);
          for (const { term, trust } of variants) {
            expect(index.rarities[term]).toBeGreaterThan(0);
            expect(trust > 0 && trust <= 1).toBe(true);
          }
        }
      }),
    );
  });

  it('are found in a question of any length', () => {
    const long = `${'zeppelin mortgage '.repeat(2000)}turbine`;
    expect(words(long)).toEqual(['zeppelin', 'mortgage', 'turbine']);
  });
});
