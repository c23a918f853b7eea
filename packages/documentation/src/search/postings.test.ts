import { array, assert, integer, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frequency, postingsBuilder, rarity } from './postings.ts';

type Document = readonly (readonly [term: number, weight: number])[];

function build(documents: readonly Document[], terms: number, saturation = 1) {
  const builder = postingsBuilder(terms, saturation);
  for (const document of documents) {
    for (const [term, weight] of document) builder.add(term, weight);
    builder.next();
  }
  return builder.finish();
}

describe('the postings of a term', () => {
  it('are its documents in order, each once, with the sum of its weights', () => {
    const documents = array(array(tuple(integer({ min: 0, max: 4 }), integer({ min: 1, max: 3 })), { maxLength: 6 }), {
      maxLength: 8,
    });
    assert(
      property(documents, (list) => {
        const postings = build(list, 5);
        expect(postings.documents).toBe(list.length);
        for (let term = 0; term < 5; term += 1) {
          const sums = list.map((document) =>
            document.reduce((sum, [own, weight]) => sum + (own === term ? weight : 0), 0),
          );
          const held = sums.flatMap((sum, number) => (sum > 0 ? [[number, sum / (1 + sum)]] : []));
          const [from, to] = [postings.offsets[term] ?? 0, postings.offsets[term + 1] ?? 0];
          expect(Array.from(postings.numbers.slice(from, to))).toEqual(held.map(([number]) => number));
          for (const [index, weight] of postings.weights.slice(from, to).entries()) {
            expect(weight).toBeCloseTo(held[index]?.[1] ?? 0, 5);
          }
          expect(frequency(postings, term)).toBe(held.length);
        }
      }),
    );
  });

  it('take nothing over from the document before', () => {
    const { numbers, weights } = build([[[0, 3]], [[0, 1]], []], 1);
    expect([Array.from(numbers), weights[0], weights[1]]).toEqual([[0, 1], 0.75, 0.5]);
  });

  it('are none without documents, and of a term without any', () => {
    expect(build([], 3)).toMatchObject({ documents: 0, offsets: Uint32Array.of(0, 0, 0, 0) });
    expect(frequency(build([[[1, 1]]], 3), 2)).toBe(0);
    expect(frequency(build([[[1, 1]]], 3), 99)).toBe(0);
  });

  it('weigh half at the saturation, and never the whole', () => {
    expect(build([[[0, 4]]], 1, 4).weights[0]).toBe(0.5);
    expect(build([[[0, 1e6]]], 1, 4).weights[0]).toBeLessThan(1);
  });
});

describe('the significance of a term', () => {
  it('falls with each document that has it, and is never negative', () => {
    assert(
      property(integer({ min: 1, max: 500 }), integer({ min: 0, max: 499 }), (documents, holding) => {
        const held = Math.min(holding, documents);
        expect(rarity(documents, held)).toBeGreaterThan(0);
        expect(rarity(documents, held)).toBeGreaterThan(rarity(documents, held + 1));
      }),
    );
  });
});
