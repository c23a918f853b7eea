import { assert, constantFrom, integer, property, subarray } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../corpus/sliced.ts';
import { corpusOf, FILLER } from '../testing/corpus.ts';
import { createEngine } from './engine.ts';

const engine = atOnce(createEngine(corpusOf({ ...FILLER, Turbines: 'A turbine.\n\n## Blades\n\nA blade of it.' })));
const question = subarray(['turbine', 'blade', 'setting', 'queue', 'zeppelin', 'of', 'drains'], { minLength: 1 }).map(
  (words) => words.join(' '),
);

describe('an answer', () => {
  it('is the beginning of a longer one, and is an answer for every number of passages', () => {
    assert(
      property(question, integer({ min: 1, max: 20 }), (text, most) => {
        const all = engine.ask(text, 60);
        const some = engine.ask(text, most);
        expect(some.ranked).toEqual(all.ranked.slice(0, most));
        expect(some.answered).toBe(all.answered);
      }),
    );
  });

  it('has scores that never rise, each passage once', () => {
    assert(
      property(question, (text) => {
        const { ranked } = engine.ask(text, 60);
        const scores = ranked.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((one, other) => other - one));
        expect(new Set(ranked.map(({ passage }) => passage)).size).toBe(ranked.length);
      }),
    );
  });

  it('does not depend on the case of the question, nor on blanks and marks around it', () => {
    const around = constantFrom('', ' ', '\n', '?', '…', '"', '(');
    assert(
      property(question, around, around, (text, before, after) => {
        expect(engine.ask(`${before}${text.toUpperCase()}${after}`, 5).ranked).toEqual(engine.ask(text, 5).ranked);
      }),
    );
  });
});

describe('an empty corpus', () => {
  it('answers nothing, and every question', () => {
    for (const text of ['', '\n\n', '# Title']) {
      const empty = atOnce(createEngine(text));
      expect(empty.ask('turbine', 5)).toMatchObject({ answered: false, ranked: [] });
      expect(empty.ask('', 5)).toMatchObject({ asked: [], answered: false, ranked: [] });
    }
  });
});
