import { atOnce, createEngine, passagesOf, splitCorpus } from '@gateway/documentation/engine';
import MiniSearch from 'minisearch';
import { plainBm25 } from './plain-bm25.ts';
import type { Outcome } from './quality.ts';

/** A way to find passages in a corpus. */
export interface Contestant {
  readonly name: string;
  readonly read: (corpus: string) => (question: string) => Omit<Outcome, 'question'>;
}

const WANTED = 5;

export const ours: Contestant = {
  name: 'this gateway',
  read: (corpus) => {
    const { index, ask } = atOnce(createEngine(corpus));
    return (question) => {
      const { answered, ranked } = ask(question, WANTED);
      return {
        answered,
        score: ranked[0]?.score ?? 0,
        passages: ranked.map(({ passage }) => {
          const found = index.passages[passage];
          const page = index.pages[found?.page ?? 0];
          return { page: page?.url ?? null, headings: [page?.title ?? '', ...(found?.headings ?? [])] };
        }),
      };
    };
  },
};

/** The sections of a corpus, as every peer gets them. */
function sectionsOf(corpus: string) {
  return atOnce(splitCorpus(corpus)).flatMap((page) =>
    passagesOf(page).map(({ headings, text }) => ({
      page: page.url,
      title: page.title,
      heading: headings.at(-1) ?? '',
      headings: [page.title, ...headings],
      text,
    })),
  );
}

/** MiniSearch as in the first example of its documentation: named fields, all defaults. */
export const miniSearch: Contestant = {
  name: 'MiniSearch, defaults',
  read: (corpus) => {
    const sections = sectionsOf(corpus);
    const engine = new MiniSearch({ fields: ['title', 'heading', 'text'] });
    engine.addAll(sections.map((section, id) => ({ id, ...section })));
    return (question) => {
      const found = engine.search(question).slice(0, WANTED);
      return {
        answered: null,
        score: found[0]?.score ?? 0,
        passages: found.flatMap(({ id }) => sections[Number(id)] ?? []),
      };
    };
  },
};

export const bm25: Contestant = {
  name: 'plain BM25',
  read: (corpus) => {
    const sections = sectionsOf(corpus);
    const search = plainBm25(sections.map(({ headings, text }) => `${headings.join(' ')} ${text}`));
    return (question) => {
      const found = search(question, WANTED);
      return {
        answered: null,
        score: found[0]?.score ?? 0,
        passages: found.flatMap(({ document }) => sections[document] ?? []),
      };
    };
  },
};
