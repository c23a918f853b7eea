import { readLinks, withListedAddresses } from '../corpus/passages.ts';
import type { Sliced } from '../corpus/sliced.ts';
import { splitCorpus } from '../corpus/split.ts';
import { buildIndex, type SearchIndex } from './build-index.ts';
import { type AskedTerm, readQuestion, stopTermsIn } from './question.ts';
import { isAnswered, LOOKED_AT, type Ranked, rank } from './rank.ts';

/** The result of a corpus for a question, before the text and addresses of the answer are made. */
export interface Found {
  readonly asked: readonly AskedTerm[];
  /** Whether the corpus covers the question; does not depend on how many passages were wanted. */
  readonly answered: boolean;
  /** Best first, also where the question does not count as answered. */
  readonly ranked: readonly Ranked[];
}

export interface Engine {
  readonly index: SearchIndex;
  readonly ask: (question: string, most: number) => Found;
}

/** Reads a corpus into an engine. `llms` is the text of `llms.txt`, empty without one. */
export function* createEngine(corpus: string, llms = ''): Sliced<Engine> {
  const links = readLinks(llms);
  const pages = withListedAddresses(yield* splitCorpus(corpus, new Set(links.keys())), links);
  const index = yield* buildIndex(pages);
  return {
    index,
    ask: (question, most) => {
      const asked = readQuestion(index, question);
      const ranked = rank(index, asked, Math.max(most, LOOKED_AT), stopTermsIn(index, question));
      return { asked, answered: isAnswered(index, asked, ranked), ranked: ranked.slice(0, most) };
    },
  };
}
