/** In which documents each term occurs, and how strongly, in flat arrays. */
export interface Postings {
  readonly documents: number;
  /** Index of a term's first posting; that of the next term ends it. */
  readonly offsets: Uint32Array;
  readonly numbers: Uint32Array;
  /** Saturated weight of the term in the document, from 0 up to 1. */
  readonly weights: Float32Array;
}

/** Number of documents with a term. */
export function frequency({ offsets }: Postings, term: number): number {
  return (offsets[term + 1] ?? 0) - (offsets[term] ?? 0);
}

/** The significance of a term by the number of its documents (the BM25 form, never negative). */
export function rarity(documents: number, holding: number): number {
  return Math.log(1 + (documents - holding + 0.5) / (holding + 0.5));
}

export interface PostingsBuilder {
  /** Adds to the weight of a term in the document that is being collected. */
  readonly add: (term: number, weight: number) => void;
  /** Ends the document. */
  readonly next: () => void;
  readonly finish: () => Postings;
}

/**
 * @param terms size of the vocabulary
 * @param saturation weight at which a term counts half (k1 of BM25)
 */
export function postingsBuilder(terms: number, saturation: number): PostingsBuilder {
  const numbers: number[][] = Array.from({ length: terms }, () => []);
  const weights: number[][] = Array.from({ length: terms }, () => []);
  const current = new Float64Array(terms);
  const touched: number[] = [];
  let documents = 0;
  return {
    add: (term, weight) => {
      const before = current[term] ?? 0;
      if (before === 0) touched.push(term);
      current[term] = before + weight;
    },
    next: () => {
      for (const term of touched) {
        const weight = current[term] ?? 0;
        numbers[term]?.push(documents);
        weights[term]?.push(weight / (saturation + weight));
        current[term] = 0;
      }
      touched.length = 0;
      documents += 1;
    },
    finish: () => {
      const total = numbers.reduce((sum, list) => sum + list.length, 0);
      const postings = {
        documents,
        offsets: new Uint32Array(terms + 1),
        numbers: new Uint32Array(total),
        weights: new Float32Array(total),
      };
      let offset = 0;
      for (let term = 0; term < terms; term += 1) {
        postings.offsets[term] = offset;
        postings.numbers.set(numbers[term] ?? [], offset);
        postings.weights.set(weights[term] ?? [], offset);
        offset += numbers[term]?.length ?? 0;
      }
      postings.offsets[terms] = offset;
      return postings;
    },
  };
}
